"""The Lab: many games, honest figures.  `bartizan.lab.Experiment` is what ``bartizan lab`` runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bartizan.engine.extras import require

if TYPE_CHECKING:
    from bartizan.lab.report.notebook import NotebookExperiment as Experiment

__all__ = ["Experiment"]


def __getattr__(name: str) -> Any:
    """Import names lazily: data frames and statistics take a while to load."""
    if name != "Experiment":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    require("lab", "The Lab")
    from bartizan.lab.report.notebook import NotebookExperiment

    return NotebookExperiment
