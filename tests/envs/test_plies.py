"""A batch beside plain Python and a second implementation, at random options: see `tests.envs.plies`."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.envs.batch import Batch
from tests.corpus import sample
from tests.envs import plies


@pytest.mark.parametrize("name", plies.AUDITED)
def test_batches_play_as_two_other_implementations(name: str) -> None:
    played = [plies.play(name, number, sample(12, 400)) for number in range(sample(2, 10))]
    assert sum(each.plies for each in played) > 30
    assert sum(each.compared for each in played) > 3


def test_another_action_than_the_one_given_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Batch.step

    def first_legal(self: Batch, actions: Any) -> Any:
        return honest(self, self.last.legal[:, 0])

    monkeypatch.setattr(Batch, "step", first_legal)
    with pytest.raises(AssertionError, match="table"):
        plies.play("castle-danger", 0, 12)
