"""Step many tables of a game on a CUDA device, where their arrays stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Never

import numpy as np

from bartizan.engine.game import GameState
from bartizan.envs.arrays import Tables, rooms_for_legal
from bartizan.envs.batch import KEPT, Batch, Ragged, Step
from bartizan.envs.devices import blocks_of, open_device
from bartizan.envs.settings import (
    BadSetting,
    Settings,
    check_whole,
    checked_actions,
    checked_flags,
    refusal,
    seeded,
)
from bartizan.envs.undealt import undealt
from bartizan.search.workspace import record_array

AGAIN = ("disabled", "same_step", "next_step")  # the order of the constants of `bartizan.envs.kernels`


class DeviceBatch(Batch):
    """Many tables on a device: a `Batch` whose arrays are CuPy arrays in the device's memory.

    Others share them without a copy: ``torch.from_dlpack(step.observation)``, ``jax.dlpack.from_dlpack`` and
    whatever else reads DLPack or ``__cuda_array_interface__``. A step starts a kernel with a thread for each
    table and returns without waiting for it; it runs on CUDA's default stream. The same seed and actions
    give the same bytes as on the processor.
    """

    def __init__(self, settings: Settings) -> None:
        """Make the tables; `reset` deals them. The first step on a machine compiles for up to a minute.

        Raises `BadSetting` if there is no device, `MissingExtra` if packages for devices aren't installed.
        """
        self._device = device = open_device()
        self._set(settings)
        self._kernels: Any = self.game.bind("bartizan.envs.kernels")
        self._ready: dict[str, Any] = {}
        tables, numbers = undealt(settings)
        self.tables = table = Tables(*map(device.put, tables))
        self._lent = Tables(*map(device.lend, table))
        size = self.layout.size if settings.observe else 0
        self._all = device.xp.ones(self.n, np.bool_)
        self._observation = device.xp.zeros((self.n, size), np.int8)
        self._final = device.xp.zeros((self.n, size), np.int8)
        scratch = device.put(record_array(self.game.state, self.n))
        self._watching = scratch, device.lend(device.put(numbers))
        self._outputs = device.lend(self._final), device.lend(self._observation)
        self._against: tuple[Any, ...] = ()
        if settings.opponents:
            policies, work = np.array(settings.policies), rooms_for_legal(self.game, self.n)
            self._against = device.lend(device.put(policies)), device.lend(device.put(work))
        self._is_dealt = self._is_closed = False
        self._step = self._result()

    # --- Playing

    def reset(self, seed: str | int | Sequence[str | int] | None = None, tables: Any = None) -> Step:
        """Deal as `Batch.reset` does; `tables` may be on the device or not."""
        chosen = self._begin(seed, tables)
        self._run("reset_against" if self._against else "reset", self._device.lend(chosen), *self._against)
        if self._against and bool((self.tables.over & chosen).any()):
            raise BadSetting("the opponents end every game before a learner is asked; choose other options.")
        self._watch(self.tables.viewer, chosen, self._observation)
        return self._step

    def step(self, actions: Any) -> Step:
        """Play as `Batch.step` does; `actions` (n,) may be any array on the device, or one that isn't.

        An array on the device is read there, without a copy to the processor.
        """
        self._take(actions)
        if self.settings.illegal == "raise":
            self._refuse_illegal()
        name = "step_against" if self._against else "step"
        again = AGAIN.index(self.settings.autoreset)
        self._run(name, again, *self._watching, *self._outputs, *self._against)
        return self._step

    def random_actions(self) -> Any:
        """Return a legal action of each table (n,) int64, each as likely; -1 where the game is over."""
        out = self._device.xp.empty(self.n, np.int64)
        self._run("choose", self._device.lend(out))
        return out

    def observe(self, seat: int, tables: Any = None) -> Any:
        """Return the observations of a seat (from 1) or spectator (0) as `Batch.observe` does."""
        chosen = self._all if tables is None else self._flags(tables)
        xp = self._device.xp
        eyes = xp.full(self.n, check_whole(seat, "seat", 0, self.seats), np.int8)
        out = xp.zeros((self.n, self.layout.size), np.int8)
        self._watch(eyes, chosen, out)
        return out

    def close(self) -> None:
        """End the batch: it can be read, but not stepped or reset."""
        self._is_closed = True

    # --- On the processor

    def to_cpu(self) -> Batch:
        """Return a batch on the processor with the same tables, to go on there, or to save it."""
        host, table = Batch(self.settings), self.tables
        for name in ("states", "dice", "picks"):
            self._device.fetch(getattr(table, name), getattr(host.tables, name))
        for name in KEPT:
            getattr(host.tables, name)[:] = self._device.get(getattr(table, name))
        host._observation[:] = self._device.get(self._observation)
        host._final[:] = self._device.get(self._final)
        host._is_dealt = self._is_dealt
        return host

    def game_state(self, i: int) -> GameState:
        """Return a copy of a table's state for use in the rest of Bartizan; raises `BadSetting`."""
        data = self._device.bytes_of(self.tables.states, self._index(i))
        return GameState.unpacked(self.game, data)

    @property
    def states(self) -> Never:
        """Raise `BadSetting`: NumPy can't show states on a device."""
        self._only_on_cpu("states")

    def ragged(self, tokens: bool = False) -> Ragged:
        """Raise `BadSetting`: this is done on the processor."""
        self._only_on_cpu("ragged")

    def copy_of(self, i: int) -> Never:
        """Raise `BadSetting`: this is done on the processor."""
        self._only_on_cpu("copy_of")

    def load(self, i: int, state: object) -> None:
        """Raise `BadSetting`: this is done on the processor."""
        self._only_on_cpu("load")

    def save(self, path: object) -> None:
        """Write the batch to a file, from which it goes on on the processor; raises `Unwritable`."""
        self.to_cpu().save(path)  # type: ignore[arg-type]

    def __getstate__(self) -> dict[str, Any]:
        """Raise `BadSetting`: another process has no access to the device's memory."""
        self._only_on_cpu("pickles")

    def _only_on_cpu(self, what: str) -> Never:
        raise BadSetting(f"a batch on a device has no {what}; batch.to_cpu() does.")

    # --- Inside

    def _flags(self, given: Any) -> Any:
        return checked_flags(self._device.take(given), self.n)

    def _take(self, given: Any) -> None:
        self.check_dealt()
        self.tables.actions[:] = checked_actions(self._device.take(given), self.n, self.game.actions.size)

    def _take_seed(self, seed: str | int | Sequence[str | int]) -> None:
        table, (keys, numbers) = self.tables, seeded(seed, self.n)
        table.key[:], table.number[:] = self._device.put(keys), self._device.put(numbers)
        table.episode[:] = -1

    def _refuse_illegal(self) -> None:
        first = self._device.xp.full(1, self.n, np.int64)
        self._run("refuse", self._device.lend(first))
        i = int(first[0])
        if i < self.n:
            table = self.tables
            raise refusal(i, int(table.actions[i]), table.legal[i, : int(table.legal_count[i])])

    def _watch(self, seats: Any, chosen: Any, out: Any) -> None:
        lend = self._device.lend
        self._run("observe", lend(seats), lend(chosen), *self._watching, lend(out))

    def _run(self, name: str, *args: Any) -> None:
        """Start a kernel for all tables."""
        if self._is_closed:
            raise BadSetting("the batch is closed; make a new one.")
        if name not in self._ready:
            self._ready[name] = self._device.kernel(getattr(self._kernels, name))
        self._ready[name][blocks_of(self.n)](self._lent, *args)
