"""Find the figures that a game keeps in files, which anybody may replace.

A game's own files lie in its folder under ``data``.  Whoever sets the variable
``BARTIZAN_DATA`` to a folder of theirs puts other ones there, in a folder named
like the game's: ``$BARTIZAN_DATA/yourgame/data/figures.toml``.  Rules take them
in when they are compiled, and are compiled anew when a file changes.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA = "data"


def own_data(home: Path) -> tuple[Path, ...]:
    """Return the folder with somebody's own files for the game whose files are in `home`, if there is one."""
    folder = Path(os.environ.get("BARTIZAN_DATA") or ".", home.name).resolve()
    return (folder,) if os.environ.get("BARTIZAN_DATA") and (folder / DATA).is_dir() else ()


def data_file(home: Path, name: str) -> Path:
    """Return where to read a game's figures from: somebody's own file, or else the game's."""
    for folder in own_data(home):
        if (folder / DATA / name).is_file():
            return folder / DATA / name
    return home / DATA / name
