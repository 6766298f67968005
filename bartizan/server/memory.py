"""Keep Python's collector of cycles from holding the tables up.

What tables are made of is freed as soon as nobody wants it any more; the collector is there for the few
cycles that tasks and errors make.  Left as it is, it looks through all modules, compiled rules and scenes
again and again, and everything waits meanwhile.
"""

from __future__ import annotations

import gc

# Objects made and not freed before the youngest are looked through, and how often that is done before the
# next older ones are.
THRESHOLDS = (20_000, 20, 50)


def calm_collector() -> None:
    """Leave what is there now to the end of the process out of all collections, and have fewer of them.

    Called once a server is up, and again when a game was loaded.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
