"""Find puzzles: play games, look at every line of play of a turn, keep what few programs find.

What is sought a game says itself: each kind in its ``puzzles.toml`` has a measure (`bartizan.match.turns`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.match import Match
from bartizan.match.expectation import Expectation
from bartizan.match.lessons import LEVELS, SEED, Kind, Puzzle
from bartizan.match.turns import BestLine, TooManyLines, TurnSearch
from bartizan.search.players import Player

PLAYERS = ("squire", "page")  # who play the games that are looked at: quick, no two games alike
ALIKE = 2  # puzzles that the same line solves
SPARE = 2  # decisions more than the shortest lines take
TRIES = 2  # of each level at each puzzle
DROPPED = ("seen", "deck", "aside")  # keys that a position does without where nothing hangs on them
LEAST_CHOICE = 5  # legal moves that a puzzle begins with


class Finder:
    """Finds puzzles of one kind."""

    def __init__(self, game: Game, name: str, kind: Kind, seed: int, seats: int | None = None) -> None:
        self.game, self.name, self.kind = game, name, kind
        self._seed = seed
        self._seats = game.check_seats(seats if seats is not None else kind.seats)
        self._turns = TurnSearch(game, kind.measure, tuple(kind.wrong), kind.most, kind.depth)
        self.levels = tuple(level.name for level in game.player_levels[:-1])  # which are asked to find them
        self.looked = 0  # at turns

    def found_in(self, number: int) -> list[Puzzle]:
        """Return the puzzle of one game, by its number, if there is any in it."""
        return [puzzle for _, puzzle in zip(range(1), self._in_game(number), strict=False)]

    def _in_game(self, number: int) -> Iterator[Puzzle]:
        dice = stream(f"{self._seed:x}", f"puzzles {self.name}", number)
        match = Match(self.game, self.kind.options, self._seats, f"{dice:x}")
        players = [
            Player.named(self.game, PLAYERS[(dice >> 8 * seat) % len(PLAYERS)], dice + seat)
            for seat in range(self._seats)
        ]
        while not match.is_over and match.ply < self.kind.until:
            match.push(match.throws.choose(players[match.seat_to_move - 1]))
        # The later the more is at stake, and the fewer moves of the turn are left.
        for ply in range(match.ply - 1, max(-1, match.ply - 1 - self.kind.last), -1):
            match.go_to(ply)
            puzzle = self.puzzle(match, f"{self.name}-{number + 1}")
            if puzzle is not None:
                yield puzzle

    def puzzle(self, match: Match, name: str) -> Puzzle | None:
        """Make a puzzle of a position, or none where there is nothing to find."""
        self.looked += 1
        position = match.position()
        lines = self._lines(position)
        if lines is None:
            return None
        kind = self.kind
        best = max(lines.values(), key=lambda line: line.rank)
        ways = sum(line.value == best.value for line in lines.values())
        if ways > max(1, len(lines) * self.kind.share) or not self.kind.least <= len(best.actions):
            return None
        if not kind.also and best.value < self._turns.value(match.game_state()) + kind.gain:
            return None
        for key in DROPPED:
            fewer = {other: value for other, value in position.items() if other != key}
            if key in position and self._lines(fewer) == lines:
                position = fewer
        start = self._match(position)
        for action in best.actions:
            start.play(action)
        after = start.position()
        goal = _goal(after, [self.kind.key.replace("SEAT", str(match.seat_to_move)), *self.kind.also])
        shares = {level: self._share(position, level, best) for level in self.levels}
        return Puzzle(
            id=name,
            kind=self.name,
            position=position,
            options=self.kind.options,
            seats=match.seats if self.game.max_seats > self.game.min_seats else None,
            seat=match.seat_to_move,
            goal=goal,
            within=min(
                kind.depth, SPARE + max(len(x.actions) for x in lines.values() if x.value == best.value)
            ),
            show=self._needed(position, goal, start.moves),
            ways=ways,
            found=shares,
            level=1,
        )

    def _needed(
        self, position: Mapping[str, Any], goal: dict[str, Any], moves: Sequence[str]
    ) -> tuple[str, ...]:
        """Return as much of a line as it takes to reach the goal: what ends the turn may be left out."""
        match, wanted = self._match(position), Expectation(self.game, goal)
        for move in moves:
            match.play(move)
            if not wanted.faults(match.position()):
                break
        return tuple(match.moves)

    def _match(self, position: Mapping[str, Any]) -> Match:
        return Match(self.game, self.kind.options, self._seats, SEED, position)

    def _lines(self, position: Mapping[str, Any]) -> dict[int, BestLine] | None:
        """Return the best line of each first move; None where there are too many, or all come to the same."""
        match = self._match(position)
        if match.is_over or len(match.legal()) < LEAST_CHOICE:
            return None
        try:
            lines = self._turns.lines(match.game_state())
        except TooManyLines:
            return None
        values = {line.value for line in lines.values()}
        if len(values) < 2 or (self.kind.measure == "win" and max(values) <= 0):
            return None
        return lines

    def _share(self, position: Mapping[str, Any], level: str, best: BestLine) -> float:
        """Return how often a level finds what is best, of a few tries with other dice."""
        return sum(self._finds(position, level, best, dice) for dice in range(TRIES)) / TRIES

    def _finds(self, position: Mapping[str, Any], level: str, best: BestLine, dice: int) -> bool:
        match = self._match(position)
        player = Player.named(self.game, level, dice)
        while True:
            match.push(match.throws.choose(player))
            game_state = match.game_state()
            if self._turns.is_over(game_state) or match.ply == self.kind.depth:
                return self._turns.value(game_state) >= best.value


def _goal(after: Mapping[str, Any], paths: Sequence[str]) -> dict[str, Any]:
    """Return what a position shows under some keys, in the form of an expectation; lists by their length."""
    goal: dict[str, Any] = {}
    for path in paths:
        first, *rest = path.split(".")
        value = after[first]
        if rest:
            seat, key = int(rest[0]), rest[1]
            rows: list[dict[str, Any]] = [{} for _ in after[first]]
            rows[seat - 1] = {key: after[first][seat - 1][key]}
            value = rows
        goal[first] = len(value) if isinstance(value, list) and not rest else value
    return goal


def graded(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return puzzles numbered and with a level each, the easiest first: as many of each level.

    Easier is what the levels find more often, then what takes fewer moves, then what more first moves do.
    Of those whose shown line is the same only the first two are kept.
    """
    kept: list[Puzzle] = []
    for puzzle in puzzles:
        if sum(other.show == puzzle.show for other in kept) < ALIKE:
            kept.append(puzzle)
    kept.sort(key=lambda each: (-sum(each.found.values()), len(each.show), -each.ways))
    return [
        msgspec.structs.replace(each, id=f"{each.kind}-{n + 1}", level=1 + n * LEVELS // len(kept))
        for n, each in enumerate(kept)
    ]


def told(puzzles: Sequence[Puzzle]) -> str:
    """Return puzzles as they stand in a file, below its kinds."""
    parts = []
    for puzzle in puzzles:
        table = msgspec.to_builtins(puzzle)
        lines = [
            f"{key} = {toml_value(value)}" for key, value in table.items() if value not in (None, "", {})
        ]
        parts.append("[[puzzle]]\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def toml_value(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {toml_value(each)}" for key, each in value.items())
        return "{ " + inner + " }" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    return str(value)


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() else msgspec.json.encode(key).decode()
