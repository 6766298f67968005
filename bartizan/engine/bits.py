"""Count and find squares on a bitboard, a board stored as the bits of one number.

A *bitboard* is a number from 0 to 2**63 - 1: bit *n* stands for square *n* of up to 63
squares, so that it fits a signed 64-bit field and never turns negative. Compiled, each function is one
processor instruction; interpreted, it is the Python below.
"""

from __future__ import annotations

from typing import Any

from bartizan.engine.mode import COMPILED


def count(bits: int) -> int:
    """Return how many bits are set."""
    return bits.bit_count()


def lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set; `bits` must not be 0."""
    return (bits & -bits).bit_length() - 1


def highest(bits: int) -> int:
    """Return the number of the highest bit that is set; `bits` must not be 0."""
    return bits.bit_length() - 1


if COMPILED:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    UNDEFINED_AT_ZERO = ir.Constant(ir.IntType(1), 1)
    LAST = ir.Constant(ir.IntType(64), 63)

    def _compile_to(make: Any) -> Any:
        """Decorate a function so that compiled code uses the instruction that `make` builds instead."""

        @intrinsic  # type: ignore[untyped-decorator]
        def instruction(typing: Any, bits: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
                return make(builder, given[0])

            return types.int64(types.int64), generate

        def typed(bits: Any) -> Any:
            def compiled(bits: Any) -> Any:
                return instruction(bits)

            return compiled

        return typed

    overload(count)(_compile_to(lambda builder, bits: builder.ctpop(bits)))
    overload(lowest)(_compile_to(lambda builder, bits: builder.cttz(bits, UNDEFINED_AT_ZERO)))
    overload(highest)(
        _compile_to(lambda builder, bits: builder.sub(LAST, builder.ctlz(bits, UNDEFINED_AT_ZERO)))
    )
