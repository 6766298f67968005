"""Teach Numba ``min`` and ``max`` of several numbers on CUDA devices, where its own don't compile."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba.core import types, typing
from numba.core.typing.templates import AbstractTemplate
from numba.cpython.builtins import do_minmax
from numba.cuda import cudadecl, cudaimpl


def _teach(function: Callable[..., Any], better: Callable[[Any, Any], bool]) -> None:
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


_teach(min, operator.lt)
_teach(max, operator.gt)
