"""Play random games interpreted, and find what is wrong with their rules.

Interpreted rules check every range and every index, which compiled ones do not.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from bartizan.engine.clauses import OK
from bartizan.engine.errors import BadSeats
from bartizan.engine.game import Game
from bartizan.engine.options import OptionSpec, Written
from bartizan.engine.rng import stream
from bartizan.engine.table import Table, win
from bartizan.match.close_look import CloseLook, last_move, some_ids
from bartizan.match.faults import Broken, Faults
from bartizan.match.history import CheckedMove
from bartizan.match.limits import Endless, limited
from bartizan.match.local import told
from bartizan.match.match import Match
from bartizan.match.sources import line_of, state_file

MOST_PLIES = 20_000  # of all games together
LONGEST = 5_000  # plies of a game that ends
MOST_POSITIONS = 250  # that are looked at closely, which takes longer than playing
MOST_SECONDS = 4.0  # of playing, where only the rules are checked
MOST_STEP = 5.0  # seconds for one move and a close look at it; a bundled game needs 0.1
MOST_BROKEN = 3  # games that stop with an error; then there is no use in more


class RandomGames:
    """Random games of one game, and what was found wrong in them."""

    def __init__(self, game: Game, rules_only: bool) -> None:
        """Prepare to play; with `rules_only` nothing but the rules is looked at."""
        self.game = game
        self.faults = Faults()
        self.games = self.plies = self.positions = self._broken = 0
        self.is_endless = False  # whether some code had to be stopped; then nothing else is tried
        self._close = None if rules_only else CloseLook(game, self.faults)
        for module in game.rule_modules.own:
            if vars(module).get("win") is win:
                vars(module)["win"] = _careful_win

    def run(self, games: int) -> None:
        """Play."""
        seats = range(self.game.min_seats, self.game.max_seats + 1)
        self._until = time.monotonic() + (MOST_SECONDS if self._close is None else float("inf"))
        for number in range(games):
            if self.plies > MOST_PLIES or self._broken >= MOST_BROKEN or self.is_endless or self._is_late():
                return
            dice = random.Random(f"{self.game.name}/{number}")
            self.games += 1
            try:
                self._play(number, seats[number % len(seats)], dice)
            except Broken:
                self._broken += 1

    def _is_late(self) -> bool:
        return time.monotonic() > self._until

    def _play(self, number: int, seats: int, dice: random.Random) -> None:
        seed = f"{stream('5eed', self.game.name, number):x}"
        options = _some_options(self.game, dice, seats)
        with _Noting(self, lambda: f"set-up for {seats}, seed {seed}"):
            match = Match(self.game, options, seats, seed)
        close = 0.3 if number < 20 else 0.05
        moves: list[str] = []
        where = f"seed {seed}" + (f", options {options}" if options else "")
        while match.ply < LONGEST and not self._is_late():
            with _Noting(self, lambda: f"{where}, after {' · '.join(moves[-3:]) or 'the deal'}"):
                legal = self._legal(match)
                if self._close is not None:
                    self._close.count(match)
                is_close = self.positions < MOST_POSITIONS and dice.random() < close
                if is_close or (match.is_over and self.positions < MOST_POSITIONS):
                    self.positions += 1
                    self._think(match, legal, dice)
                    if self._close is not None:
                        self._close.look(match, legal, dice)
                if match.is_over:
                    return
                action = dice.choice(legal)
                moves.append(f"action {action}" if self._close is None else match.text(action))
                match.push(CheckedMove(ply=match.ply, seat=match.seat_to_move, action=action, text=moves[-1]))
                self.plies += 1
        if self._close is not None:
            self.faults.note(
                "end", f"After {LONGEST} random moves a game was not over ({where}): does it always end?"
            )

    def _legal(self, match: Match) -> list[int]:
        """Return the legal actions; notes too many, none, and those that are not ascending ids."""
        size = self.game.actions.size
        out = [0] * (4 * size + 4)
        count = int(self.game.array_rules.legal_actions(match.game_state().cells, out))
        legal = out[:count]
        if count > self.game.max_legal:
            place = line_of(state_file(self.game), "MAX_LEGAL")
            room = f"MAX_LEGAL is {self.game.max_legal}"
            raise self.faults.fatal("room", f"{room}, but {count} actions were legal at once.", place)
        if legal != sorted(set(legal)) or not all(0 <= action < size for action in legal):
            raise self.faults.fatal(
                "ids", "legal_actions must list ids of actions in ascending order, each once."
            )
        if not legal and not match.is_over:
            self._answers(match, some_ids(self.game, random.Random(0)))
            seat = match.views.setting.seat_names[match.seat_to_move - 1]
            nothing = f"{seat} is to move and has no legal action after {last_move(match)}"
            raise self.faults.fatal(
                "stuck", f"{nothing}: end the game with win() or tie(), or pass the turn on."
            )
        if legal and match.is_over:
            self.faults.note("over", "The game is over and there are still legal actions.")
        return legal

    def _think(self, match: Match, legal: list[int], dice: random.Random) -> None:
        """Run the rules that refuse moves, and those that programs think with."""
        game_state, game = match.game_state(), self.game
        rules, record = game.array_rules, game_state.cells[0]
        self._answers(match, some_ids(game, dice))
        rules.rounds(game_state.cells)
        if match.is_over:
            game.outcome(game_state)
        game.bind("bartizan.search.rollout").action_scores(game_state.cells, legal, [0] * len(legal))
        evaluate = getattr(game.heuristics, "evaluate", None)
        for seat in range(1, match.seats + 1):
            if evaluate is not None:
                evaluate(record, seat)
            rules.determinize(game_state.cells, seat)
            rules.blank(game_state.copy().cells, seat)

    def _answers(self, match: Match, actions: Iterable[int]) -> None:
        """Ask whether actions are legal, and note an answer that is no clause."""
        game_state = match.game_state()
        is_short = isinstance(game_state.view(), Table)
        for action in actions:
            self.game.array_rules.why_not(game_state.cells, action)
            verb, fields = self.game.actions.decode(action)
            name = f"why_not_{verb}"
            rule: Any = self.game.rule_modules.find(name) if is_short else None
            answer = rule(game_state.view(), *fields.values()) if rule is not None else OK
            if not isinstance(answer, int) or (isinstance(answer, bool) and self._close is not None):
                place = line_of(Path(rule.__code__.co_filename), f"def {name}")
                raise self.faults.fatal(
                    name, f"{name} must return OK or a clause's code, not {answer!r}.", place
                )


def _careful_win(s: Any, seat: int, clause: int) -> None:
    """End the game as `win` does; raises `BadSeats` for a seat that doesn't exist."""
    if not 1 <= seat <= s.seats:
        raise BadSeats(f"win() got seat {seat}, but seats are 1 to {s.seats}; use tie() where no one wins")
    win(s, seat, clause)


_careful_win.__qualname__ = "win"  # what Python calls it where an argument is missing


class _Noting:
    """Turn an error in a game's code into a fault with its file and line, and end that game."""

    def __init__(self, games: RandomGames, where: Callable[[], str]) -> None:
        self._games, self._where = games, where
        self._limit = limited(MOST_STEP, games.game.folder)

    def __enter__(self) -> None:
        self._limit.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limit.__exit__(None, None, None)
        self._games.is_endless |= isinstance(error, Endless)
        if isinstance(error, Exception) and not isinstance(error, Broken):
            sentence = told(error, self._games.game.folder)
            self._games.faults.note(sentence, f"{sentence.removesuffix('.')} ({self._where()}).")
            raise Broken from error


# --- Options ----------------------------------------------------------------------


def _some_options(game: Game, dice: random.Random, seats: int) -> dict[str, object]:
    """Return a choice of options that go together: half of them are left at their defaults."""
    for _ in range(100):
        given: dict[str, object] = {
            spec.key: _some_value(spec, dice) for spec in game.options if dice.random() < 0.5
        }
        if game.option_set.goes_together(given, seats):
            return given
    return {}


def _some_value(spec: OptionSpec, dice: random.Random) -> Written:
    if spec.kind == "bool":
        return dice.random() < 0.5
    if spec.kind in ("choice", "text"):
        return dice.choice(spec.values)
    low, high = spec.low or 0, spec.high or 0
    return dice.choice([low, high, dice.randint(low, min(low + 8, high)), spec.default])
