"""Play one game: moves, undo to any ply, views, records.

Terminal, server and tests all go through `Match`, so they cannot disagree.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import msgspec

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
from bartizan.engine.fairness import Fairness
from bartizan.engine.game import Game, Live
from bartizan.engine.layout import Flown, Spot, TableLayout, ThrowingGame, is_throw
from bartizan.engine.notation import complete
from bartizan.engine.options import OptionSet, Written
from bartizan.engine.outcome import Outcome
from bartizan.engine.rng import stream
from bartizan.engine.scene import Hint, LogLine, Refusal, Scene, Setting
from bartizan.engine.settlement import Settlement
from bartizan.match import throwing
from bartizan.match.evaluate import HINT_ITERATIONS, MoveEstimate, MoveEvaluator
from bartizan.match.history import CheckedMove, History
from bartizan.match.observations import LOG_LINES, Observations
from bartizan.match.record import GameRecord
from bartizan.match.throwing import Aim
from bartizan.search import players


def check_seed(seed: str) -> str:
    """Return a seed in its one form: lower case, without ``0x``.

    Raises `BadSeed` for anything but 1 to 32 hexadecimal digits.
    """
    word = seed.strip().lower().removeprefix("0x")
    if not re.fullmatch(r"[0-9a-f]{1,32}", word):
        raise BadSeed(f"{seed!r} is no seed: a seed is 1 to 32 hexadecimal digits (0 to 9, a to f).")
    return word


def hash_of_seed(seed: str) -> str:
    """Return what may be published of a seed before the game is over."""
    return hashlib.blake2b(f"bartizan seed {seed}".encode(), digest_size=16).hexdigest()


class Match:
    """One game between its first and its last ply.

    `play`, `check` and `why_not` take moves as text or as action codes.  States are kept
    for every ply, so undo and jumps cost nothing and give the same bytes.
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
        self._live = self._first_state()
        self._history = History(self.game, self._live)
        self._observations = Observations(self.game, self._history, self.seed)
        self.settlement: Settlement | None = None  # how its players ended it at the last ply
        self._ply = 0
        self._legal: list[int] | None = None
        self._mover = -1  # whose decision it is, once it was asked for

    def _first_state(self) -> Live:
        if self.start is None:
            live = self.game.blank(self._options, self.seats, stream(self.seed, "deal"))
            self.game.border.setup(live.cells)
            return live
        twin = self._read_position(self.start)
        live = Live(self.game, twin)
        live.rekey(stream(self.seed, "deal"))
        self.game.border.resume(live.cells)
        return live

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
        return len(self._history.moves)

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
            self._mover = int(self.game.border.turn_of(self._live.cells))
        return self._mover

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.seat_to_move == 0

    @property
    def round(self) -> int:
        """The round that is being played."""
        return int(self.game.border.rounds(self._live.cells))

    @property
    def moves(self) -> list[str]:
        """The moves played up to the present ply, in canonical notation."""
        return [move.text for move in self._history.moves[: self._ply]]

    @property
    def movers(self) -> list[int]:
        """The seats that made them."""
        return [move.seat for move in self._history.moves[: self._ply]]

    @property
    def outcome(self) -> Outcome | None:
        """What the game came to; None while it runs."""
        return None if self.seat_to_move else self.game.outcome(self._live)

    def returns(self) -> list[float]:
        """Return what the game is worth to each seat, from -1 to 1; 0 while it runs."""
        return [float(self.game.border.returns(self._live.cells, seat + 1)) for seat in range(self.seats)]

    def scores(self) -> list[int | float]:
        """Return the points of each seat where the game counts some, else what it is worth to it."""
        outcome = self.outcome
        return list(outcome.points or outcome.returns) if outcome else []

    def view(self) -> Any:
        """Return a twin of the present state, hidden things included."""
        return self._observations.present(self._ply, self._live)

    def live(self) -> Live:
        """Return a copy of the present state for a player program."""
        return self._live.copy()

    def dice(self, purpose: str) -> int:
        """Return the start of a random stream that belongs to the present ply; as secret as the seed."""
        return stream(self.seed, purpose, self._ply)

    def step(self, ply: int) -> tuple[Live, int, int]:
        """Return the state at a ply that has been played, the action taken there, and by which seat."""
        move = self._history.moves[ply]
        return self._history.state(ply), move.action, move.seat

    def digest(self) -> str:
        """Return a hash of the state's bytes, the same on every machine and in both modes."""
        return hashlib.blake2b(self._live.to_bytes(), digest_size=16).hexdigest()

    def position(self) -> dict[str, Any]:
        """Return the whole position in notation, hidden things included."""
        return self.game.positions.write(self.view())

    # --- Moves

    def legal(self) -> list[int]:
        """Return the ids of the legal actions, ascending."""
        if self._legal is None:
            self._legal = self._live.legal()
        return self._legal

    def legal_texts(self) -> list[str]:
        """Return the legal moves in canonical notation, in the order of `legal`."""
        return [self.text(action) for action in self.legal()]

    def texts_by_hand(self) -> list[str]:
        """Return the moves that a person makes: where cards are thrown here, throws in place of reports."""
        here = self.throwing
        if here is None:
            return self.legal_texts()
        texts = [self.text(action) for action in self.legal() if not here.is_report(action)]
        may_throw = len(texts) < len(self.legal())
        return [*texts, *(here.throws(self.view()) if may_throw else ())]

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
            if is_throw(move):
                self.read_throw(str(move))
            else:
                self._legal_action(move)
        except IllegalMove as error:
            return Refusal(clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers)
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
        clause = int(self.game.border.why_not(self._live.cells, action))
        if clause:
            refusal = self._refusal(action, clause)
            raise IllegalMove(
                refusal.sentence, refusal.clause, self.text(action), refusal.blockers, refusal.rule
            )
        return action

    def _code(self, action: int) -> int:
        """Return a number that is an action's code; raises `UnknownMove` for one that is none."""
        if not self._is_code(action):
            raise UnknownMove(f"{action} is no action.")
        return action

    def _is_code(self, action: int) -> bool:
        """Say whether a number is an action's id, or the code of a variant that some text stands for."""
        if 0 <= action < self.game.actions.size:
            return True
        try:
            return action > 0 and self.game.vocabulary.parse_move(self.view(), self.text(action)) == action
        except (BartizanError, ValueError):
            return False

    def _refusal(self, action: int, clause: int) -> Refusal:
        return self.game.vocabulary.refusal(
            self._observations.observation(self.seat_to_move, self._ply), action, clause
        )

    def why_not_items(self, items: Sequence[str]) -> Refusal:
        """Explain why touching these things makes no move."""
        observation = self._observations.observation(self.seat_to_move, self._ply)
        begins_a_move = False
        for move in self.game.intents(observation, items):
            if isinstance(move, str):
                refusal = self.why_not(move)
            else:
                clause = int(self.game.border.why_not(self._live.cells, move))
                refusal = self._refusal(move, clause) if clause else None
            if refusal is not None:
                return refusal
            if not isinstance(move, str) and move not in self._offered():
                return Refusal(clause="", sentence=f"Type this move to play it: {self.text(move)}.")
            begins_a_move = True
        together = len(items) > 1
        sentence = "These do not make a move together." if together else "This makes no move."
        id_ = self.game.vocabulary.phase(observation).refuses if together or not begins_a_move else ""
        rule = self.game.clauses.get(id_).text.strip() if id_ else ""
        return Refusal(clause=id_, sentence=sentence, rule=rule, blockers=tuple(items))

    def _offered(self) -> set[int]:
        """Return the actions that touching things can mean."""
        return {choice.action for choice in self.scene(self.seat_to_move).choices}

    def play(self, move: str | int, seat: int | None = None) -> str:
        """Play a move and return its canonical text.

        Raises what `check` raises; the game is then as it was.
        """
        checked = self._made(move, seat) or self.check(move, seat)
        self.push(checked)
        return checked.text

    def push(self, checked: CheckedMove) -> None:
        """Play a move that was checked in this position, here or in another `Match` that stands there.

        Nothing is parsed or checked again.  Raises `StalePly` for a move of another ply.
        """
        if checked.ply != self._ply:
            raise StalePly(
                f"{checked.text!r} was checked at ply {checked.ply}; the game stands at ply {self._ply}."
            )
        is_new_line = self._ply < self.last_ply
        self._live.rekey(stream(self.seed, "ply", self._ply))
        self.game.border.apply(self._live.cells, checked.action)
        self._history.add(checked, self._live)
        if is_new_line:
            self._observations.forget_after(self._ply)
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
        self._live.unpack(self._history.states[ply])
        self._ply = ply
        self._legal, self._mover = None, -1

    def revealed_information(self) -> bool:
        """Say whether the last move showed its seat something that it could not know before: a drawn card."""
        return self._observations.revealed_information(self._ply)

    def revealed_since(self, seat: int, ply: int) -> bool:
        """Say whether what came after a ply showed a seat something that it could not know there."""
        return self._observations.revealed_since(seat, ply, self._ply)

    # --- Views

    @cached_property
    def setting(self) -> Setting:
        """What of the table stays the same through the game."""
        setting = self.game.setting(self._options, self.seats)
        if self.throwing is None:
            return setting
        return msgspec.structs.replace(setting, throwing=self.throwing.aids(self._options))

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        """Return what `seat` (0: a spectator) sees; choices only for the seat that is asked."""
        makers = self.game.scenes
        observation = self._observations.observation(seat, self._ply)
        asked = choices and seat != 0 and seat == self.seat_to_move
        status = makers.status(observation, seat, self._ply)
        scene = makers.scene(observation, seat, self.legal() if asked else (), status)
        outcome = self.outcome
        result = makers.result(observation, outcome) if outcome else None
        scene = msgspec.structs.replace(
            scene, log=self.log(seat), result=result, layout=self.layout(observation), flown=self.flown
        )
        if self.settlement is None or result is not None or self._ply < self.last_ply:
            return scene
        return self.settlement.shown(scene, self.setting.seat_names)

    # --- Throws made at the table (see `bartizan.match.throwing`)

    def read_throw(self, text: str, seat: int | None = None) -> Aim:
        """Read a throw of the present position and find it possible; raises what `check` raises."""
        return throwing.read_throw(self, text, seat)

    def _made(self, move: str | int, seat: int | None) -> CheckedMove | None:
        """Make a throw that a move asks for, and return the move that reports it; None for other moves."""
        if not is_throw(move):
            return None
        return self.check_throw(self.read_throw(str(move), seat).fly())

    def check_throw(self, flown: Flown) -> CheckedMove:
        """Return the move that reports a throw, with its flight; `push` plays it."""
        return throwing.checked(self, flown)

    def check_flown(self, move: CheckedMove, flown: Flown) -> CheckedMove:
        """Put a kept flight beside the report of it; raises `UnknownMove` where they do not agree."""
        return throwing.check_flown(self, move, flown)

    def check_by_hand(self, move: str | int, seat: int | None = None) -> CheckedMove:
        """Check a move that a person makes, who throws a card where cards are thrown here, and reports none.

        What comes of a throw is in the move that this returns, so it takes some milliseconds.
        """
        made = self._made(move, seat)
        if made is not None:
            return made
        checked = self.check(move, seat)
        throwing.refuse_report(self, checked)
        return checked

    @cached_property
    def throwing(self) -> ThrowingGame | None:
        """What tells of throws at this table; None where none is made here, but reported from a real one."""
        game = self.game.throwing
        return game if game is not None and game.is_thrown(self._options) else None

    @property
    def is_thrown(self) -> bool:
        """Whether cards are thrown at this table, and not reported from a real one."""
        return self.throwing is not None

    @property
    def flown(self) -> Flown | None:
        """The throw that led to the present position, if one did."""
        return self._history.moves[self._ply - 1].flown if self._ply else None

    def layout(self, observation: Any = None) -> TableLayout | None:
        """Return where things stand, moved ones where they were pushed; None where nothing is thrown here."""
        if self.throwing is None:
            return None
        spots: dict[str, Spot] = {}
        for move in self._history.moves[: self._ply]:
            if move.flown is not None:
                spots.update(move.flown.moved)
        return self.throwing.table_layout(self.view() if observation is None else observation, spots)

    def log(self, seat: int, lines: int = LOG_LINES) -> tuple[LogLine, ...]:
        """Return the last plies as `seat` saw them."""
        first = max(0, self._ply - lines)
        return tuple(self._observations.line(seat, ply) for ply in range(first + 1, self._ply + 1))

    def hints(self, n: int = 3, player: str = "search", iterations: int = HINT_ITERATIONS) -> list[Hint]:
        """Return up to `n` recommended moves, the best first, each with a reason and its chance to win.

        They are searched for, by what the seat to move can know and always with the same dice.
        ``player="greedy"`` goes by the game's advice alone, which takes no time; nor does a forced move.
        """
        if self.is_over:
            return []
        legal = self.legal()
        if player == "greedy" or len(legal) == 1:
            ranked = players.rank(self.game, self._live, legal)
            found = [MoveEstimate(action, 0) for action, _ in ranked]
        else:
            counsel = MoveEvaluator(self.game, self._live, legal, iterations, self.dice("counsel"))
            found = counsel.estimates()
        return [self._hint(estimate) for estimate in found[:n]]

    def _hint(self, estimate: MoveEstimate) -> Hint:
        action, chances = estimate.action, estimate.chances
        shown, text = throwing.hinted(self, action)
        return Hint(
            action=shown,
            text=text,
            reason=self.reason(action),
            chance=chances[self.seat_to_move - 1] if chances else None,
            visits=estimate.visits,
        )

    def reason(self, action: int) -> str:
        """Say in one sentence what speaks for an action, from what the seat to move can see."""
        return self.game.vocabulary.reason(
            self._observations.observation(self.seat_to_move, self._ply), action
        )

    def record(
        self,
        *,
        secret_seed: bool = False,
        settlement: Settlement | None = None,
        fairness: Fairness | None = None,
    ) -> GameRecord:
        """Return the game so far as a record; a running game's holds the seed only on demand.

        `settlement` tells how its players have ended it.  `fairness` tells how its deal came about: then a
        running game's record has no hash of the seed alone, from which a short one could be found by trying.
        """
        settled = None if self.is_over else settlement or self.settlement
        returns = settled.outcome(self.seats).returns if settled else tuple(self.returns())
        show = secret_seed or self.is_over
        return GameRecord(
            game=self.game.name,
            rules=self.game.rules_version,
            seats=self.seats,
            seed=self.seed if show else None,
            seed_hash=self.seed_hash if show or fairness is None else "",
            options=self.options,
            position=self.start,
            moves=tuple(self.moves),
            result=self.result(),
            scores=returns if settled else tuple(self.scores()),
            returns=returns if self.is_over or settled else (),
            settled=settled,
            throws={
                str(ply): move.flown
                for ply, move in enumerate(self._history.moves[: self._ply], start=1)
                if move.flown is not None
            },
            fairness=fairness,
        )

    def result(self) -> str:
        """Return who has won as a word; ``none`` while the game runs, ``1, 3`` for several."""
        winner = self.winner()
        return ", ".join(map(str, winner)) if isinstance(winner, list) else str(winner)

    def winner(self) -> str | int | list[int]:
        """Return who has won, as positions write it; ``none`` while the game runs."""
        return cast("str | int | list[int]", self.game.winner(self.view()))

    @classmethod
    def of(cls, record: GameRecord, ply: int | None = None) -> Match:
        """Replay a record, up to a ply if one is given.

        Raises `CorruptRecord` with the ply at which a move stops being legal.
        """
        match = cls(record.game, record.options, record.seats, record.need_seed(), record.position)
        record.check_rules(match.game.rules_version)
        record.check_throws()
        record.check_settled()
        for number, move in enumerate(record.moves[:ply], start=1):
            try:
                checked = match.check(move)
                flown = record.throws.get(str(number))
                match.push(checked if flown is None else match.check_flown(checked, flown))
            except Exception as error:
                raise record.corrupt(number, move, error) from error
        match.settlement = record.settled if ply is None else None
        return match
