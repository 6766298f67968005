"""Write played games as Parquet, a row for each decision: what was observed, what was legal, what was done.

| column | type | meaning |
|---|---|---|
| game, rules_version, options, seats | string, int32, string (JSON), int8 | which game was played |
| episode | int64 | the number of the game |
| ply, seat | int32, int8 | the decision, from 0, and whose it is, from 0 |
| observation | fixed-size list of int8 | what that seat observed |
| legal | list of int32 | what it could do |
| action | int32 | what it did; of throws, what it wanted |
| rewards | fixed-size list of float32 | what the game came to for each seat in the end |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.errors import BartizanError
from bartizan.engine.files import replacing
from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.envs.batch import Batch, batch
from bartizan.envs.extras import need
from bartizan.envs.settings import BadSetting, check_game, check_whole
from bartizan.search.players import Player

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet as parquet
else:
    pyarrow = need("pyarrow", "data")
    parquet = need("pyarrow.parquet", "data")

PER_FILE = 256  # games; they are kept in memory until the file is written
Progress = Callable[[int, int], None]


class Unexportable(BartizanError):
    """A folder into which no data set can be written."""

    code = "unexportable"


@dataclass(frozen=True)
class Source:
    """Which games are played: all files of a data set have this in common."""

    game: Game
    players: tuple[str, ...]  # by seat, without skill
    skill: str | None
    options: Mapping[str, object]
    seed: str
    max_plies: int | None

    def tables(self, first: int, count: int) -> Batch:
        """Return tables for the games from number `first` on, dealt."""
        made = batch(
            self.game,
            count,
            seats=len(self.players),
            options=self.options,
            seed=self.seed,
            skill=self.skill,
            max_plies=self.max_plies,
            mask=False,
            autoreset="disabled",
        )
        made.tables.number[:] = np.arange(first, first + count)
        made.reset()
        return made


def export(
    game: str | Game,
    games: int,
    folder: str | Path,
    *,
    players: Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    seed: str = "0",
    max_plies: int | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Play games and write them to ``games-00000.parquet`` and so on; return the files.

    The same settings give the same rows.  Players may be any programs; in games with throws all of them throw
    with one skill.  What has been written when it is interrupted is whole files.
    Raises what `bartizan.batch` raises, `UnknownPlayer`, and `Unexportable` for a folder that is not empty.
    """
    known = check_game(game)
    number = check_whole(games, "games", 1, 10**9)
    names = [known.check_player(name) for name in players or ["random"] * known.min_seats]
    skills = {name.partition(":")[2] for name in names} - {""}
    if len(skills) > 1:
        raise BadSetting(f"the players throw with several skills, {' and '.join(sorted(skills))}; take one.")
    source = Source(
        known,
        tuple(name.partition(":")[0] for name in names),
        skills.pop() if skills else None,
        options or {},
        seed,
        max_plies,
    )
    target = _empty_folder(Path(folder))
    written: list[Path] = []
    for first in range(0, number, PER_FILE):
        rows = _play(source, first, min(PER_FILE, number - first), number, progress)
        path = target / f"games-{len(written):05}.parquet"
        with replacing(path) as part:
            parquet.write_table(rows, part, compression="zstd")
        written.append(path)
    return written


def _empty_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob("*.parquet")):
            raise Unexportable(f"{folder} has Parquet files already; name another folder.")
    except OSError as error:
        raise Unexportable(f"{folder} cannot be made: {(error.strerror or str(error)).lower()}.") from error
    return folder


def _play(source: Source, first: int, count: int, total: int, progress: Progress | None) -> Any:
    """Play some games side by side and return their rows, game by game."""
    env = source.tables(first, count)
    chairs = [
        [
            Player.named(source.game, name, stream(source.seed, "export", first + i, seat))
            for seat, name in enumerate(source.players)
        ]
        for i in range(count)
    ]
    kept: list[tuple[NDArray[Any], ...]] = []  # a step each: tables, plies, seats, observations, actions
    lists: list[NDArray[np.int32]] = []
    rewards = np.zeros((count, len(source.players)), np.float32)
    while True:
        step = env.last
        asked = np.flatnonzero(step.to_play >= 0)
        if not len(asked):
            break
        actions = np.zeros(count, np.int64)
        for i in asked:
            legal = step.legal[i, : step.legal_count[i]]
            actions[i] = chairs[i][step.to_play[i]].wish(env.live(int(i)), legal.tolist())
            lists.append(legal.copy())
        kept.append((asked, env.plies[asked], step.to_play[asked], step.observation[asked], actions[asked]))
        step = env.step(actions)
        rewards[asked] = step.reward[asked]
        if progress is not None:
            progress(first + int((step.to_play < 0).sum()), total)
    return _rows(source, env, first, kept, lists, rewards)


def _rows(
    source: Source,
    env: Batch,
    first: int,
    kept: list[tuple[NDArray[Any], ...]],
    lists: list[NDArray[np.int32]],
    rewards: NDArray[np.float32],
) -> Any:
    """Return what was kept as one Arrow table, ordered by game and ply."""
    tables, plies, seats, observations, actions = (
        np.concatenate(column) for column in zip(*kept, strict=True)
    )
    order = np.lexsort((plies, tables))
    legal = [lists[row] for row in order]
    offsets = np.zeros(len(order) + 1, np.int32)
    np.cumsum([len(each) for each in legal], out=offsets[1:])
    size = env.spaces.observation_size
    came_to = rewards[tables[order]]

    def same(value: Any, kind: Any) -> Any:
        return pyarrow.repeat(pyarrow.scalar(value, kind), len(order))

    def fixed(array: NDArray[Any]) -> Any:
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(array.ravel()), array.shape[1])

    columns = {
        "game": same(source.game.name, pyarrow.string()),
        "rules_version": same(source.game.rules_version, pyarrow.int32()),
        "options": same(json.dumps(env.settings.options, sort_keys=True), pyarrow.string()),
        "seats": same(len(source.players), pyarrow.int8()),
        "episode": pyarrow.array(first + tables[order], pyarrow.int64()),
        "ply": pyarrow.array(plies[order], pyarrow.int32()),
        "seat": pyarrow.array(seats[order], pyarrow.int8()),
        "observation": fixed(observations[order].reshape(-1, size)),
        "legal": pyarrow.ListArray.from_arrays(offsets, np.concatenate(legal)),
        "action": pyarrow.array(actions[order], pyarrow.int32()),
        "rewards": fixed(came_to),
    }
    return pyarrow.table(columns)
