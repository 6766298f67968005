"""The layers that skip zeros give what PyTorch's own operators give, and the same gradients."""

from __future__ import annotations

import numpy as np
import pytest

from bartizan.engine.mode import COMPILED

torch = pytest.importorskip("torch", reason="needs PyTorch; CONTRIBUTING says how to run it")
if not COMPILED:
    pytest.skip("needs compiled rules", allow_module_level=True)

from bartizan.train.sparse import ActionHead, SparseProduct  # noqa: E402 - behind what may be missing


@pytest.mark.parametrize("size", [1, 15, 16, 17, 100])
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_the_product_is_that_of_the_whole_matrix(size: int, share: float) -> None:
    dice = np.random.default_rng(size)
    seen = torch.from_numpy(
        (dice.integers(-127, 128, (9, size)) * (dice.random((9, size)) < share)).astype(np.int8)
    )
    scale = torch.from_numpy(dice.random(size).astype(np.float32) / 100)
    weight = torch.from_numpy(dice.normal(size=(size, 12)).astype(np.float32)).requires_grad_()
    wanted = torch.from_numpy(dice.normal(size=(9, 12)).astype(np.float32))
    found = SparseProduct.apply(seen, scale, weight)
    expected = (seen.float() * scale) @ weight
    assert torch.allclose(found, expected, atol=1e-4)
    slopes = [torch.autograd.grad(each, weight, wanted)[0] for each in (found, expected)]
    assert torch.allclose(*slopes, atol=1e-4)


def test_actions_are_scored_by_their_tokens_and_their_table() -> None:
    dice = np.random.default_rng(1)
    tokens = torch.from_numpy(dice.integers(0, 6, (40, 3)).astype(np.int16))
    rows = torch.from_numpy(np.sort(dice.integers(0, 5, 40)))
    given = [dice.normal(size=shape).astype(np.float32) for shape in ((5, 8), (6, 8), (8,))]
    given[1][0] = 0  # no token
    table, weight, head = (torch.from_numpy(each).requires_grad_() for each in given)
    wanted = torch.from_numpy(dice.normal(size=40).astype(np.float32))
    found = ActionHead.apply(tokens, rows, table, weight, head)
    expected = (table[rows] + weight[tokens.long()].sum(1)).relu() @ head
    assert torch.allclose(found, expected, atol=1e-5)
    own, dense = (torch.autograd.grad(each, (table, weight, head), wanted) for each in (found, expected))
    assert torch.allclose(own[0], dense[0], atol=1e-4)
    assert torch.allclose(own[1][1:], dense[1][1:], atol=1e-4)
    assert not own[1][0].any()  # so its weights stay 0
    assert torch.allclose(own[2], dense[2], atol=1e-4)
