"""Make small networks in ONNX for the tests of policies."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from bartizan.engine.game import Game

INT8, INT64, FLOAT = TensorProto.INT8, TensorProto.INT64, TensorProto.FLOAT


def model(
    nodes: list[Any], inputs: list[Any], outputs: list[Any], **weights: NDArray[Any]
) -> onnx.ModelProto:
    """Return a model of some operators; inputs and outputs are (name, type, shape)."""
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(*each) for each in inputs],
        [helper.make_tensor_value_info(*each) for each in outputs],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def layered(
    game: Game, first: NDArray[np.float32], second: NDArray[np.float32], bias: NDArray[np.float32]
) -> onnx.ModelProto:
    """Return a policy whose logits are ``observation @ first @ second + bias``."""
    nodes = [
        helper.make_node("Cast", ["observation"], ["seen"], to=FLOAT),
        helper.make_node("MatMul", ["seen", "first"], ["between"]),
        helper.make_node("Gemm", ["between", "second", "bias"], ["logits"]),
    ]
    inputs = [("observation", INT8, ["n", game.observer.OBSERVATION.size])]
    outputs = [("logits", FLOAT, ["n", game.actions.size])]
    return model(nodes, inputs, outputs, first=first, second=second, bias=bias)


def embedded(game: Game, values: NDArray[np.float32]) -> onnx.ModelProto:
    """Return a policy that gives an action the sum of the `values` (tokens,) of its tokens."""
    nodes = [
        helper.make_node("Gather", ["values", "tokens"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axis"], ["sums"], keepdims=0),
        helper.make_node(
            "ReduceSum",
            [
                "observation",
                "both",
            ],
            ["nothing"],
            keepdims=0,
        ),
        helper.make_node("Mul", ["nothing", "zero"], ["none"]),
        helper.make_node("Add", ["sums", "none"], ["logits"]),
    ]
    inputs = [
        ("observation", FLOAT, [1, game.observer.OBSERVATION.size]),
        ("tokens", INT64, ["k", game.observer.TOKENS.width]),
    ]
    return model(
        nodes, inputs, [("logits", FLOAT, ["k"])], values=values, axis=np.array([1]), both=np.array([0, 1]),
        zero=np.zeros((), np.float32),
    )  # fmt: skip


def liking(game: Game, *actions: int) -> onnx.ModelProto:
    """Return a policy that likes some actions, the first best, and all others alike."""
    bias = np.zeros(game.actions.size, np.float32)
    for place, action in enumerate(actions):
        bias[action] = len(actions) - place
    first, second = (game.observer.OBSERVATION.size, 1), (1, len(bias))
    return layered(game, np.zeros(first, np.float32), np.zeros(second, np.float32), bias)
