"""Draw Castle Danger's pieces: silhouettes as SVG paths in a box of 100 by 100, filled even-odd."""

from __future__ import annotations

# What stands on the pedestal; holes are cut by the even-odd rule.
KING = "M14 70 L8 26 L31 45 L50 12 L69 45 L92 26 L86 70 Z M16 75 H84 V84 H16 Z M50 47 L57 57 L50 67 L43 57 Z"
WIZARD = (
    "M54 6 Q66 34 73 64 Q50 58 27 64 Q36 34 54 6 Z M6 76 Q50 54 94 76 Q92 86 50 86 Q8 86 6 76 Z "
    "M50 30 L53 38 L61 39 L55 44 L57 52 L50 48 L43 52 L45 44 L39 39 L47 38 Z"
)
BUILDER = "M14 12 H66 Q84 12 88 34 Q76 28 68 30 V38 H14 Z M40 42 H56 L58 86 H38 Z"
CANNON = (
    "M8 50 L66 12 Q70 8 74 12 L86 28 Q88 34 84 36 L34 68 Q10 72 8 50 Z "
    "M56 56 A16 16 0 1 0 56.1 56 Z M56 66 A6 6 0 1 1 55.9 66 Z"
)
# Blue stands on a rounded foot, Red on steps, so that the colours are not the only difference.
ROUND_FOOT = " M22 96 Q24 89 34 89 H66 Q76 89 78 96 Z"
STEPPED_FOOT = " M12 97 V93 H24 V89 H76 V93 H88 V97 Z"

WALL = (
    "M6 18 H26 V30 H40 V18 H60 V30 H74 V18 H94 V92 H6 Z "
    "M6 48 H94 V52 H6 Z M6 70 H94 V74 H6 Z M34 52 H38 V70 H34 Z M64 52 H68 V70 H64 Z "
    "M48 34 H52 V48 H48 Z M48 74 H52 V92 H48 Z M20 74 H24 V92 H20 Z M78 74 H82 V92 H78 Z"
)
FLAME = (
    "M52 4 C56 26 82 38 82 64 C82 82 68 95 50 95 C32 95 18 82 18 64 C18 50 26 42 33 34 "
    "C34 45 38 50 45 52 C40 34 44 18 52 4 Z"
)
HOLLOW = " M51 56 C54 65 64 68 64 77 C64 84 58 88 50 88 C42 88 36 84 36 77 C36 70 45 66 51 56 Z"

UNITS = {"K": KING, "W": WIZARD, "B": BUILDER, "C": CANNON}
ART = {
    **{face: path + ROUND_FOOT for face, path in UNITS.items()},
    **{face.lower(): path + STEPPED_FOOT for face, path in UNITS.items()},
    "#": WALL,
    "+": FLAME,
    "x": FLAME + HOLLOW,
}
