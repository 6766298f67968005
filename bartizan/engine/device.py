"""Compile rules for CUDA devices: what Numba's compiler for them must be taught, and kernels that it keeps.

Numba's own compiler for devices serves to check that rules compile. What runs them is its successor, the
package ``numba-cuda``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from llvmlite import ir
from numba import cuda
from numba.core import cgutils, types, typing
from numba.core.typing.templates import AbstractTemplate
from numba.cpython.builtins import do_minmax
from numba.cuda import cudadecl, cudaimpl, dispatcher

from bartizan.engine.rule import cache_folder, caching_in


def _teach(function: Callable[..., Any], better: Callable[[Any, Any], bool]) -> None:
    """Teach ``min`` or ``max`` of several numbers, which doesn't compile otherwise."""

    @cudadecl.registry.register_global(function)
    class Several(AbstractTemplate):  # type: ignore[misc]
        """Convert several numbers to the type that holds all of them."""

        key = function
        metadata = {"target": "cuda"}  # takes precedence over the version for any target

        def generic(self, numbers: tuple[Any, ...], names: dict[str, Any]) -> Any:
            if names or len(numbers) < 2 or not all(isinstance(each, types.Number) for each in numbers):
                return None
            common = self.context.unify_types(*numbers)
            return typing.signature(common, *[common] * len(numbers))

    def choose(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:
        return do_minmax(context, builder, signature.args, numbers, better)

    cudaimpl.registry.lower(function, types.VarArg(types.Number))(choose)  # type: ignore[attr-defined]


@cudaimpl.registry.lower(operator.setitem, types.Array, types.Integer, types.Record)  # type: ignore[untyped-decorator]
def _set_record(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Set a record of an array, 8 bytes at a time where its size allows it; Numba would copy single bytes."""
    (array_type, index_type, given), (array, index, record) = signature.args, values
    array = context.make_array(array_type)(context, builder, array)
    index = context.cast(builder, index, index_type, types.intp)
    record = context.cast(builder, record, given, array_type.dtype)
    place = cgutils.get_item_pointer(context, builder, array_type, array, [index], wraparound=True)
    width = 8 if array_type.dtype.aligned and array_type.dtype.size % 8 == 0 else 1
    word = ir.IntType(8 * width).as_pointer()
    source, target = builder.bitcast(record, word), builder.bitcast(place, word)
    with cgutils.for_range(builder, ir.Constant(ir.IntType(64), array_type.dtype.size // width)) as loop:
        value = builder.load(builder.gep(source, [loop.index]), align=width)
        builder.store(value, builder.gep(target, [loop.index]), align=width)
    return context.get_dummy_value()


def _keep_rules_apart() -> None:
    """Have games' rules called instead of inlined: the longest step compiles in 10 seconds instead of 145."""
    try:
        from numba.cuda.core.funcdesc import FunctionDescriptor
    except ImportError:  # Numba's own compiler, whose kernels don't run
        return
    declare = FunctionDescriptor.declare_function

    def declare_apart(descriptor: Any, module: Any) -> Any:
        function = declare(descriptor, module)
        if descriptor.modname.startswith("bartizan.games.") and "alwaysinline" not in function.attributes:
            function.attributes.add("noinline")
        return function

    FunctionDescriptor.declare_function = declare_apart


_teach(min, operator.lt)
_teach(max, operator.gt)
_keep_rules_apart()


def kernel(function: Callable[..., Any]) -> Any:
    """Return a function as a kernel for the device, compiled at its first call on this machine.

    It isn't optimised as a whole (`lto`). NVIDIA's assembler then takes functions that some threads of a warp
    call for functions that all of them call, and keeps variables in registers that the warp shares, where
    threads that play something else overwrite them.
    """
    from numba.cuda.core import config  # which Numba's own compiler for devices lacks

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a few tables are fine for a test
    with caching_in(cache_folder(function.__module__, function.__code__.co_filename), config):
        return cuda.jit(function, cache=True, lto=False)  # cuda.jit(lto=False) would forget it


class _Device(NamedTuple):
    """What Numba asks a device for while it compiles a callee."""

    compute_capability: tuple[int, int]


def ptx(
    function: Callable[..., Any],
    signature: object,
    capability: tuple[int, int] = (7, 5),
    optimised: bool = True,
    kernel: bool = False,
) -> str:
    """Compile a rule, or a `kernel`, and everything that it calls for a CUDA device and return the PTX text.

    This needs no device and no driver, only the compiler library NVVM, which Numba finds by ``CUDA_HOME``.
    Without optimisation it takes a fraction of the time, which is enough to check that a device accepts the
    rules. Raises `RuntimeError` if NVVM is missing.
    """
    try:
        asked, dispatcher.get_current_device = dispatcher.get_current_device, lambda: _Device(capability)
        try:
            source = getattr(function, "py_func", function)
            text, _ = cuda.compile_ptx(source, signature, device=not kernel, cc=capability, opt=optimised)
        finally:
            dispatcher.get_current_device = asked
    except Exception as error:
        raise RuntimeError(f"This machine cannot compile for CUDA: {error}") from error
    return cast(str, text)
