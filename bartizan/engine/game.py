"""Describe a game to everything above the engine.

The terminal, the server, computer players and the Lab know games only as `Game` objects.  The parts of a
game's folder are imported when they are first needed, so that a list of games
costs nothing.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, cast

import msgspec
import numpy as np

from bartizan.engine import levels, playtest, throws
from bartizan.engine.actions import ActionSpace
from bartizan.engine.assembly import GUARD, Modules, bind_rules, verbs_in
from bartizan.engine.bind import bind, register, register_observer
from bartizan.engine.errors import (
    BadSeats,
    UnknownGame,
    UnknownOption,
    UnknownPlayer,
    nearest,
)
from bartizan.engine.game_parts import GameParts
from bartizan.engine.game_state import GameState, packed
from bartizan.engine.layout import ThrowingGame
from bartizan.engine.levels import DEFAULT_LEVELS, TOP, Level
from bartizan.engine.mode import COMPILED
from bartizan.engine.notation.codec import PositionCodec
from bartizan.engine.observation import ObservationLayout, TokenLayout
from bartizan.engine.options import OptionSet, OptionSpec, flat
from bartizan.engine.outcome import Outcome
from bartizan.engine.record import Record
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Hint, Motion, Result, Scene, Setting, Status
from bartizan.engine.trial import require_trial
from bartizan.engine.words import Verb, Vocabulary

# What a game's ``scene.py`` must have, as in `SceneMaker`.
DRAWS = ("setting", "status", "scene", "result")
ANY_OUTCOME = "any"  # instead of a skill level: the throw has a random result, each report equally likely


class SceneMaker(Protocol):
    """What a game's ``scene.py`` provides; `observation` is a record with everything unknown blanked out."""

    def setting(self, options: Any, seats: int) -> Setting:
        """Return what stays the same through a game; the engine adds the game's name, title and seats."""

    def scene(self, observation: Any, seat: int, actions: Sequence[int], status: Status) -> Scene:
        """Draw the table; `actions` are the legal ones, empty for a seat whose turn it isn't."""

    def result(self, observation: Any, outcome: Outcome) -> Result:
        """Say how a finished game ended."""

    def status(self, observation: Any, seat: int, ply: int) -> Status:
        """Return the game's progress and the prompt."""


class Observer(Protocol):
    """What a game's ``observe.py`` provides (see `bartizan.engine.observation`)."""

    OBSERVATION: ObservationLayout
    TOKENS: TokenLayout

    def observe(self, s: Any, seat: int, out: Any) -> None:
        """Write what a seat (0: a spectator) observes of a blanked state to `out`, which holds zeros."""

    def tokens(self, s: Any, action: int, out: Any) -> None:
        """Write the tokens of a legal action of a blanked state to `out`, which holds zeros."""


POLICY = "policy:"  # begins the name of a player that is a trained policy, followed by its file


class Guest(NamedTuple):
    """A player program from elsewhere, such as a file."""

    make: Callable[[int], Any]  # makes a `bartizan.search.players.Player` from a seed
    digest: str  # of its file


@dataclass(frozen=True)
class Game(GameParts):
    """One game: its name, its folder, and how many can play."""

    name: str  # in lower case, with dashes
    package: str  # the Python package of its parts
    min_seats: int
    max_seats: int
    chance: bool = True  # whether anything is random: a deal, a deck, dice
    throws: bool = False  # whether moves report throws, which programs make with the game's thrower
    rules_in: tuple[str, ...] = ("rules", "phases")  # the modules that contain its rules
    words_in: tuple[str, ...] = ("words",)  # the modules with the words of its verbs, its events and intents
    seat_names: tuple[str, ...] = ()  # for a short game, the names of its seats
    # Its silhouette in a list of games, as in a theme's `art`; without one, cards represent the game.
    emblem: str = ""
    rules_version: int = 1  # raised when a change of the rules makes old records play differently

    def __post_init__(self) -> None:
        """Raise `BadSeats` if no number of seats is possible, or seats lack names of their own."""
        numbers = (self.min_seats, self.max_seats)
        if not all(isinstance(each, int) for each in numbers) or not 1 <= self.min_seats <= self.max_seats:
            raise BadSeats(
                f"The game {self.name!r} has min_seats={self.min_seats!r} and max_seats={self.max_seats!r}; "
                "they must be whole numbers from 1, the smaller one first."
            )
        if self.seat_names and not len(set(self.seat_names)) == len(self.seat_names) == self.max_seats:
            raise BadSeats(f"seat_names must be {self.max_seats} different names, not {self.seat_names!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by name: a game's parts are modules, which are neither copied nor pickled."""
        return _game_of, (self.package,)

    @property
    def title(self) -> str:
        """The game's title."""
        return self.clauses.title

    @property
    def author(self) -> str:
        """Who invented the game."""
        return self.clauses.author

    @property
    def summary(self) -> str:
        """A summary of the game in a sentence or two."""
        return self.clauses.summary

    @cached_property
    def picture(self) -> bytes:
        """The game's picture, an SVG that is twice as wide as high; empty without a ``picture.svg``."""
        path = self.folder / "picture.svg"
        return path.read_bytes() if path.is_file() else b""

    @cached_property
    def option_set(self) -> type[OptionSet]:
        """The Struct of the game's options; raises `BadOption` if one is declared wrongly."""
        options = cast(type[OptionSet], self._named("options", "Options"))
        options.specs()
        return options

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        """The description of every option."""
        return self.option_set.specs()

    @property
    def rule_modules(self) -> Modules:
        """The modules that contain its rules, including derived ones."""
        return self._modules(self.rules_in)

    @cached_property
    def rules(self) -> types.ModuleType:
        """The rules as the engine calls them; raises `UnfinishedGame` if some are missing."""
        module = types.ModuleType(f"{self.package}.api")
        module.__file__ = str(self.folder / "api.py")  # compiled code is cached with the game's own
        bind_rules(self.rule_modules, self.actions, module)
        visibility = (
            self.visibility if self._has_part("visibility") else types.ModuleType("visibility")
        )  # not written yet
        register(self.name, module, visibility, self.heuristics, self.thrower, self.playtest)
        return module

    @property
    def is_bound(self) -> bool:
        """Whether its rules are in use in this process."""
        return "rules" in vars(self)

    @cached_property
    def state(self) -> type[Record]:
        """The record that holds a whole table."""
        return cast(type[Record], self._named("state", "State"))

    @cached_property
    def actions(self) -> ActionSpace:
        """The numbering of the game's actions."""
        return cast(ActionSpace, self._named("state", "ACTIONS"))

    @cached_property
    def max_legal(self) -> int:
        """The length of arrays for legal actions."""
        return cast(int, self._named("state", "MAX_LEGAL"))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of its verbs: moves as text, choices, refusals."""
        words, phases = self._words, self._named("phases", "PHASES")
        look = words.find("Look")
        if isinstance(look, type) and issubclass(look, Verb):
            look = None  # the words of a verb called look
        extra = {
            "look": look,
            "misread": words.find("misread"),
            "why_not_in_phase": self._named("phases", GUARD) if phases.first else None,
        }
        return Vocabulary(
            self.actions,
            self.clauses,
            phases,
            self._named("phases", "phase_of"),
            verbs_in(words, self.actions),
            **{name: each for name, each in extra.items() if each is not None},
        )

    @cached_property
    def _words(self) -> Modules:
        return self._modules(self.words_in)

    @cached_property
    def positions(self) -> PositionCodec:
        """The codec of its positions."""
        return cast(PositionCodec, self._named("position", "POSITION"))

    def winner(self, view: Any) -> Any:
        """Return who has won as positions write it, without writing the rest of the position."""
        return self.positions.value(view, "winner")

    @cached_property
    def visibility(self) -> Any:
        """What a seat can't know: ``blank(s, seat)``, which decides what people and programs see.

        Raises `UnfinishedGame` where it is missing.
        """
        self._named("visibility", "blank")
        return self._part("visibility")

    @cached_property
    def _plain_sight(self) -> Any:
        return interpreted(self.visibility)

    def observe(self, view: Any, seat: int) -> Any:
        """Return a copy of a state with everything erased that `seat` (0: a spectator) can't know."""
        copy = view.copy()
        self._plain_sight.blank(copy, seat)
        return copy

    @property
    def perfect_information(self) -> bool:
        """Whether all seats always know everything."""
        return bool(getattr(self.visibility, "PERFECT_INFORMATION", False))

    @property
    def has_observer(self) -> bool:
        """Whether the game defines what programs observe."""
        return self._has_part("observe")

    @cached_property
    def observer(self) -> Observer:
        """What programs observe; raises `UnknownGame` if the game doesn't define it."""
        if not self.has_observer:
            raise UnknownGame(
                f"{self.title} tells nothing to programs that learn: there is no {self.package}.observe."
            )
        module = self._part("observe")
        _ = self.rules  # registers the game, to which this is added
        register_observer(self.name, module)
        return cast(Observer, module)

    @cached_property
    def scenes(self) -> SceneMaker:
        """What a seat sees; raises `UnfinishedGame` if a part is missing."""
        for name in DRAWS:
            self._named("scene", name)
        return cast(SceneMaker, self._part("scene"))

    def setting(self, options: OptionSet, seats: int) -> Setting:
        """Return the setting of a game with these options; unnamed seats get default names."""
        setting = self.scenes.setting(options, seats)
        usual = flat(self.read_options({}, seats).write())
        return msgspec.structs.replace(
            setting,
            game=self.name,
            title=self.title,
            seats=seats,
            seat_names=setting.seat_names or tuple(f"Seat {seat}" for seat in range(1, seats + 1)),
            hidden=not self.perfect_information,
            options={key: value for key, value in flat(options.write()).items() if value != usual[key]},
        )

    def intents(self, observation: Any, items: Sequence[str]) -> Sequence[int | str]:
        """Return the actions, legal or not, that touching these ids could mean; or texts of moves."""
        return cast(Sequence[int | str], self._words.get("intents")(observation, items))

    def events(self, before: Any, after: Any, seat: int) -> Sequence[str]:
        """Describe in sentences what a seat saw happen between two positions."""
        return cast(Sequence[str], self._words.get("events")(before, after, seat))

    def mover_name(self, observation: Any) -> str:
        """Return the name of the player to move if a person's name doesn't tell, otherwise ``""``.

        A game in which a person plays several seats defines `mover_name` among its words.
        """
        name = self._words.find("mover_name")
        return cast(str, name(observation)) if name else ""

    def motions(self, before: Any, after: Any, seat: int) -> tuple[Motion, ...]:
        """Return what a seat saw move between two positions, in order, if the scenes alone don't tell.

        A game in which several things happen in one ply defines `motions` among its words.
        """
        tell = self._words.find("motions")
        return tuple(tell(before, after, seat)) if tell else ()

    @cached_property
    def heuristics(self) -> Any:
        """The game's knowledge for players; by default all actions are equal."""
        return self._part("heuristics") if self._has_part("heuristics") else levels

    @cached_property
    def thrower(self) -> Any:
        """The game's model of throws for programs (see `bartizan.engine.throws`)."""
        return self._part("thrower") if self.throws else throws

    @cached_property
    def playtest(self) -> Any:
        """The statistics that playtests collect (see `bartizan.engine.playtest`)."""
        return playtest.completed(self._part("playtest")) if self._has_part("playtest") else playtest

    @cached_property
    def throwing(self) -> ThrowingGame | None:
        """The module for throws made on screen, or None if the game doesn't support them."""
        if not self.throws or not self._has_part("throwing"):
            return None
        return cast(ThrowingGame, self._part("throwing"))

    @cached_property
    def throw_skills(self) -> tuple[str, ...]:
        """The names of the thrower's skill levels, the weakest first; empty if nothing is thrown."""
        return tuple(self.thrower.SKILLS)

    def bind(self, module: str) -> Any:
        """Return a generic module bound to this game.

        Raises `FailedTrial` if the rules of someone else's game fail before they are compiled.
        """
        if self.is_compiled:
            require_trial(self.name, self.package, self.folder)
        assert self.rules is not None
        return bind(self.name, module)

    @property
    def is_compiled(self) -> bool:
        """Whether its rules are compiled, and states are arrays."""
        return COMPILED

    @cached_property
    def array_rules(self) -> Any:
        """The rules, called with arrays of states."""
        return self.bind("bartizan.engine.array_rules")

    @cached_property
    def plain(self) -> Game:
        """The same game with interpreted rules, for a few moves that shouldn't wait for the compiler."""
        fields = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        return _InterpretedGame(**fields)

    @property
    def has_lessons(self) -> bool:
        """Whether it comes with a guided first game."""
        return (self.folder / "lessons.toml").is_file()

    @property
    def has_puzzles(self) -> bool:
        """Whether it comes with puzzles."""
        return (self.folder / "puzzles.toml").is_file()

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """What points come from: as the game's playtest says, or else its verbs."""
        return tuple(self.playtest.SOURCES) or tuple(self.actions.verbs)

    @cached_property
    def counts_points(self) -> bool:
        """Whether the game counts points, so that outcomes are given in points."""
        return hasattr(self.rules, "points")

    def outcome(self, game_state: GameState) -> Outcome | None:
        """Return the outcome of a finished game, or None while it runs."""
        table = np.zeros((game_state.seats, 3))
        clause = int(self.array_rules.outcome(game_state.cells, table))
        if not clause:
            return None
        won, returns, points = table.T
        return Outcome(
            winners=tuple(seat for seat, wins in enumerate(won, 1) if wins),
            returns=tuple(map(float, returns)),
            points=tuple(map(int, points)) if self.counts_points else (),
            clause=self.clauses.id_of(clause),
        )

    @property
    def player_levels(self) -> tuple[Level, ...]:
        """The levels of its computer players that search or make mistakes, the weakest first."""
        return tuple(getattr(self.heuristics, "PLAYER_LEVELS", DEFAULT_LEVELS))

    def player_level(self, name: str) -> Level | None:
        """Return a level by its name, or None if there is no such level."""
        return next((level for level in self.player_levels if level.name == name), None)

    def players(self) -> tuple[str, ...]:
        """Return the names of the computer players, with a skill level if the game has throws."""
        programs = ("random", "greedy", *(level.name for level in self.player_levels))
        leveled = tuple(f"{program}:{level}" for program in programs for level in self.throw_skills)
        return programs + leveled + ((f"random:{ANY_OUTCOME}",) if leveled else ()) + tuple(self.guests)

    @cached_property
    def guests(self) -> dict[str, Guest]:
        """The players from elsewhere that this process admitted, by name."""
        return {}

    def check_player(self, name: str, others: Sequence[str] = ()) -> str:
        """Return the name of a computer player, or one of `others` that may take a seat.

        ``top`` is the strongest level.  Raises `UnknownPlayer` with the nearest name.
        """
        if name.strip() in self.guests:  # file names, in which case matters
            return name.strip()
        program, colon, skill = name.strip().lower().partition(":")
        wanted = (self.player_levels[-1].name if program == TOP else program) + colon + skill
        known = [*others, *self.players()]
        if wanted in known:
            return wanted
        meant = nearest(wanted, [*known, TOP]) or f" Choose from {', '.join(known)}."
        raise UnknownPlayer(f"There is no player {name!r} for {self.title}.{meant}")

    def check_seats(self, seats: int | None) -> int:
        """Return the number of seats to play with; None means the fewest.

        Raises `BadSeats` for a number that the game does not allow.
        """
        if seats is None:
            return self.min_seats
        if self.min_seats <= seats <= self.max_seats:
            return seats
        allowed = (
            f"{self.min_seats}"
            if self.min_seats == self.max_seats
            else f"{self.min_seats} to {self.max_seats}"
        )
        raise BadSeats(f"{self.title} is for {allowed} seat{'s' if self.max_seats > 1 else ''}, not {seats}.")

    def seats_in(self, position: Mapping[str, Any], options: Mapping[str, object]) -> list[int]:
        """Return the numbers of seats that the `players` of a position allow; empty if it doesn't say.

        A game whose positions list something other than seats defines `players_listed(options, seats)`.
        """
        players = position.get("players")
        if not isinstance(players, (list, tuple)):
            return []
        listed = getattr(self._part("position"), "players_listed", lambda options, seats: seats)
        return [
            seats
            for seats in range(self.min_seats, self.max_seats + 1)
            if listed(self.read_options(options, seats), seats) == len(players)
        ]

    def read_options(self, given: Mapping[str, object], seats: int) -> OptionSet:
        """Make the options of a table from written values; raises `UnknownOption`."""
        return self.option_set.read(given).settled(seats)

    def check_programs(self, options: Mapping[str, object], seats: int) -> None:
        """Raise `UnknownOption` if no program can take a seat with these options."""
        fault = self.read_options(options, seats).fault_for_programs()
        if fault:
            raise UnknownOption(fault)

    def blank(self, options: OptionSet, seats: int, stream: int) -> GameState:
        """Return an undealt table with its options, seats and random stream set.

        Raises `UnknownOption` for options that do not go with this number of seats.
        """
        options = options.settled(seats)
        fault = options.fault_for(seats)
        if fault:
            raise UnknownOption(fault)
        record = self.state()
        if "options" in self.state._specs:
            options.put_into(record.options)  # type: ignore[attr-defined]
        if "seats" in self.state._specs:
            record.seats = seats
        record.rng = stream
        return GameState(self, record)


class _InterpretedGame(Game):
    """A game with interpreted rules, in a process that otherwise uses compiled ones."""

    @property
    def is_compiled(self) -> bool:
        """Whether its rules are compiled: never."""
        return False

    @cached_property
    def array_rules(self) -> Any:
        """The rules, called with lists of records."""
        return interpreted(self.bind("bartizan.engine.array_rules"))


def _game_of(package: str) -> Game:
    return cast(Game, importlib.import_module(package).game)


__all__ = ["Game", "Hint", "GameState", "SceneMaker", "packed"]
