"""Keep Python's cyclic garbage collector from stalling the tables.

Reference counting frees nearly everything; the collector is needed only for the few cycles that tasks and
errors make.  By default it traverses all modules, compiled rules and scenes again and again, and everything
waits for it.
"""

from __future__ import annotations

import gc

# How many new objects trigger a collection of the youngest generation, and how many collections of each
# generation trigger the next.
THRESHOLDS = (20_000, 20, 50)


def calm_collector() -> None:
    """Exclude all current objects from collections, and make collections rarer.

    Call this once the server is up, and again after a game is loaded.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
