"""Find a game's data files, which users can override.

A game's files are in the ``data`` folder of its package.  To override them, set
``BARTIZAN_DATA`` to a folder and put your files in a subfolder named after the
game: ``$BARTIZAN_DATA/yourgame/data/figures.toml``.  Rules read the files when
they are compiled, and are recompiled when a file changes.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA = "data"


def own_data(home: Path) -> tuple[Path, ...]:
    """Return the folder with the user's files for the game in `home`, if there is one."""
    folder = Path(os.environ.get("BARTIZAN_DATA") or ".", home.name).resolve()
    return (folder,) if os.environ.get("BARTIZAN_DATA") and (folder / DATA).is_dir() else ()


def data_file(home: Path, name: str) -> Path:
    """Return the path of a data file: the user's file if there is one, otherwise the game's."""
    for folder in own_data(home):
        if (folder / DATA / name).is_file():
            return folder / DATA / name
    return home / DATA / name
