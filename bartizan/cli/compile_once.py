"""Compile a game that need not be installed: ``python -m bartizan.cli.compile_once PACKAGE``.

`bartizan check` starts it. If the rules can't be compiled, it prints one sentence and exits with 1.
"""

from __future__ import annotations

import importlib
import sys

from bartizan.compile.targets import compile_target
from bartizan.engine import registry
from bartizan.engine.trial import FAULTY
from bartizan.match.local import told


def main(package: str) -> int:
    """Compile what playing needs of the game in a package."""
    game = importlib.import_module(package).game
    registry.add(game)
    try:
        compile_target(game.name, "table")
    except Exception as error:  # noqa: BLE001 - whatever its author wrote
        print(told(error, game.folder))
        return FAULTY
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
