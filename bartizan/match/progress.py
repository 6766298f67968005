"""Hold a game in progress: its states from the first ply to the last, and the moves between them."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any, cast

from bartizan.engine import registry
from bartizan.engine.errors import (
    BadPosition,
    BadSeed,
    BartizanError,
    GameOver,
    IllegalMove,
    NothingToUndo,
    NotYourTurn,
    StalePly,
    UnknownMove,
)
from bartizan.engine.game import Game, GameState
from bartizan.engine.notation import complete
from bartizan.engine.options import OptionSet, Written
from bartizan.engine.outcome import Outcome
from bartizan.engine.rng import stream
from bartizan.engine.scene import Refusal, Setting
from bartizan.engine.settlement import Settlement
from bartizan.match.history import CheckedMove, History
from bartizan.match.observations import Observations


def check_seed(seed: str) -> str:
    """Return a seed in its one form: lower case, without ``0x``.

    Raises `BadSeed` for anything but 1 to 32 hexadecimal digits.
    """
    word = seed.strip().lower().removeprefix("0x")
    if not re.fullmatch(r"[0-9a-f]{1,32}", word):
        raise BadSeed(f"{seed!r} isn't a seed: a seed is 1 to 32 hexadecimal digits (0 to 9, a to f).")
    return word


def hash_of_seed(seed: str) -> str:
    """Return what may be published of a seed before the game is over."""
    return hashlib.blake2b(f"bartizan seed {seed}".encode(), digest_size=16).hexdigest()


def refusal_of(error: IllegalMove) -> Refusal:
    """Return the explanation of an illegal move: the clause, and the things in the way."""
    return Refusal(clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers)


class GameInProgress:
    """One game between its first and its last ply.

    `check` and `why_not` take moves as text or as action codes. States are kept for every ply, so undo and
    jumps cost nothing and give the same bytes.
    """

    def __init__(
        self,
        game: str | Game,
        options: Mapping[str, object] | None = None,
        seats: int | None = None,
        seed: str | None = None,
        position: Mapping[str, Any] | None = None,
    ) -> None:
        """Deal a game, or set up a position.

        Seats left out are as many as the position's `players` tell, else the fewest that can play.
        Raises `UnknownGame`, `UnknownOption`, `BadSeats`, `BadSeed`, `BadPosition`, `UnknownCard`.
        """
        self.game = game if isinstance(game, Game) else registry.get(game)
        self._is_seats_told = seats is not None
        if seats is None and position is not None:
            possible = self.game.seats_in(position, options or {})
            seats = possible[0] if len(possible) == 1 else None
        self.seats = self.game.check_seats(seats)
        self._options = self.game.read_options(options or {}, self.seats)
        self.seed = check_seed(seed) if seed is not None else secrets.token_hex(16)
        self.start = dict(position) if position is not None else None
        self._game_state = self._first_state()
        self.history = History(self.game, self._game_state)
        self.observations = Observations(self.game, self.history, self.seed)
        self.kept_setting: Setting | None = None  # for the views: it never changes
        self.settlement: Settlement | None = None  # how its players ended it at the last ply
        self._ply = 0
        self._legal: list[int] | None = None
        self._mover = -1  # whose decision it is, once it was asked for

    def _first_state(self) -> GameState:
        if self.start is None:
            game_state = self.game.blank(self._options, self.seats, stream(self.seed, "deal"))
            self.game.array_rules.setup(game_state.cells)
            return game_state
        record = self._read_position(self.start)
        game_state = GameState(self.game, record)
        game_state.rekey(stream(self.seed, "deal"))
        self.game.array_rules.resume(game_state.cells)
        return game_state

    def _read_position(self, position: Mapping[str, Any]) -> Any:
        """Read a position; where its seats were a guess, its faults say so."""
        try:
            return self.game.positions.read(position, self._options, self.seats, self.seed)
        except BadPosition as error:
            if self._is_seats_told or self.game.min_seats == self.game.max_seats:
                raise
            people = f"{self.seats} seat{'' if self.seats == 1 else 's'}"
            raise BadPosition([*error.faults, ("", f"seats is left out: {people} assumed")]) from error

    # --- Where the game stands

    @property
    def ply(self) -> int:
        """How many decisions have been taken up to the present position."""
        return self._ply

    @property
    def last_ply(self) -> int:
        """How many decisions are kept; more than `ply` after an undo."""
        return len(self.history.moves)

    @property
    def options(self) -> dict[str, Written]:
        """All options as written values."""
        return self._options.write()

    @property
    def option_set(self) -> OptionSet:
        """The options as rules use them."""
        return self._options

    @property
    def seed_hash(self) -> str:
        """What may be published of the seed before the game is over."""
        return hash_of_seed(self.seed)

    @property
    def seat_to_move(self) -> int:
        """The seat whose decision it is, from 1; 0 when the game is over."""
        if self._mover < 0:
            self._mover = int(self.game.array_rules.turn_of(self._game_state.cells))
        return self._mover

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.seat_to_move == 0

    @property
    def round(self) -> int:
        """The round that is being played."""
        return int(self.game.array_rules.rounds(self._game_state.cells))

    @property
    def moves(self) -> list[str]:
        """The moves played up to the present ply, in canonical notation."""
        return [move.text for move in self.history.moves[: self._ply]]

    @property
    def movers(self) -> list[int]:
        """The seats that made them."""
        return [move.seat for move in self.history.moves[: self._ply]]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it runs."""
        return None if self.seat_to_move else self.game.outcome(self._game_state)

    def returns(self) -> list[float]:
        """Return what the game is worth to each seat, from -1 to 1; 0 while it runs."""
        return [
            float(self.game.array_rules.returns(self._game_state.cells, seat + 1))
            for seat in range(self.seats)
        ]

    def scores(self) -> list[int | float]:
        """Return the points of each seat where the game counts some, else what it is worth to it."""
        outcome = self.outcome
        return list(outcome.points or outcome.returns) if outcome else []

    def view(self) -> Any:
        """Return a record of the present state, hidden things included."""
        return self.observations.present(self._ply, self._game_state)

    def game_state(self) -> GameState:
        """Return a copy of the present state for a player program."""
        return self._game_state.copy()

    def dice(self, purpose: str) -> int:
        """Return the start of a random stream that belongs to the present ply; as secret as the seed."""
        return stream(self.seed, purpose, self._ply)

    def step(self, ply: int) -> tuple[GameState, int, int]:
        """Return the state at a ply that has been played, the action taken there, and by which seat."""
        move = self.history.moves[ply]
        return self.history.state(ply), move.action, move.seat

    def digest(self) -> str:
        """Return a hash of the state's bytes, the same on every machine and in both modes."""
        return hashlib.blake2b(self._game_state.to_bytes(), digest_size=16).hexdigest()

    def position(self) -> dict[str, Any]:
        """Return the whole position in notation, hidden things included."""
        return self.game.positions.write(self.view())

    # --- Moves

    def legal(self) -> list[int]:
        """Return the ids of the legal actions, ascending."""
        if self._legal is None:
            self._legal = self._game_state.legal()
        return self._legal

    def legal_texts(self) -> list[str]:
        """Return the legal moves in canonical notation, in the order of `legal`."""
        return [self.text(action) for action in self.legal()]

    def text(self, action: int) -> str:
        """Return an action in canonical notation."""
        return self.game.vocabulary.print_move(self.view(), action)

    def parse(self, text: str) -> int:
        """Return the action code of a move, which may be shortened where only one legal move fits.

        Raises `UnknownMove`, `UnknownCard`, `AmbiguousMove`, and `IllegalMove`
        where no action could stand for the move.  The action may be illegal.
        """
        try:
            return self.game.vocabulary.parse_move(self.view(), text)
        except UnknownMove as failure:
            texts = self.legal_texts()
            return self.legal()[texts.index(complete(text, texts, failure))]

    def why_not(self, move: str | int) -> Refusal | None:
        """Explain why a move is not possible here; None if it is legal.

        Raises `UnknownMove`, `UnknownCard`, `AmbiguousMove`.
        """
        try:
            self._legal_action(move)
        except IllegalMove as error:
            return refusal_of(error)
        return None

    def check(self, move: str | int, seat: int | None = None) -> CheckedMove:
        """Read a move of the present position and find it legal; `push` plays what this returns.

        `move` is text, which may be shortened, or an action code.  Raises `GameOver`, `NotYourTurn` where
        `seat` is not the one that is asked, `IllegalMove` with its clause, rule and blockers, `UnknownMove`,
        `UnknownCard`, `AmbiguousMove`.
        """
        mover = self.seat_to_move
        if mover == 0:
            raise GameOver("The game is over.")
        if seat is not None and seat != mover:
            raise NotYourTurn(f"It is seat {mover}'s decision, not seat {seat}'s.")
        action = self._legal_action(move)
        return CheckedMove(ply=self._ply, seat=mover, action=action, text=self.text(action))

    def _legal_action(self, move: str | int) -> int:
        """Return the action code of a legal move; raises `IllegalMove` with all of it, or as `parse`."""
        try:
            action = self.parse(move) if isinstance(move, str) else self._code(int(move))
        except IllegalMove as error:
            rule = self.game.clauses.get(error.clause).text.strip()
            raise IllegalMove(str(error), error.clause, error.text, error.blockers, rule) from error
        clause = int(self.game.array_rules.why_not(self._game_state.cells, action))
        if clause:
            refusal = self.refusal(action, clause)
            raise IllegalMove(
                refusal.sentence, refusal.clause, self.text(action), refusal.blockers, refusal.rule
            )
        return action

    def _code(self, action: int) -> int:
        """Return a number that is an action's code; raises `UnknownMove` for one that is none."""
        if not self._is_code(action):
            raise UnknownMove(f"{action} isn't an action.")
        return action

    def _is_code(self, action: int) -> bool:
        """Say whether a number is an action's id, or the code of a variant that some text stands for."""
        if 0 <= action < self.game.actions.size:
            return True
        try:
            return action > 0 and self.game.vocabulary.parse_move(self.view(), self.text(action)) == action
        except (BartizanError, ValueError):
            return False

    def refusal(self, action: int, clause: int) -> Refusal:
        """Explain to the seat that decides why a clause, by its number, forbids an action here."""
        return self.game.vocabulary.refusal(
            self.observations.observation(self.seat_to_move, self._ply), action, clause
        )

    def push(self, checked: CheckedMove) -> None:
        """Play a move that was checked in this position, by this `Match` or another at the same position.

        Nothing is parsed or checked again.  Raises `StalePly` for a move of another ply.
        """
        if checked.ply != self._ply:
            raise StalePly(
                f"{checked.text!r} was checked at ply {checked.ply}; the game stands at ply {self._ply}."
            )
        is_new_line = self._ply < self.last_ply
        self._game_state.rekey(stream(self.seed, "ply", self._ply))
        self.game.array_rules.apply(self._game_state.cells, checked.action)
        self.history.add(checked, self._game_state)
        if is_new_line:
            self.observations.forget_after(self._ply)
        self._ply += 1
        self._legal, self._mover = None, -1

    # --- Undo

    def undo(self) -> None:
        """Go back one ply; raises `NothingToUndo` at the first."""
        if self._ply == 0:
            raise NothingToUndo("There is nothing to undo.")
        self.go_to(self._ply - 1)

    def redo(self) -> None:
        """Go forward one ply again; raises `NothingToUndo` at the last."""
        if self._ply == self.last_ply:
            raise NothingToUndo("There is nothing to redo.")
        self.go_to(self._ply + 1)

    def go_to(self, ply: int) -> None:
        """Go to any ply that has been played; raises `NothingToUndo` for others."""
        if not 0 <= ply <= self.last_ply:
            raise NothingToUndo(f"There is no ply {ply}; the game has plies 0 to {self.last_ply}.")
        self._game_state.unpack(self.history.states[ply])
        self._ply = ply
        self._legal, self._mover = None, -1

    def result(self) -> str:
        """Return who has won as a word; ``none`` while the game runs, ``1, 3`` for several."""
        winner = self.winner()
        return ", ".join(map(str, winner)) if isinstance(winner, list) else str(winner)

    def winner(self) -> str | int | list[int]:
        """Return who has won, as positions write it; ``none`` while the game runs."""
        return cast("str | int | list[int]", self.game.winner(self.view()))
