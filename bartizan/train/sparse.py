"""Layers that skip zeros, compiled: most observed numbers are 0, and an action has a handful of tokens.

Sums are reordered for speed, so the last digits can differ between machines.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import torch
from numpy.typing import NDArray

CHUNK = 16  # numbers that are skipped together if all are 0
TOGETHER = 4  # weights that are added together

Bytes = NDArray[np.int8]
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

compiled = numba.njit(nogil=True, cache=True, error_model="numpy", fastmath=True)


@compiled  # type: ignore[untyped-decorator]
def _found(row: Bytes, scale: Floats, columns: Whole, factors: Floats) -> int:
    """Write the columns of a row that aren't 0, and their scaled numbers; return how many there are.

    Up to `TOGETHER` more columns with factor 0 follow.
    """
    count, size = 0, len(row)
    whole = size - size % CHUNK
    for first in range(0, whole, CHUNK):
        some = 0
        for k in range(CHUNK):
            some |= row[first + k]
        if some:
            for column in range(first, first + CHUNK):
                columns[count] = column
                count += row[column] != 0
    for column in range(whole, size):
        columns[count] = column
        count += row[column] != 0
    for c in range(count):
        factors[c] = scale[columns[c]] * np.float32(row[columns[c]])
    for c in range(count, count + TOGETHER):
        columns[c], factors[c] = 0, 0
    return count


@compiled  # type: ignore[untyped-decorator]
def _product(seen: Bytes, scale: Floats, weight: Floats, out: Floats) -> None:
    """Add the product of the scaled observations and a weight matrix to `out`."""
    columns = np.empty(seen.shape[1] + TOGETHER, np.int64)
    factors = np.empty(seen.shape[1] + TOGETHER, np.float32)
    for i in range(len(seen)):
        for c in range(0, _found(seen[i], scale, columns, factors), TOGETHER):
            first, second, third, fourth = columns[c], columns[c + 1], columns[c + 2], columns[c + 3]
            a, b, d, e = factors[c], factors[c + 1], factors[c + 2], factors[c + 3]
            for k in range(weight.shape[1]):
                front = a * weight[first, k] + b * weight[second, k]
                out[i, k] += front + (d * weight[third, k] + e * weight[fourth, k])


@compiled  # type: ignore[untyped-decorator]
def _product_gradient(seen: Bytes, scale: Floats, wanted: Floats, slope: Floats) -> None:
    """Add the gradient of the weights to `slope`; `wanted` is that of the product."""
    columns = np.empty(seen.shape[1] + TOGETHER, np.int64)
    factors = np.empty(seen.shape[1] + TOGETHER, np.float32)
    for i in range(len(seen)):
        for c in range(_found(seen[i], scale, columns, factors)):
            column, factor = columns[c], factors[c]
            for k in range(wanted.shape[1]):
                slope[column, k] += factor * wanted[i, k]


@compiled  # type: ignore[untyped-decorator]
def _hide(tokens: Any, table: Floats, weight: Floats, hidden: Floats) -> None:
    """Write the hidden layer of an action: its table's, and its tokens' weights."""
    for k in range(len(hidden)):
        hidden[k] = table[k]
    for token in tokens:
        if token:
            for k in range(len(hidden)):
                hidden[k] += weight[token, k]


@compiled  # type: ignore[untyped-decorator]
def _scores(tokens: Any, rows: Whole, table: Floats, weight: Floats, head: Floats, out: Floats) -> None:
    """Write the score of each action."""
    width = len(head)
    hidden = np.empty(width, np.float32)
    for a in range(len(tokens)):
        row = rows[a]
        _hide(tokens[a], table[row], weight, hidden)
        score = np.float32(0)
        for k in range(width):
            score += head[k] * max(hidden[k], np.float32(0))
        out[a] = score


@compiled  # type: ignore[untyped-decorator]
def _scores_gradient(  # noqa: PLR0913 - three arrays of numbers, and their gradients
    tokens: Any,
    rows: Whole,
    table: Floats,
    weight: Floats,
    head: Floats,
    wanted: Floats,
    of_table: Floats,
    of_weight: Floats,
    of_head: Floats,
) -> None:
    """Add the gradients of the table, the tokens' weights and the head; `wanted` is that of the scores."""
    width = len(head)
    hidden = np.empty(width, np.float32)
    for a in range(len(tokens)):
        row, given = rows[a], wanted[a]
        if given == 0:
            continue
        _hide(tokens[a], table[row], weight, hidden)
        for k in range(width):
            of_head[k] += given * max(hidden[k], np.float32(0))
            hidden[k] = given * head[k] if hidden[k] > 0 else np.float32(0)
            of_table[row, k] += hidden[k]
        for t in range(tokens.shape[1]):
            token = tokens[a, t]
            if token:
                for k in range(width):
                    of_weight[token, k] += hidden[k]


class SparseProduct(torch.autograd.Function):  # type: ignore[misc]  # PyTorch need not be installed
    """The product of observations (n, size) int8, scaled, with weights (size, width)."""

    @staticmethod
    def forward(ctx: Any, seen: torch.Tensor, scale: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """Return (n, width)."""
        ctx.save_for_backward(seen, scale, weight)
        out = torch.zeros(len(seen), weight.shape[1])
        _product(seen.numpy(), scale.numpy(), weight.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(ctx: Any, wanted: torch.Tensor) -> tuple[None, None, torch.Tensor]:
        """Return the gradient of the weights."""
        seen, scale, weight = ctx.saved_tensors
        slope = torch.zeros_like(weight)
        _product_gradient(seen.numpy(), scale.numpy(), wanted.contiguous().numpy(), slope.numpy())
        return None, None, slope


class ActionHead(torch.autograd.Function):  # type: ignore[misc]
    """The scores of actions: of ``relu(table[rows] + weight[tokens].sum(1)) @ head``; token 0 is none."""

    @staticmethod
    def forward(
        ctx: Any,
        tokens: torch.Tensor,
        rows: torch.Tensor,
        table: torch.Tensor,
        weight: torch.Tensor,
        head: torch.Tensor,
    ) -> torch.Tensor:
        """Return the scores (k,)."""
        ctx.save_for_backward(tokens, rows, table, weight, head)
        out = torch.empty(len(tokens))
        _scores(*(each.detach().numpy() for each in (tokens, rows, table, weight, head, out)))
        return out

    @staticmethod
    def backward(ctx: Any, wanted: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """Return the gradients of the table, the weights and the head."""
        given = [each.detach() for each in ctx.saved_tensors]
        slopes = [torch.zeros_like(each) for each in given[2:]]
        _scores_gradient(*(each.numpy() for each in (*given, wanted.contiguous(), *slopes)))
        return None, None, *slopes
