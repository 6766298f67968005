"""Say how near each side is to a win, for `bartizan train`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SETTINGS: dict[str, float] = {"entropy": 0.006}


def progress(states: Any) -> NDArray[np.float32]:
    """Return each side's lead (n, sides) over the best other one, as a share of the points that decide."""
    points = states["score"]["points"].astype(np.float32)
    sides = range(points.shape[1])
    others = np.stack([np.delete(points, side, axis=1).max(axis=1) for side in sides], axis=1)
    lead: NDArray[np.float32] = (points - others) / states["options"]["target"][:, None]
    return lead.astype(np.float32)
