"""Hold arrays on a CUDA device, or in CUDA's simulator, and start kernels there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda
from numba.core import config

from bartizan.engine.extras import require
from bartizan.engine.mode import COMPILED
from bartizan.envs.settings import BadSetting

THREADS = 64  # of a block: few, so that a small batch uses the whole device, too


def blocks_of(n: int) -> tuple[int, int]:
    """Return how many blocks and threads a kernel for n tables has."""
    return -(-n // THREADS), THREADS


class ArrayDevice:
    """The current device: CuPy's arrays, in the form in which kernels take them."""

    def __init__(self) -> None:
        """Find the device; raises `MissingExtra`, `BadSetting`."""
        require("cuda", "A batch on a device")
        if not cuda.is_available():
            raise BadSetting(
                "device is 'cuda', but this machine has no CUDA device, or no driver for it; take 'cpu'."
            )
        import cupy

        self.xp = cupy

    def put(self, array: Any) -> Any:
        """Return a NumPy array on the device; records in the only form that holds them there, Numba's."""
        return cuda.to_device(array) if array.dtype.names else self.xp.asarray(array)

    def lend(self, array: Any) -> Any:
        """Return an array of the device as kernels take it: the same memory."""
        if not isinstance(array, self.xp.ndarray):
            return array
        return cuda.as_cuda_array(array, sync=False)  # both use the default stream

    def take(self, array: Any) -> Any:
        """Return any array on the device; one that is there already isn't copied."""
        try:
            return self.xp.asarray(array)
        except (TypeError, ValueError) as error:
            raise BadSetting(f"this must be an array, not {type(array).__name__}.") from error

    def get(self, array: Any) -> Any:
        """Return an array as NumPy's."""
        return self.xp.asnumpy(array)

    def fetch(self, array: Any, records: Any) -> None:
        """Copy records on the device to NumPy's `records`, with the gaps between fields."""
        records.view(np.uint8)[:] = array.copy_to_host().view(np.uint8)

    def bytes_of(self, array: Any, i: int) -> bytes:
        """Return a record as bytes."""
        return bytes(array[i : i + 1].copy_to_host().tobytes())

    def kernel(self, function: Any) -> Any:
        """Return a function as a kernel."""
        from bartizan.engine.device import kernel

        return kernel(function)


class SimulatedDevice(ArrayDevice):
    """CUDA's simulator, where arrays are NumPy's and records are interpreted rules'."""

    def __init__(self) -> None:
        """Take NumPy for the arrays."""
        self.xp = np

    def put(self, array: Any) -> Any:
        """Return an array."""
        return array

    lend = get = put

    def fetch(self, array: Any, records: Any) -> None:
        """Copy records."""
        records[:] = [each.copy() for each in array]

    def bytes_of(self, array: Any, i: int) -> bytes:
        """Return a record as bytes."""
        return bytes(array[i].to_array().tobytes())

    def kernel(self, function: Any) -> Any:
        """Return a function as a kernel of the simulator."""
        return cuda.jit(function)


def open_device() -> ArrayDevice:
    """Return the device of this process; raises `MissingExtra`, `BadSetting`."""
    if not config.ENABLE_CUDASIM:
        if not COMPILED:
            raise BadSetting("device is 'cuda', but interpreted rules run on the processor; take 'cpu'.")
        return ArrayDevice()
    return SimulatedDevice()
