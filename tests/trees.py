"""Look at what searches know before they think."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.search.tree import TreeSearch


def watch(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that every search adds to when it begins to think: the iterations its trees hold then."""
    known: list[int] = []
    think = TreeSearch.think

    def watched(self: TreeSearch, *given: Any, **more: Any) -> Any:
        known.append(self.iterations)
        return think(self, *given, **more)

    monkeypatch.setattr(TreeSearch, "think", watched)
    return known
