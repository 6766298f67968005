"""Check the settings of a batch of tables or a single environment."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine import registry
from bartizan.engine.errors import BadSeats, BartizanError, UnknownOption, UnknownPlayer, nearest
from bartizan.engine.game import ANY_OUTCOME, POLICY, Game
from bartizan.engine.rng import stream
from bartizan.match.progress import check_seed
from bartizan.search.players import PROGRAMS, how_it_chooses, policy_of

Illegal = Literal["end", "raise"]
Autoreset = Literal["same_step", "next_step", "disabled"]
Device = Literal["cpu", "cuda"]
GivenOptions = Mapping[str, object] | Sequence[Mapping[str, object]] | None

NEVER = 1 << 62  # plies: no episode is truncated
MOST_TABLES = 1 << 24
MOST_THREADS = 1_024


class BadSetting(BartizanError, ValueError):
    """A setting of an environment, or an array given to it, that isn't valid."""

    code = "bad_setting"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How tables are dealt and played, checked: see `bartizan.envs.making.batch` for the meanings."""

    game: Game
    n: int
    seats: int
    options: dict[str, object]  # of the first table
    variants: tuple[dict[str, object], ...]  # of each table, if they differ; otherwise empty
    seed: str
    threads: int
    opponents: dict[int, str]
    skill: str
    max_plies: int
    mask: bool
    observe: bool
    observe_options: bool
    illegal: Illegal
    autoreset: Autoreset

    def options_of(self, i: int) -> dict[str, object]:
        """Return a table's options as written values."""
        return self.variants[i] if self.variants else self.options

    def kind_of(self, i: int) -> tuple[str, int, str]:
        """Return what another table must have in common with a table to exchange states."""
        return self.game.name, self.seats, repr(sorted(self.options_of(i).items()))

    @property
    def skill_level(self) -> int:
        """The skill as compiled code knows it; 0 if nothing is thrown or reports are chosen freely."""
        return 0 if self.skill in ("", ANY_OUTCOME) else 1 + self.game.throw_skills.index(self.skill)

    @property
    def policies(self) -> list[int]:
        """How each seat plays, as compiled code knows it; -1 for a learner."""
        named = {seat: policy_of(self.game, name) for seat, name in self.opponents.items()}
        return [named.get(seat, -1) for seat in range(1, self.seats + 1)]


def check_game(game: str | Game) -> Game:
    """Return a game by its name; raises `UnknownGame`, also if it has no observations."""
    chosen = game if isinstance(game, Game) else registry.get(check_text(game, "game"))
    _ = chosen.observer  # which raises
    return chosen


def check_text(value: object, name: str) -> str:
    """Return a text; raises `BadSetting`."""
    if not isinstance(value, str):
        raise BadSetting(f"{name} is {value!r}; it must be a text.")
    return value


def check_whole(value: object, name: str, low: int, high: int) -> int:
    """Return a whole number within its bounds, from Python or NumPy; raises `BadSetting`."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = low - 1
    if isinstance(value, bool) or not low <= number <= high:
        raise BadSetting(f"{name} is {value!r}; it must be a whole number from {low:,} to {high:,}.")
    return number


def check_choice(value: object, name: str, choices: tuple[str, ...]) -> str:
    """Return one of some words; raises `BadSetting` with the nearest one."""
    if isinstance(value, str) and value in choices:
        return value
    meant = nearest(value, choices) if isinstance(value, str) else ""
    raise BadSetting(f"{name} is {value!r}; it must be {' or '.join(map(repr, choices))}.{meant}")


def check_flag(value: object, name: str) -> bool:
    """Return True or False; raises `BadSetting`."""
    if not isinstance(value, bool):
        raise BadSetting(f"{name} is {value!r}; it must be True or False.")
    return value


def check_seed_of(seed: object) -> str:
    """Return a seed in its one form: 1 to 32 hexadecimal digits; a whole number stands for its own digits.

    Raises `BadSeed` for another text, `BadSetting` for anything else.
    """
    if isinstance(seed, str):
        return check_seed(seed)
    if isinstance(seed, list | tuple | np.ndarray):
        raise BadSetting("seed must be one seed here; `reset` takes a seed for each table.")
    return f"{check_whole(seed, 'seed', 0, (1 << 128) - 1):x}"


def check_options(game: Game, options: Mapping[str, object] | None, seats: int) -> dict[str, object]:
    """Return options as written values; raises `UnknownOption`, also if no program can play with them."""
    if options is not None and not isinstance(options, Mapping):
        raise BadSetting(f"options is {options!r}; it must map option names to values.")
    for key in options or {}:
        check_text(key, "an option's name")
    game.check_programs(options or {}, seats)
    read = game.read_options(options or {}, seats)
    fault = read.fault_for(seats)
    if fault:
        raise UnknownOption(fault)
    return dict(read.write())


def check_variants(
    game: Game, options: GivenOptions, seats: int, n: int
) -> tuple[dict[str, object], tuple[dict[str, object], ...]]:
    """Return the options of the first table, and those of each of `n` tables if a sequence names them.

    Raises as `check_options` does.
    """
    if options is None or isinstance(options, (Mapping, str)) or not isinstance(options, Sequence):
        return check_options(game, options, seats), ()
    if len(options) != n:
        raise BadSetting(
            f"options is a list of length {len(options)} for {n} tables; "
            f"give one mapping for all tables, or {n}."
        )
    known: dict[str, dict[str, object]] = {}
    for each in options:
        if repr(each) not in known:
            known[repr(each)] = check_options(game, each, seats)
    variants = tuple(known[repr(each)] for each in options)
    return variants[0], variants


def check_skill(game: Game, skill: object) -> str:
    """Return the learners' throwing skill: the game's default for None; ``""`` if nothing is thrown."""
    if not game.throw_skills:
        if skill not in (None, ""):
            raise BadSetting(f"skill is {skill!r}, but nothing is thrown in {game.title}.")
        return ""
    if skill is None:
        return str(game.thrower.DEFAULT)
    return check_choice(skill, "skill", (*game.throw_skills, ANY_OUTCOME))


def check_opponents(game: Game, opponents: object, seats: int) -> dict[int, str]:
    """Return the opponents by seat; raises `BadSetting`, `BadSeats`, `UnknownPlayer`.

    They must be players that don't search, and leave a seat to a learner.
    """
    if opponents is None:
        return {}
    if not isinstance(opponents, Mapping):
        raise BadSetting(f"opponents is {opponents!r}; it must map seats to players: {{2: 'greedy'}}.")
    names: dict[int, str] = {}
    for seat, name in opponents.items():
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 1 <= seat <= seats:
            raise BadSeats(f"opponents has the seat {seat!r}; the seats are 1 to {seats}.")
        asks = check_text(name, f"the opponent at seat {seat}").startswith(POLICY)
        names[int(seat)] = known = name if asks else game.check_player(name)
        if known.partition(":")[0] not in PROGRAMS:
            raise UnknownPlayer(
                f"{name!r} {how_it_chooses(game, known)}, and opponents inside a batch do not: "
                f"take {' or '.join(PROGRAMS)}."
            )
    if len(names) == seats:
        raise BadSetting("opponents take all seats; leave one to the learner.")
    return names


def default_threads(n: int) -> int:
    """Return how many threads step `n` tables by default.

    A second thread costs 20 to 45% more CPU time at 1,024 tables and about 10% at 8,192.
    """
    return max(1, min(os.cpu_count() or 1, n // 4096))


def check_seats_of(game: Game, seats: object) -> int:
    """Return the number of players, the fewest for None; raises `BadSetting`, `BadSeats`."""
    return game.check_seats(None if seats is None else check_whole(seats, "seats", 1, 127))


def check_settings(  # noqa: PLR0913 - all that an environment is made with, and what is usual stands here
    game: str | Game,
    n: int,
    seats: int | None = None,
    *,
    options: GivenOptions = None,
    seed: str | int = "0",
    threads: int | None = None,
    opponents: Mapping[int, str] | None = None,
    skill: str | None = None,
    max_plies: int | None = None,
    mask: bool = True,
    observe: bool = True,
    observe_options: bool = False,
    illegal: str = "end",
    autoreset: str = "same_step",
) -> Settings:
    """Check all settings of an environment, and fill in defaults.

    Raises `BadSetting`, `BadSeats`, `BadSeed`, `UnknownGame`, `UnknownOption`, `UnknownPlayer`.
    """
    known = check_game(game)
    count = check_whole(n, "n", 1, MOST_TABLES)
    chairs = check_seats_of(known, seats)
    first, variants = check_variants(known, options, chairs, count)
    return Settings(
        game=known,
        n=count,
        seats=chairs,
        options=first,
        variants=variants,
        seed=check_seed_of(seed),
        threads=default_threads(count)
        if threads is None
        else check_whole(threads, "threads", 1, MOST_THREADS),
        opponents=check_opponents(known, opponents, chairs),
        skill=check_skill(known, skill),
        max_plies=NEVER if max_plies is None else check_whole(max_plies, "max_plies", 1, NEVER),
        mask=check_flag(mask, "mask"),
        observe=check_flag(observe, "observe"),
        observe_options=check_flag(observe_options, "observe_options"),
        illegal=check_choice(illegal, "illegal", get_args(Illegal)),  # type: ignore[arg-type]
        autoreset=check_choice(autoreset, "autoreset", get_args(Autoreset)),  # type: ignore[arg-type]
    )


# --- What is given to a batch


def seeded(seed: Any, n: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the keys of n tables' random streams, and their numbers; raises `BadSetting`, `BadSeed`."""
    if isinstance(seed, np.ndarray):
        seed = seed.tolist()
    if isinstance(seed, str) or not isinstance(seed, Sequence):
        return np.full(n, stream(check_seed_of(seed), "batch"), np.uint64), np.arange(n)
    if len(seed) != n:
        raise BadSetting(f"there are {len(seed)} seeds for {n} tables.")
    return np.array([stream(check_seed_of(each), "batch") for each in seed], np.uint64), np.zeros(n, np.int64)


def checked_flags(flags: Any, n: int) -> Any:
    """Return an array that marks tables; raises `BadSetting` unless it is bool of shape (n,)."""
    if flags.dtype != np.bool_ or flags.shape != (n,):
        raise BadSetting(f"tables must be bool of shape ({n},), not {flags.dtype} of shape {flags.shape}.")
    return flags


def checked_actions(actions: Any, n: int, size: int) -> Any:
    """Return an array of actions (n,); raises `BadSetting` for other shapes, and unless they are integers."""
    if actions.shape != (n,) or actions.dtype.kind not in "iu":
        raise BadSetting(f"actions must be integers of shape ({n},), not {actions.dtype} of {actions.shape}.")
    if actions.dtype.kind == "u":  # an action that doesn't fit becomes illegal rather than another action
        return actions.astype(np.uint64).clip(max=size).astype(np.int64)
    return actions


def one_action(action: Any) -> Any:
    """Return the action of a single table as an array (1,); raises `BadSetting` unless it is an integer."""
    given = np.asarray(action)
    if given.size != 1 or given.dtype.kind not in "iu":
        raise BadSetting(f"the action is {action!r}; it must be one whole number.")
    return given.reshape(1)


def refusal(i: int, action: int, legal: Any) -> BadSetting:
    """Return the error for an illegal action at table `i`, where those in `legal` are legal."""
    listed = ", ".join(map(str, legal[:8].tolist())) + (" …" if len(legal) > 8 else "")
    return BadSetting(f"action {action} at table {i} is illegal; legal are {listed}. Nothing was played.")
