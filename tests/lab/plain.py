"""Tell what a game came to from its record alone: replayed move by move, in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import Any

from bartizan.engine import registry
from bartizan.engine.rule import interpreted
from bartizan.match.match import Match
from bartizan.match.record import GameRecord


@dataclass
class PlainGame:
    """What a record tells; lists by seat begin with the first, sets hold names."""

    seats: int
    movers: list[int] = field(default_factory=list)  # the seat of each decision, from 1
    rounds_at: list[int] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)  # how many actions
    chosen: list[str] = field(default_factory=list)  # the verb
    offered: list[set[str]] = field(default_factory=list)
    gained: list[tuple[int, str, int]] = field(default_factory=list)  # a decision's seat, source and points
    opened: list[set[str]] = field(default_factory=list)  # by seat, as dealt
    held: list[set[str]] = field(default_factory=list)
    played: list[set[str]] = field(default_factory=list)
    progress: list[int] = field(default_factory=list)  # from the deal on
    contact: int = -1
    winners: tuple[int, ...] = ()
    returns: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    rounds: int = 0
    finished: bool = False

    @property
    def turns(self) -> list[list[int]]:
        """The plies of each turn: a run of decisions of one seat in one round."""
        found: list[list[int]] = []
        for ply, key in enumerate(zip(self.movers, self.rounds_at, strict=True)):
            if found and key == (self.movers[ply - 1], self.rounds_at[ply - 1]):
                found[-1].append(ply)
            else:
                found.append([ply])
        return found

    @property
    def dead_turns(self) -> int:
        """Turns in which nothing could be chosen."""
        return sum(all(self.legal[ply] == 1 for ply in turn) for turn in self.turns)

    @property
    def wait(self) -> int:
        """The longest run of others' decisions between two of a seat."""
        waits = [0]
        for seat in range(1, self.seats + 1):
            plies = [ply for ply, mover in enumerate(self.movers) if mover == seat]
            waits += [after - before - 1 for before, after in pairwise(plies)]
        return max(waits)

    @property
    def stall(self) -> int:
        """The longest run of decisions that left the mark of progress as it was."""
        longest = run = 0
        for before, after in pairwise(self.progress):
            run = run + 1 if before == after else 0
            longest = max(longest, run)
        return longest

    def quantile(self, percent: int) -> int:
        """The least number of legal actions that so many per cent of the decisions do not pass."""
        return sorted(self.legal)[ceil(percent * len(self.legal) / 100) - 1]


def plain_game(text: str) -> PlainGame:
    """Replay the text of a record."""
    record = GameRecord.parse(text)
    game = registry.get(record.game)
    playtest: Any = interpreted(game.playtest)
    names = game.playtest.PIECES
    match = Match(game, record.options, record.seats, record.seed)
    found = PlainGame(match.seats)
    found.held = [set() for _ in range(match.seats)]
    found.played = [set() for _ in range(match.seats)]
    found.progress.append(int(playtest.progress(match.view())))
    for seat in range(1, match.seats + 1):
        marks = [0] * len(names)
        playtest.mark_held(match.view(), seat, marks)
        found.opened.append({name for name, mark in zip(names, marks, strict=True) if mark})
    for move in record.moves:
        seat, view = match.seat_to_move, match.view()
        action = match.check(move).action
        found.movers.append(seat)
        found.rounds_at.append(match.round)
        found.legal.append(len(match.legal()))
        found.offered.append({game.actions.block_of(each).name for each in match.legal()})
        found.chosen.append(game.actions.block_of(action).name)
        marks = [0] * len(names)
        playtest.mark_held(view, seat, marks)
        found.held[seat - 1] |= {name for name, mark in zip(names, marks, strict=True) if mark}
        packed = int(playtest.pieces_played(view, action))
        found.played[seat - 1] |= {names[each - 1] for each in packed.to_bytes(8, "little") if each}
        source = int(game.playtest.source_of(view, action))
        told = found.chosen[-1] if source < 0 else game.playtest.SOURCES[source]
        before = points_of(match, seat)
        match.play(move)
        found.gained.append((seat, told, max(0, points_of(match, seat) - before)))
        found.progress.append(int(playtest.progress(match.view())))
        if found.contact < 0 and playtest.contact(match.view()) == 1:
            found.contact = match.ply
    outcome = match.outcome
    found.finished, found.rounds = outcome is not None, match.round
    found.winners = outcome.winners if outcome else ()
    found.returns = list(outcome.returns) if outcome else [0.0] * match.seats
    found.points = list(outcome.points) if outcome and outcome.points else [0] * match.seats
    return found


def points_of(match: Match, seat: int) -> int:
    """Return a seat's points in the middle of a game; 0 if the game counts none."""
    if not match.game.counts_points:
        return 0
    return int(match.game.rules.points(match.view(), seat))
