"""A table for siege games: one rule source a game, for playing, playtesting and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bartizan.envs.batch import Batch, Step
    from bartizan.envs.making import batch

__version__ = "0.1.0"
__all__ = ["Batch", "Step", "__version__", "batch"]


def __getattr__(name: str) -> Any:
    """Import what environments are made with when it is first asked for: everything else starts without."""
    if name in ("Batch", "Step", "batch"):
        from bartizan.envs import batch as batches
        from bartizan.envs import making

        return getattr(making if name == "batch" else batches, name)
    raise AttributeError(f"module 'bartizan' has no attribute {name!r}")
