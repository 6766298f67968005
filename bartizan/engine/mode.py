"""Decide how the rules run in this process.

``BARTIZAN_MODE=compiled`` (the default) compiles every rule with Numba;
``BARTIZAN_MODE=python`` leaves them as plain Python, for debugging and for
machines without a compiler.  Both give the same states, bit by bit.
"""

from __future__ import annotations

import os
import sys

MODE = os.environ.get("BARTIZAN_MODE", "compiled")
COMPILED = MODE != "python"

if MODE not in ("compiled", "python"):
    print(f"BARTIZAN_MODE is {MODE!r}; it can be 'compiled' or 'python'.", file=sys.stderr)
    raise SystemExit(2)
