"""Step many tables of a game at once, in compiled code and without copies."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bartizan.engine.game import Game, GameState
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.envs import arrays
from bartizan.envs.batch_file import write
from bartizan.envs.preparing import prepare
from bartizan.envs.settings import (
    BadSetting,
    Settings,
    check_whole,
    checked_actions,
    checked_flags,
    refusal,
    seeded,
)
from bartizan.envs.tablestate import TableCopy, check_bytes
from bartizan.envs.undealt import undealt
from bartizan.envs.variants import observed_layout

SAID = ("viewer", "reward", "terminated", "truncated", "over")  # what a step says that no state tells
# The arrays that a copy takes over unchanged.
KEPT = (*("key", "number", "episode", "plies", "legal", "legal_count", "mask", "to_play"), *SAID)


class Step(NamedTuple):
    """The result of a step, in the batch's own arrays: the next step overwrites them.

    At a table whose game is over and that was not redealt, `to_play` is -1, nothing is legal, and the
    observation is the last one of the seat that moved last.
    """

    observation: NDArray[np.int8]  # (n, size), of the seat to move
    action_mask: NDArray[np.bool_]  # (n, actions); (n, 0) without ``mask``
    legal: NDArray[np.int32]  # (n, max_legal): legal actions, ascending; entries after them are undefined
    legal_count: NDArray[np.int32]  # (n,)
    to_play: NDArray[np.int8]  # (n,), from 0
    reward: NDArray[np.float32]  # (n, seats), from -1 to 1, at the end of an episode only
    terminated: NDArray[np.bool_]  # (n,): the game has ended
    truncated: NDArray[np.bool_]  # (n,): it was cut off at ``max_plies``
    final_observation: NDArray[np.int8]  # (n, size); rows are valid where terminated or truncated


class Ragged(NamedTuple):
    """All legal actions one after the other; those of table *i* begin at ``offsets[i]``."""

    offsets: NDArray[np.int64]  # (n + 1,)
    actions: NDArray[np.int32]  # (k,)
    rows: NDArray[np.int64]  # (k,): the table of each action
    tokens: NDArray[np.int16] | None  # (k, width): the tokens of each action, if requested


class Spaces(NamedTuple):
    """The sizes of inputs and outputs."""

    observation_size: int
    actions: int  # ids are from 0 to one less
    max_legal: int
    seats: int
    token_width: int
    tokens: int  # tokens are from 0, which means nothing, to one less


class Batch:
    """Many tables of one game, dealt from one seed; see `batch` for its settings.

    Don't use it from several threads at once: a step uses threads by itself.
    """

    def __init__(self, settings: Settings) -> None:
        """Make the tables; `reset` deals them."""
        self._set(settings)
        prepare(self.game)
        self.tables, numbers = undealt(settings)
        self._option_rows = numbers[self.tables.variant]
        self._policies = np.array(settings.policies, np.int64)
        self._stepping: Any = self.game.bind("bartizan.envs.stepping")
        self._observing: Any = self.game.bind("bartizan.envs.observing")
        self._rolling: Any = self.game.bind("bartizan.envs.rolling") if settings.opponents else None
        threads = min(settings.threads if COMPILED else 1, self.n)
        bounds = [self.n * number // threads for number in range(threads + 1)]
        self._ranges = list(itertools.pairwise(bounds))
        self._work = [arrays.room_for_legal(self.game) for _ in self._ranges]
        self._scratch = [arrays.scratch_state(self.game) for _ in self._ranges]
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0  # the process that started the threads
        self._is_closed = False
        self._all = np.ones(self.n, np.bool_)
        size = self.layout.size if settings.observe else 0
        self._observation = np.zeros((self.n, size), np.int8)
        self._final = np.zeros((self.n, size), np.int8)
        self._is_dealt = False
        self._step = self._result()

    def _set(self, settings: Settings) -> None:
        self.settings = settings
        self.game: Game = settings.game
        self.n = settings.n
        self.seats = settings.seats
        self.layout = observed_layout(self.game, settings.observe_options)
        self.token_layout = self.game.observer.TOKENS

    def _result(self) -> Step:
        table = self.tables
        return Step(
            observation=self._observation,
            action_mask=table.mask,
            legal=table.legal,
            legal_count=table.legal_count,
            to_play=table.to_play,
            reward=table.reward,
            terminated=table.terminated,
            truncated=table.truncated,
            final_observation=self._final,
        )

    # --- Playing

    def reset(
        self, seed: str | int | Sequence[str | int] | None = None, tables: ArrayLike | None = None
    ) -> Step:
        """Deal the next episode at all tables, or at those marked in `tables` (n, bool).

        A seed (as for `batch`) restarts: all tables are dealt their first episode from it.  With a list of
        n seeds, each table gets the same deal as the table of a batch of one with that seed.
        Raises `BadSetting`, `BadSeed`.
        """
        chosen = self._begin(seed, tables)
        for each in (self.tables.terminated, self.tables.truncated):
            each[chosen] = False
        self.tables.reward[chosen] = 0
        self._deal(chosen)
        self._observe(chosen, self._observation)
        return self._step

    def _begin(
        self, seed: str | int | Sequence[str | int] | None, tables: ArrayLike | None
    ) -> NDArray[np.bool_]:
        """Return which tables a reset is for, after taking its seed."""
        chosen = self._all if tables is None else self._flags(tables)
        if seed is not None:
            if tables is not None:
                raise BadSetting("a seed restarts all tables; leave out either seed or tables.")
            self._take_seed(seed)
        if not self._is_dealt and tables is not None:
            raise BadSetting("no table has been dealt yet; call reset() before you reset some of them.")
        self._is_dealt = True
        return chosen

    def _take_seed(self, seed: str | int | Sequence[str | int]) -> None:
        table = self.tables
        table.key[:], table.number[:] = seeded(seed, self.n)
        table.episode[:] = -1

    def step(self, actions: ArrayLike) -> Step:
        """Play an action at every table and the opponents' replies, and redeal if autoreset says so.

        `actions` are integers, shape (n,); those of tables whose game is over are ignored.
        Raises `BadSetting` for other arrays, and before the first reset; with ``illegal="raise"`` also for
        an illegal action, in which case nothing is played at any table.
        """
        self._take(actions)
        table = self.tables
        due = None
        if self.settings.autoreset == "next_step" and table.over.any():
            due = table.over.copy()
        if self.settings.illegal == "raise":
            self._refuse_illegal()
        ended = self._spread(self._step_range if self._rolling is None else self._step_against)
        if due is not None:
            table.terminated[due] = table.truncated[due] = False
            self._deal(due)
            ended -= int(due.sum())
        if ended and self.settings.autoreset == "same_step":
            over = table.over.copy()
            self._observe(over, self._final)
            self._deal(over)
        elif ended:
            over = table.over & (table.terminated | table.truncated)
            self._observe(over, self._final)
        self._observe(self._all, self._observation)
        return self._step

    @property
    def last(self) -> Step:
        """The result of the last step or reset."""
        return self._step

    def random_actions(self) -> NDArray[np.int64]:
        """Return a legal action of each table (n,), each as likely; -1 where the game is over.

        They come from a separate random stream of the table's episode.
        """
        table = self.tables
        out = np.empty(self.n, np.int64)
        self._stepping.pick_all(table.legal, table.legal_count, table.picks, out)
        return out

    def save(self, path: str | Path) -> None:
        """Write the batch to a file, which `bartizan.envs.saving.load` reads; raises `Unwritable`."""
        write(self.settings, self.tables, path)

    def close(self) -> None:
        """End the threads. A closed batch can be read, but not stepped or reset."""
        self._is_closed = True
        if self._pool is not None and self._pool_of == os.getpid():
            self._pool.shutdown()

    # --- Reading

    @cached_property
    def spaces(self) -> Spaces:
        """The sizes of observations, actions and tokens."""
        return Spaces(
            observation_size=self.layout.size,
            actions=self.game.actions.size,
            max_legal=self.game.max_legal,
            seats=self.seats,
            token_width=self.token_layout.width,
            tokens=self.token_layout.size,
        )

    @property
    def states(self) -> Array:
        """The complete states as a structured array (n,), including hidden information; for reward shaping.

        In compiled mode this is the batch's own memory, and reading a field doesn't copy.  Write to it at
        your own risk: rules don't check it.  In interpreted mode it is a copy.
        """
        states: Any = self.tables.states
        if COMPILED:
            return states
        data = b"".join(record.to_array().tobytes() for record in states)
        return np.frombuffer(bytearray(data), self.game.state.dtype)

    @property
    def episodes(self) -> NDArray[np.int64]:
        """The episode that each table plays (n,), from 0."""
        return self.tables.episode

    @property
    def plies(self) -> NDArray[np.int64]:
        """The number of plies played at each table (n,), including the opponents'."""
        return self.tables.plies

    def observe(self, seat: int, tables: ArrayLike | None = None) -> NDArray[np.int8]:
        """Return the observations of a seat (from 1) or spectator (0) at all tables: a new int8 (n, size).

        Rows of tables not marked in `tables` (n, bool) are zeros.  Raises `BadSetting`.
        """
        chosen = self._all if tables is None else self._flags(tables)
        eyes = np.full(self.n, check_whole(seat, "seat", 0, self.seats), np.int8)
        out = np.zeros((self.n, self.layout.size), np.int8)
        scratch = arrays.scratch_state(self.game)
        self._observing.observe_range(self.tables.states, scratch, eyes, chosen, out, 0, self.n)
        self._append_options(chosen, out)
        return out

    def ragged(self, tokens: bool = False) -> Ragged:
        """Return all legal actions one after the other, with their tokens if `tokens`: new arrays.

        Lists of legal actions differ in length, so this takes less memory than padded ones.
        """
        table = self.tables
        offsets = np.zeros(self.n + 1, np.int64)
        np.cumsum(table.legal_count, out=offsets[1:])
        actions, rows = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int64)
        self._stepping.gather(table.legal, table.legal_count, offsets, actions, rows)
        told = np.zeros((len(actions), self.token_layout.width), np.int16) if tokens else None
        if told is not None:
            scratch = arrays.scratch_state(self.game)
            self._observing.tokens_all(table.states, scratch, table.viewer, offsets, actions, told)
        return Ragged(offsets, actions, rows, told)

    def game_state(self, i: int) -> GameState:
        """Return a copy of a table's state for use in the rest of Bartizan; raises `BadSetting`."""
        return GameState.unpacked(self.game, arrays.bytes_of(self.tables, self._index(i)))

    def text(self, i: int, action: int) -> str:
        """Return an action at a table as a move's text; raises `BadSetting`."""
        move = check_whole(action, "action", 0, self.game.actions.size - 1)
        return self.game.vocabulary.print_move(self.game_state(i).view(), move)

    # --- Copying

    def copy_of(self, i: int) -> TableCopy:
        """Return a table's state and random streams, to continue from there in this or another batch.

        Raises `BadSetting` for an invalid table number.
        """
        i, table = self._index(i), self.tables
        return TableCopy(
            self.settings.kind_of(i),
            arrays.bytes_of(table, i),
            (arrays.stream_of(table.dice, i), arrays.stream_of(table.picks, i)),
            (int(table.episode[i]), int(table.plies[i])),
            {name: getattr(table, name)[i].tolist() for name in SAID} if table.over[i] else {},
        )

    def load(self, i: int, state: TableCopy | GameState | bytes) -> None:
        """Put a state on a table; observations and legal actions follow at once.

        A `TableCopy` brings its random streams along, and how its game ended. Bytes are checked completely
        before any rule sees them.
        Raises `BadSetting` if they aren't a state of such a table.
        """
        i, table = self._index(i), self.tables
        if isinstance(state, TableCopy):
            if state.kind != self.settings.kind_of(i):
                raise BadSetting("the state is of another game, or of other seats or options.")
            data = state.state
            arrays.set_stream(table.dice, i, state.streams[0])
            arrays.set_stream(table.picks, i, state.streams[1])
            table.episode[i], table.plies[i] = state.counts
        else:
            data = state.to_bytes() if isinstance(state, GameState) else state
            check_bytes(self.settings, i, data)
            table.plies[i] = 0
        arrays.put_bytes(self.game, table, i, data)
        chosen = np.zeros(self.n, np.bool_)
        chosen[i] = True
        self.refresh(chosen)
        if isinstance(state, TableCopy) and state.ended:
            self._end(chosen, state.ended)

    def _end(self, chosen: NDArray[np.bool_], said: Mapping[str, Any]) -> None:
        """End the chosen table's game as a step said it: the rules can't tell that it was cut short."""
        table = self.tables
        for name, value in said.items():
            getattr(table, name)[chosen] = value
        table.to_play[chosen], table.legal_count[chosen], table.mask[chosen] = -1, 0, False
        self._observe(chosen, self._observation)

    def refresh(self, chosen: NDArray[np.bool_], running: NDArray[np.bool_] | None = None) -> None:
        """Recompute the outputs of the `chosen` (n) tables with new states; list actions if `running`."""
        table = self.tables
        listed = chosen if running is None else chosen & running
        self._stepping.reset_range(table, listed, False, self._work[0], 0, self.n)
        table.reward[chosen] = 0
        table.terminated[chosen], table.truncated[chosen] = table.over[chosen], False
        self._is_dealt = self._is_dealt or bool(chosen.any())
        self._observe(chosen, self._observation)

    @property
    def is_dealt(self) -> bool:
        """Whether `reset` or `load` has put games on its tables."""
        return self._is_dealt

    def check_dealt(self) -> None:
        """Raise `BadSetting` if `is_dealt` is false."""
        if not self._is_dealt:
            raise BadSetting("no table has been dealt yet; call reset() first.")

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy of the batch is made from."""
        table = self.tables
        kept = {name: getattr(table, name).copy() for name in KEPT}
        states = [arrays.bytes_of(table, i) for i in range(self.n)]
        streams = [[arrays.stream_of(dice, i) for i in range(self.n)] for dice in (table.dice, table.picks)]
        parts = {"settings": self.settings, "states": states, "streams": streams, "kept": kept}
        return {
            **parts,
            "observations": (self._observation.copy(), self._final.copy()),
            "dealt": self._is_dealt,
        }

    def __setstate__(self, parts: dict[str, Any]) -> None:
        """Become a copy, with its own arrays."""
        self.__init__(parts["settings"])  # type: ignore[misc]
        table = self.tables
        for i, data in enumerate(parts["states"]):
            arrays.put_bytes(self.game, table, i, data)
        for dice, streams in zip((table.dice, table.picks), parts["streams"], strict=True):
            for i, each in enumerate(streams):
                arrays.set_stream(dice, i, each)
        for name, kept in parts["kept"].items():
            getattr(table, name)[:] = kept
        self._observation[:], self._final[:] = parts["observations"]
        self._is_dealt = parts["dealt"]

    # --- Inside

    def _index(self, i: object) -> int:
        return check_whole(i, "the table", 0, self.n - 1)

    def _flags(self, given: ArrayLike) -> NDArray[np.bool_]:
        return checked_flags(np.asarray(given), self.n)

    def _take(self, given: ArrayLike) -> None:
        self.check_dealt()
        self.tables.actions[:] = checked_actions(np.asarray(given), self.n, self.game.actions.size)

    def _refuse_illegal(self) -> None:
        i = int(self._stepping.first_illegal(self.tables))
        if i >= 0:
            table = self.tables
            raise refusal(i, table.actions[i], table.legal[i, : table.legal_count[i]])

    def _spread(self, work: Callable[[int], int]) -> int:
        """Call `work` for each range of tables, each in its own thread; return the sum of the results."""
        if self._is_closed:
            raise BadSetting("the batch is closed; make a new one.")
        count = len(self._ranges)
        if count == 1:
            return work(0)
        if self._pool is None or self._pool_of != os.getpid():  # a fork doesn't copy threads
            self._pool, self._pool_of = ThreadPoolExecutor(count), os.getpid()
        return sum(self._pool.map(work, range(count)))

    def _step_range(self, number: int) -> int:
        return int(self._stepping.step_range(self.tables, self._work[number], *self._ranges[number]))

    def _step_against(self, number: int) -> int:
        room, table = self._work[number], self.tables
        return int(
            self._rolling.play_against(table, self._all, False, self._policies, room, *self._ranges[number])
        )

    def _append_options(self, chosen: NDArray[np.bool_], out: NDArray[np.int8]) -> None:
        if self.settings.observe_options:
            first = self.game.observer.OBSERVATION.size
            np.copyto(out[:, first:], self._option_rows, where=chosen[:, None])

    def _deal(self, chosen: NDArray[np.bool_]) -> None:
        table, ranges = self.tables, self._ranges

        def reset_range(number: int) -> int:
            self._stepping.reset_range(table, chosen, True, self._work[number], *ranges[number])
            return 0

        def reset_against(number: int) -> int:
            room = self._work[number]
            return int(self._rolling.play_against(table, chosen, True, self._policies, room, *ranges[number]))

        if self._spread(reset_range if self._rolling is None else reset_against):
            raise BadSetting("the opponents end every game before a learner is asked; choose other options.")

    def _observe(self, chosen: NDArray[np.bool_], out: NDArray[np.int8]) -> None:
        if not self.settings.observe:
            return
        table = self.tables

        def observe_range(number: int) -> int:
            scratch, (first, last) = self._scratch[number], self._ranges[number]
            self._observing.observe_range(table.states, scratch, table.viewer, chosen, out, first, last)
            return 0

        self._spread(observe_range)
        self._append_options(chosen, out)
