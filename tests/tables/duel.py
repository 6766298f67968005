"""A small game for several seats with hidden hands, so that tests see what a game for one cannot show.

Everybody holds three cards. A turn is one or two cards, each played face up or buried face down,
then ``end``. The game is over when all hands are empty.
"""

from __future__ import annotations

import copy
import hashlib
import random
import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import msgspec

from bartizan.engine.chain import GameLog
from bartizan.engine.errors import (
    BadSeats,
    GameOver,
    IllegalMove,
    NothingToUndo,
    NotYourTurn,
    StalePly,
    UnknownGame,
    UnknownMove,
    UnknownOption,
    UnknownPlayer,
    nearest,
)
from bartizan.engine.fairness import Fairness
from bartizan.engine.layout import Flown
from bartizan.engine.levels import Level
from bartizan.engine.options import OptionSet, option
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    Analysis,
    Choice,
    Hint,
    Item,
    LogLine,
    Refusal,
    Result,
    Scene,
    Setting,
    Status,
    Verdict,
    Zone,
)
from bartizan.engine.settlement import Settlement
from bartizan.match import CheckedMove
from bartizan.tables.messages import Preparation
from bartizan.tables.provider import Program, Terms
from bartizan.tables.turns import refusal_of

if TYPE_CHECKING:
    from bartizan.compile.targets import Target
    from bartizan.engine.game import Game
    from bartizan.match import Match
    from bartizan.match.aim import Aim

END, BURY = 0, 100


class Clauses:
    term = ()
    line, minutes, difficulty = "Try both hands.", None, 0

    def all(self) -> Sequence[Any]:
        return ()


class DuelOptions(OptionSet, frozen=True, kw_only=True):
    high: Annotated[bool, option("Cards count double.")] = False


class Duel:
    name, title, author, summary = "duel", "Duel", "nobody", "Two hands and no chance."
    min_seats, max_seats, rules_version = 2, 3, 1
    emblem = ""
    perfect_information = False
    picture, chance = b"", False
    has_lessons = has_puzzles = False
    option_set = DuelOptions
    options = DuelOptions.specs()
    clauses = Clauses()

    player_levels = (Level("sage", milliseconds=1500),)

    def players(self) -> Sequence[str]:
        return ("random", "greedy", "sage")

    def check_player(self, name: str, others: Sequence[str] = ()) -> str:
        known = [*others, *self.players()]
        if name not in known:
            raise UnknownPlayer(f"There is no player {name!r}.{nearest(name, known)}")
        return name

    def check_programs(self, options: Mapping[str, object], seats: int) -> None:
        pass


class State(msgspec.Struct):
    hands: list[list[int]]
    shown: list[list[int]]
    buried: list[list[int]]
    turn: int = 1
    spent: int = 0


class Record(msgspec.Struct):
    moves: list[str]
    seed: str
    position: None = None

    def text(self) -> str:
        return "\n".join([self.seed, *self.moves]) + "\n"


class DuelMatch:
    def __init__(self, options: Mapping[str, object], seats: int | None, seed: str | None) -> None:
        for key in options:
            if key != "high":
                raise UnknownOption(f"There is no option {key!r}.{nearest(key, ['high'])}")
        self.game = Duel()
        self.options: dict[str, Any] = {"high": bool(options.get("high", False))}
        self.seats = seats or 2
        if not 2 <= self.seats <= 4:
            raise BadSeats("Duel is for 2 to 4 seats.")
        self.seed = seed or secrets.token_hex(16)
        self.seed_hash = hashlib.sha256(self.seed.encode()).hexdigest()[:32]
        cards = list(range(1, 4 * self.seats + 1))
        random.Random(f"duel {self.seed}").shuffle(cards)
        hands = [sorted(cards[3 * seat : 3 * seat + 3]) for seat in range(self.seats)]
        self.states = [State(hands, [[] for _ in hands], [[] for _ in hands])]
        self.actions: list[int] = []
        self.movers: list[int] = []
        self.ply = 0

    @property
    def last_ply(self) -> int:
        return len(self.actions)

    @property
    def state(self) -> State:
        return self.states[self.ply]

    @property
    def is_over(self) -> bool:
        return not any(self.state.hands)

    @property
    def seat_to_move(self) -> int:
        return 0 if self.is_over else self.state.turn

    @property
    def moves(self) -> list[str]:
        return [self.text(action) for action in self.actions[: self.ply]]

    def legal(self) -> list[int]:
        return [action for action in range(BURY + 4 * self.seats + 1) if not self._fault(action)]

    def _fault(self, action: int) -> str:
        state = self.state
        if action == END:
            return "" if state.spent or not state.hands[state.turn - 1] else "DUE-1"
        if action % BURY not in state.hands[state.turn - 1] or action > 2 * BURY:
            return "DUE-2"
        return "DUE-3" if state.spent >= 2 else ""

    def parse(self, text: str) -> int:
        verb, _, number = text.partition(" ")
        if text == "end":
            return END
        if verb in ("play", "bury") and number.isdecimal() and 0 < int(number) < BURY:
            return int(number) + (BURY if verb == "bury" else 0)
        raise UnknownMove(f"{text!r} isn't a move.{nearest(text, ['play', 'bury', 'end'])}")

    def text(self, action: int) -> str:
        if action == END:
            return "end"
        return f"bury {action - BURY}" if action > BURY else f"play {action}"

    def check(self, move: str | int, seat: int | None = None) -> CheckedMove:
        if self.is_over:
            raise GameOver("The game is over.")
        if seat not in (None, self.seat_to_move):
            raise NotYourTurn("Not yet.")
        action = self.parse(move) if isinstance(move, str) else move
        if clause := self._fault(action):
            raise IllegalMove("That cannot be.", clause, self.text(action))
        return CheckedMove(ply=self.ply, seat=self.seat_to_move, action=action, text=self.text(action))

    @property
    def views(self) -> DuelMatch:
        return self

    @property
    def throws(self) -> DuelMatch:
        return self

    def check_by_hand(self, move: str | int, seat: int | None = None) -> CheckedMove:
        return self.check(move, seat)

    def read(self, text: str, seat: int | None = None) -> Aim:
        raise UnknownMove("Nothing is thrown here.")

    def check_reported(self, flown: Flown) -> CheckedMove:
        raise UnknownMove("Nothing is thrown here.")

    def check_flown(self, move: CheckedMove, flown: Flown) -> CheckedMove:
        raise UnknownMove("Nothing is thrown here.")

    def push(self, checked: CheckedMove) -> None:
        if checked.ply != self.ply:
            raise StalePly("Another ply's move.")
        action, state = checked.action, copy.deepcopy(self.state)
        hand = state.turn - 1
        if action == END:
            state.turn = state.turn % self.seats + 1
            state.spent = 0
        else:
            state.hands[hand].remove(action % BURY)
            (state.buried if action > BURY else state.shown)[hand].append(action % BURY)
            state.spent += 1
        del self.actions[self.ply :], self.movers[self.ply :], self.states[self.ply + 1 :]
        self.actions.append(action)
        self.movers.append(checked.seat)
        self.states.append(state)
        self.ply += 1

    def undo(self) -> None:
        self.go_to(self.ply - 1)

    def redo(self) -> None:
        self.go_to(self.ply + 1)

    def go_to(self, ply: int) -> None:
        if not 0 <= ply <= self.last_ply:
            raise NothingToUndo(f"There is no ply {ply}.")
        self.ply = ply

    def revealed_information(self) -> bool:
        return False  # nothing is drawn

    def revealed_since(self, seat: int, ply: int) -> bool:
        # Only a card of another that was played face up shows something.
        moves = zip(self.movers[ply : self.ply], self.actions[ply : self.ply], strict=True)
        return any(mover != seat and END < action < BURY for mover, action in moves)

    @property
    def outcome(self) -> Outcome | None:
        result = self._result()
        return result.outcome if result else None

    def why_not(self, move: str | int) -> Refusal | None:
        try:
            self.check(move)
        except IllegalMove as error:
            return refusal_of(error)
        return None

    def why_not_items(self, items: Sequence[str]) -> Refusal:
        return Refusal(clause="", sentence="These make no move.", blockers=tuple(items))

    def hints(self, n: int = 3) -> list[Hint]:
        return [Hint(action=action, text=self.text(action)) for action in self.legal()[-1:]]

    def scene(self, seat: int, *, choices: bool = True) -> Scene:
        state = self.state
        zones = []
        for owner in range(1, self.seats + 1):
            hand = state.hands[owner - 1]
            items = tuple(
                Item(id=f"c{card}", face=str(card))
                if owner == seat
                else Item(id=f"hand{owner}:{at}", back="b")
                for at, card in enumerate(hand)
            )
            zones.append(Zone(id=f"hand{owner}", kind="fan", label="Hand", owner=owner, items=items))
            shown = tuple(Item(id=f"c{card}", face=str(card)) for card in state.shown[owner - 1])
            zones.append(Zone(id=f"shown{owner}", kind="row", label="Shown", owner=owner, items=shown))
            zones.append(
                Zone(id=f"b{owner}", kind="counter", label="Down", count=len(state.buried[owner - 1]))
            )
        offered = self.legal() if choices and seat and seat == self.seat_to_move else []
        return Scene(
            seat=seat,
            status=Status(
                ply=self.ply,
                seat=self.seat_to_move,
                phase="turn",
                prompt=f"You are seat {seat}." if seat else "They play.",
            ),
            zones=tuple(zones),
            choices=tuple(
                Choice(action=action, text=self.text(action), verb=self.text(action).split()[0])
                for action in offered
            ),
            log=tuple(self.log(seat, 5)),
            result=self._result(),
        )

    def _result(self) -> Result | None:
        outcome = Outcome(winners=(), returns=(0.0,) * self.seats)
        return Result(outcome=outcome, headline="Over.") if self.is_over else None

    @property
    def setting(self) -> Setting:
        names = tuple(f"Seat {seat}" for seat in range(1, self.seats + 1))
        return Setting(game="duel", title="Duel", seats=self.seats, seat_names=names)

    def log(self, seat: int, lines: int = 12) -> Sequence[LogLine]:
        return tuple(
            LogLine(
                ply=ply + 1,
                seat=self.movers[ply],
                move="bury a card"
                if self.actions[ply] > BURY and seat != self.movers[ply]
                else self.text(self.actions[ply]),
            )
            for ply in range(max(0, self.ply - lines), self.ply)
        )

    def record(
        self,
        *,
        secret_seed: bool = False,
        settlement: Settlement | None = None,
        fairness: Fairness | None = None,
        log: GameLog | None = None,
        known: Collection[str] | None = None,
    ) -> Any:
        return Record(self.moves, self.seed if secret_seed or self.is_over else self.seed_hash)


class DuelPlayer:
    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, match: Match) -> CheckedMove:
        legal = match.legal()
        if self.name == "sage":
            time.sleep(Duel.player_levels[0].milliseconds / 1000)
        return match.check(random.choice(legal) if self.name == "random" else legal[-1])


class DuelProvider:
    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    async def prepare(self, name: str, target: Target) -> None:
        assert name == "duel"

    def preparation(self, name: str, target: Target) -> Preparation | None:
        return None

    def target_for(self, game: str, player: str) -> Target:
        return "table"

    def names(self) -> Sequence[str]:
        return ["duel"]

    def broken(self) -> Mapping[str, str]:
        return {}

    def game(self, name: str) -> Game:
        if name != "duel":
            raise UnknownGame(f"There is no game {name!r}.{nearest(name, self.names())}")
        return cast("Game", Duel())

    def terms(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Terms:
        match = DuelMatch(options, seats, seed)
        return Terms(match.options, match.seats, match.seed, match.seed_hash)

    def match(self, game: str, options: Mapping[str, object], seats: int | None, seed: str | None) -> Match:
        return cast("Match", DuelMatch(options, seats, seed))

    def game_of(self, text: str) -> str:
        return "duel"

    def plies_of(self, text: str) -> int:
        return max(0, len(text.splitlines()) - 1)

    def replay(self, text: str) -> Match:
        seed, *moves = text.splitlines()
        match = DuelMatch({}, None, seed)
        for move in moves:
            match.push(match.check(move))
        return cast("Match", match)

    def player(self, game: str, name: str) -> Program:
        return DuelPlayer(name)

    def verdicts(self, match: Match) -> Iterator[Verdict]:
        movers = cast(DuelMatch, match).movers[: match.ply]
        for ply, (mover, move) in enumerate(zip(movers, match.moves, strict=True), 1):
            even = (1 / match.seats,) * match.seats
            yield Verdict(ply=ply, seat=mover, move=move, label=move, chances=even, played=even[0])

    def conclude(self, match: Match, verdicts: Sequence[Verdict], settlement: Outcome | None) -> Analysis:
        returns = settlement.returns if settlement else ()
        return Analysis(verdicts=tuple(verdicts), end=tuple((1 + each) / 2 for each in returns))
