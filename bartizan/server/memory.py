"""Keep Python's cyclic garbage collector from stalling the tables.

Reference counting frees nearly everything; the collector is needed only for the few cycles that tasks and
errors make.  By default it traverses all modules, compiled rules and scenes again and again, and everything
waits for it.
"""

from __future__ import annotations

import gc

# Objects made and not freed before the youngest are looked through, and how often that is done before the
# next older ones are.
THRESHOLDS = (20_000, 20, 50)


def calm_collector() -> None:
    """Exclude all current objects from collections, and make collections rarer.

    Call this once the server is up, and again after a game is loaded.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
