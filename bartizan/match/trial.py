"""Play a game interpreted before it is compiled: ``python -m bartizan.match.trial PACKAGE``.

`bartizan.engine.trial` starts it. If it finds a fault, it prints one sentence on the first and exits with 1.
"""

from __future__ import annotations

import importlib
import sys

from bartizan.engine import registry
from bartizan.engine.trial import FAULTY
from bartizan.match.checking import TRIAL_GAMES, check_game


def main(package: str) -> int:
    """Try the game of a package."""
    game = importlib.import_module(package).game
    registry.add(game)
    faults = check_game(game, TRIAL_GAMES, rules_only=True).faults
    if faults:
        print(" ".join(faults[0].split()))
    return FAULTY if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
