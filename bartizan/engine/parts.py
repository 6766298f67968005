"""Compile each rule that only rules call once, instead of again in every caller.

Numba optimises a function together with everything that it calls, so a rule deep down is optimised again in
each of its callers. That took most of a game's compile time. Here a rule that Python never calls (a *part*)
is optimised alone and kept as LLVM's intermediate code. An *entry* links private copies of all parts that it
reaches and is optimised as one module. Compiling takes two thirds of the time, and the code is as fast or
faster.

This reaches into Numba's compiler (`Compiler`, `JITCodeLibrary`), whose version the lock files pin.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec
from typing import Any

from llvmlite.binding import Linkage
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock, require_global_compiler_lock

__all__ = ["EntryCompiler", "PartCompiler", "without_scipy"]


@functools.cache
def without_scipy() -> None:
    """Load Numba's array functions without SciPy, which they import just to see whether it's there.

    Rules don't need it. Functions of others that multiply matrices still import it when they are compiled.
    """
    from numba.np import linalg

    if find_spec("scipy") is None:
        return
    with global_compiler_lock:
        ensure_blas = linalg.ensure_blas
        linalg.ensure_blas = lambda: None
        try:
            from numba.np import arraymath
        finally:
            linalg.ensure_blas = ensure_blas
        arraymath.ensure_blas = ensure_blas


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Intermediate code of one rule; it never becomes machine code by itself."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Optimise the rule alone; an entry links its callees later and optimises the whole."""
        require_global_compiler_lock()
        self._raise_if_finalized()
        self._optimize_final_module()  # its loops stay as good as Numba makes them, wherever it is linked
        self._final_module.verify()
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function that Python calls, with all the parts that it reaches."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link every part once, then optimise the whole and generate machine code."""
        self._linking_libraries = _reached(self._linking_libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Optimise the module; parts become internal, so those with one caller can be inlined."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _reached(libraries: list[Any]) -> list[Any]:
    """Return `libraries` and, through parts, everything that they call, each once."""
    parts: dict[int, Any] = {}
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if id(library) not in parts:
            parts[id(library)] = library
            if isinstance(library, PartLibrary):
                waiting.extend(reversed(library._linking_libraries))
    return list(parts.values())


def _no_executable(library: PartLibrary, descriptor: Any, environment: Any) -> Any:
    """Stand in for the function that Python would call, because there is no machine code."""
    library._ensure_finalized()
    name = descriptor.qualname.split(".")[-1]
    return _dynfunc.make_function(
        descriptor.lookup_module(), name, "a part of entries", 0, environment, (library,)
    )


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, for a rule that only compiled code calls."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, names: Any
    ) -> None:
        """Take Numba's own arguments; `library` is None where a new function is compiled."""
        library = library or PartLibrary(target.codegen(), "part")
        super().__init__(typing, target, library, args, returns, flags, names)
        self.state.targetctx.get_executable = _no_executable


class EntryCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, for a function that Python calls."""

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, returns: Any, flags: Any, names: Any
    ) -> None:
        """Take Numba's own arguments; `library` is None where a new function is compiled."""
        if library is None:
            library = EntryLibrary(target.codegen(), "entry")
            library.enable_object_caching()
        super().__init__(typing, target, library, args, returns, flags, names)
