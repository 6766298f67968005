"""Play games and write every decision to Parquet: the observation, the legal actions and the choice.

A data set is a folder of numbered files, each with the same number of games, and a header that describes the
games.  Game *j* of file *k* is table *j* of ``bartizan.batch`` with this seed in its episode *k*, so each
file can be replayed separately.  An interrupted export continues with the next file; files are written
atomically.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BartizanError, first_difference, first_line
from bartizan.engine.extras import require
from bartizan.engine.files import Unwritable, read_text, reason, replacing, write_atomically
from bartizan.engine.game import ANY_OUTCOME, POLICY, Game
from bartizan.engine.rng import stream
from bartizan.envs import arrays
from bartizan.envs.batch import Batch
from bartizan.envs.settings import (
    NEVER,
    BadSetting,
    Settings,
    check_game,
    check_settings,
    check_text,
    check_whole,
)
from bartizan.envs.shipped import admit_named
from bartizan.search.players import PROGRAMS, Player, action_array, skill_named
from bartizan.search.workspace import record_array

if TYPE_CHECKING:
    import polars

FORM = 1  # raised when the meaning of a column changes
HEADING = "_dataset.json"  # readers of Parquet folders skip names that begin with it
GAMES_A_FILE = 250  # games played side by side and held in memory with all observations
MOST_GAMES = 10**9
COLUMNS = (
    "game", "rules_version", "options", "seats", "player", "episode", "ply", "seat", "observation", "legal",
    "action", "rewards", "terminated", "truncated",
)  # fmt: skip


class NoDataSet(BartizanError):
    """A folder that holds something other than the requested data set; its content is left alone."""

    code = "no_data_set"


class DatasetHeading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The description of a data set; the same heading gives the same games."""

    form: int
    game: str
    rules_version: int
    seats: int
    players: tuple[str, ...]
    digests: dict[str, str]  # of players from elsewhere
    skill: str
    options: dict[str, Any]
    seed: str
    max_plies: int | None
    games_a_file: int
    observation: list[dict[str, Any]]  # the groups of observations, in order
    actions: int  # ids are from 0 to one less


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a folder after an export."""

    games: int
    plies: int
    files: int
    bytes: int


class Export:
    """A data set to write to a folder; see `export`."""

    def __init__(
        self,
        game: str | Game,
        folder: str | Path,
        *,
        players: Sequence[str] | None = None,
        options: Mapping[str, object] | None = None,
        seed: str | int = "0",
        max_plies: int | None = None,
        threads: int = 1,
        games_a_file: int = GAMES_A_FILE,
    ) -> None:
        """Check everything before any game is played.

        Raises `BadSetting`, `BadSeats`, `BadSeed`, `UnknownGame`, `UnknownOption`, `UnknownPlayer`,
        `BadPolicy`, `MissingExtra` without Polars.
        """
        require("lab", "A data set")
        known = check_game(game)
        if players is not None and (isinstance(players, str) or not isinstance(players, Sequence)):
            raise BadSetting(f"players is {players!r}; it must be a list of names: ['greedy', 'random'].")
        named = [check_text(name, "a player") for name in players or ["random"] * known.min_seats]
        for name in named:
            if name.startswith(POLICY):
                admit_named(known, name)
        self.players = tuple(map(known.check_player, named))
        self.folder = Path(folder)
        self.settings: Settings = check_settings(
            known,
            check_whole(games_a_file, "games_a_file", 1, 100_000),
            known.check_seats(len(self.players)),
            options=options,
            seed=seed,
            threads=threads,
            skill=_skill_of(known, self.players),
            max_plies=max_plies,
            mask=False,
            illegal="raise",
            autoreset="disabled",
        )

    @cached_property
    def heading(self) -> DatasetHeading:
        """The description of the data set."""
        settings, game = self.settings, self.settings.game
        groups = [
            {"name": each.name, "first": each.first, "shape": list(each.shape), "low": each.low}
            | {"high": each.high, "meaning": each.meaning}
            for each in game.observer.OBSERVATION
        ]
        return DatasetHeading(
            form=FORM,
            game=game.name,
            rules_version=game.rules_version,
            seats=settings.seats,
            players=self.players,
            digests={name: game.guests[name].digest for name in sorted(game.guests) if name in self.players},
            skill=settings.skill,
            options=dict(sorted(settings.options.items())),
            seed=settings.seed,
            max_plies=None if settings.max_plies == NEVER else settings.max_plies,
            games_a_file=settings.n,
            observation=groups,
            actions=game.actions.size,
        )

    def path(self, number: int) -> Path:
        """Return where a file lies, by its number from 0."""
        return self.folder / f"games-{number:06}.parquet"

    def exists(self, number: int) -> bool:
        """Say whether a file exists."""
        return self.path(number).exists()

    def begin(self) -> None:
        """Make the folder, or check that it holds this data set; raises `NoDataSet`, `Unwritable`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            there = sorted(each.name for each in self.folder.iterdir() if not each.name.startswith("."))
        except OSError as error:
            raise Unwritable(f"{self.folder} cannot be made a folder: {reason(error)}.") from error
        if HEADING in there:
            self._compare()
        elif there:
            raise NoDataSet(
                f"{self.folder} holds {there[0]!r} and no data set of ours. Nothing was written; "
                "choose an empty folder."
            )
        else:
            text = msgspec.json.format(msgspec.json.encode(self.heading), indent=1).decode()
            write_atomically(self.folder / HEADING, text + "\n")

    def _compare(self) -> None:
        path = self.folder / HEADING
        try:
            heading = msgspec.json.decode(read_text(path), type=DatasetHeading)
        except msgspec.MsgspecError as error:
            raise NoDataSet(f"{path} isn't the heading of a data set: {error}.") from error
        for name in DatasetHeading.__struct_fields__:
            had, wanted, what = getattr(heading, name), getattr(self.heading, name), name.replace("_", " ")
            if had != wanted:
                if name == "options":
                    key, had, wanted = first_difference(had, wanted)
                    what = f"option {key}"
                told = "other ones" if name == "observation" else f"{_short(had)}, not {_short(wanted)}"
                verb = "are" if name in ("seats", "players", "digests") else "is"
                raise NoDataSet(
                    f"{self.folder} holds another data set: its {what} {verb} {told}. "
                    "Nothing was written; take another folder."
                )

    def count(self, number: int) -> tuple[int, int]:
        """Return the numbers of games and plies in a file, 0 if it doesn't exist; raises `NoDataSet`."""
        import polars as pl

        path = self.path(number)
        if not self.exists(number):
            return 0, 0
        try:
            column = pl.scan_parquet(path).select(pl.col("episode").n_unique(), pl.len()).collect()
            games, plies = column.row(0)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise NoDataSet(
                f"{path} can't be read ({first_line(error)}). Delete it to have it written again."
            ) from error
        return int(games), int(plies)

    def files(self, games: int) -> list[int]:
        """Return the number of games in each file of a data set with `games` games."""
        whole, rest = divmod(games, self.settings.n)
        return [self.settings.n] * whole + ([rest] if rest else [])

    def play(self, number: int, games: int, progress: Callable[[int], None]) -> polars.DataFrame:
        """Play the games of a file; `progress` gets the number of finished games."""
        env = Batch(msgspec.structs.replace(self.settings, n=games))
        try:
            return _Playing(self, env, number).run(progress)
        finally:
            env.close()

    def write(self, number: int, table: polars.DataFrame) -> None:
        """Write a file atomically; raises `Unwritable`."""
        import polars as pl

        path = self.path(number)
        try:
            with replacing(path) as part:
                table.write_parquet(part, metadata={"bartizan": msgspec.json.encode(self.heading).decode()})
        except pl.exceptions.PolarsError as error:
            raise Unwritable(f"{path} cannot be written: {first_line(error)}.") from error


class _Playing:
    """The games of one file, played side by side."""

    def __init__(self, plan: Export, env: Batch, number: int) -> None:
        self.plan, self.env = plan, env
        self.first = number * plan.settings.n
        game = env.game
        self.policies = [
            PROGRAMS.index(program) if (program := name.partition(":")[0]) in PROGRAMS else -1
            for name in plan.players
        ]
        self.pick: Any = game.bind("bartizan.search.rollout").pick
        self.dice = record_array(game.state, env.n)
        for i in range(env.n):
            arrays.set_stream(self.dice, i, stream(plan.settings.seed, "players", self.first + i))
        env.tables.episode[:] = number - 1
        self.rows: list[dict[str, NDArray[Any]]] = []
        self.legal: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []

    def run(self, progress: Callable[[int], None]) -> polars.DataFrame:
        env, written = self.env, 0
        step = env.reset()
        with ThreadPoolExecutor(self.plan.settings.threads) as pool:
            try:
                while len(active := np.flatnonzero(step.to_play >= 0)):
                    row: dict[str, NDArray[Any]] = {
                        "table": active,
                        "ply": env.plies[active],
                        "seat": step.to_play[active] + np.int8(1),
                        "observation": step.observation[active],
                    }
                    ragged = env.ragged()
                    counts = step.legal_count[active]
                    self.legal.append(
                        (np.repeat(np.arange(written, written + len(active)), counts), ragged.actions)
                    )
                    actions = np.zeros(env.n, np.int64)
                    actions[active] = self._choose(active, row["seat"], pool)
                    step = env.step(actions)
                    row["action"] = actions[active].astype(np.int32)
                    row["rewards"] = step.reward[active]
                    row["terminated"], row["truncated"] = step.terminated[active], step.truncated[active]
                    self.rows.append(row)
                    written += len(active)
                    progress(int(env.tables.over.sum()))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return self._table()

    def _choose(
        self, active: NDArray[np.int64], seats: NDArray[np.int8], pool: ThreadPoolExecutor
    ) -> list[int]:
        """Return the action at each of the `active` tables; players that search do so in threads."""
        pairs = list(zip(active.tolist(), seats.tolist(), strict=True))
        if all(policy >= 0 for policy in self.policies):
            return [self._by_policy(i, seat) for i, seat in pairs]
        return list(pool.map(lambda pair: self._decide(*pair), pairs))

    def _decide(self, i: int, seat: int) -> int:
        if self.policies[seat - 1] >= 0:
            return self._by_policy(i, seat)
        # Each decision has a player of its own: its choice depends on nothing but the game and the ply.
        key = stream(self.plan.settings.seed, "players", self.first + i, int(self.env.plies[i]))
        player = Player.named(self.env.game, self.plan.players[seat - 1], key)
        return player.wish(self.env.game_state(i), self._legal(i))

    def _by_policy(self, i: int, seat: int) -> int:
        states: Any = self.env.tables.states
        legal = self._legal(i)
        return int(
            self.pick(
                states[i : i + 1],
                self.dice[i : i + 1],
                action_array(legal),
                len(legal),
                self.policies[seat - 1],
            )
        )

    def _legal(self, i: int) -> list[int]:
        table = self.env.tables
        return [int(action) for action in table.legal[i, : table.legal_count[i]]]

    def _table(self) -> polars.DataFrame:
        """Return the played games as a table, one after the other."""
        import polars as pl

        def column(name: str) -> NDArray[Any]:
            return np.concatenate([row[name] for row in self.rows])

        settings, game = self.env.settings, self.env.game
        seats = column("seat")
        legal = pl.DataFrame(
            {
                "row": np.concatenate([rows for rows, _ in self.legal]),
                "legal": np.concatenate([actions for _, actions in self.legal]),
            }
        )
        table = pl.DataFrame(
            {
                "episode": column("table") + self.first,
                "ply": column("ply"),
                "seat": seats,
                "observation": column("observation"),
                "legal": legal.group_by("row", maintain_order=True).agg("legal")["legal"],
                "action": column("action"),
                "rewards": column("rewards"),
                "terminated": column("terminated"),
                "truncated": column("truncated"),
            }
        )
        return (
            table.with_columns(
                game=pl.lit(game.name),
                rules_version=pl.lit(game.rules_version, pl.Int32),
                options=pl.lit(json.dumps(self.plan.heading.options)),
                seats=pl.lit(settings.seats, pl.Int8),
                player=pl.Series([self.plan.players[seat - 1] for seat in seats.tolist()], dtype=pl.String),
            )
            .sort("episode", "ply")
            .select(COLUMNS)
        )


def export(
    game: str | Game,
    folder: str | Path,
    games: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    **given: Any,
) -> Exported:
    """Play games and write them to a folder, or continue an interrupted export.

    Args:
        game: its name, such as ``"tower"``.
        folder: the target folder; it must be empty, or hold the same data set, whose files are kept.
        games: the total number of games.
        progress: gets the number of games done and the total.
        given: ``players``, a name for each seat (``"random"``); ``options`` and ``seed``, as in
            ``bartizan.batch``; ``max_plies``, after which a game is truncated; ``threads``; ``games_a_file``.

    Returns the contents of the folder. A row is one ply:

    ===========================  =====================================================================
    game, rules_version          string, int32
    options                      string: JSON
    seats                        int8: how many play
    player                       string: the program that chose
    episode, ply                 int64: the game's number, the ply in it, both from 0
    seat                         int8: which seat chose, from 1
    observation                  fixed-size list of int8: what that seat observed
    legal                        list of int32: what it could choose, ascending
    action                       int32: what it chose; for a throw, the result it aimed for
    rewards                      fixed-size list of float32, one a seat: 0 until the end, then -1 to 1
    terminated, truncated        bool: the game ended with this ply, or was cut off
    ===========================  =====================================================================

    Raises `BadSetting`, `BadSeats`, `BadSeed`, `UnknownGame`, `UnknownOption`, `UnknownPlayer`, `NoDataSet`,
    `Unwritable`.
    """
    wanted = check_whole(games, "games", 1, MOST_GAMES)
    plan = Export(game, folder, **given)
    plan.begin()
    told = progress or (lambda done, total: None)
    done = plies = 0
    for number, due in enumerate(plan.files(wanted)):
        held, rows = plan.count(number)
        if held < due:
            table = plan.play(number, due, lambda over, done=done: told(done + over, wanted))  # type: ignore[misc]
            plan.write(number, table)
            held, rows = due, len(table)
        done, plies = done + held, plies + rows
        told(min(done, wanted), wanted)
    numbers = [plan.path(number) for number in itertools.takewhile(plan.exists, itertools.count())]
    for number in range(len(plan.files(wanted)), len(numbers)):  # from a larger export before
        held, rows = plan.count(number)
        done, plies = done + held, plies + rows
    return Exported(
        games=done, plies=plies, files=len(numbers), bytes=sum(each.stat().st_size for each in numbers)
    )


def _skill_of(game: Game, players: Sequence[str]) -> str | None:
    """Return the one throwing skill of all players; raises `BadSetting` if they differ."""
    if not game.throw_skills:
        return None
    usual = str(game.thrower.DEFAULT)
    skills = sorted({skill_named(game, name) or usual for name in players})
    if len(skills) > 1:
        raise BadSetting(
            f"the players throw with different skills, {' and '.join(skills)}; in a data set all have one, "
            f"or {ANY_OUTCOME!r}."
        )
    return skills[0]


def _short(value: object) -> str:
    text = json.dumps(msgspec.to_builtins(value))
    return text if len(text) <= 60 else text[:60] + "…"
