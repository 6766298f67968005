"""Check for the packages of an extra before using them, so that users get a clear error message."""

from __future__ import annotations

import importlib
import os
import time
from importlib.util import find_spec
from pathlib import Path

from bartizan.engine.errors import BartizanError

# extra of pyproject.toml: the modules that it brings (a test compares the two)
EXTRAS: dict[str, tuple[str, ...]] = {
    "server": ("litestar", "uvicorn", "httptools", "websockets", "prometheus_client"),
    "lab": ("polars", "scipy", "altair", "vl_convert", "jinja2", "choix"),
    "throwing": ("mujoco", "shapely", "polars"),
    "gym": ("gymnasium",),
    "zoo": ("gymnasium", "pettingzoo"),
    "openspiel": ("pyspiel",),
    "policy": ("onnx", "onnxruntime"),
    "train": ("torch", "tensorboard", "onnxscript", "onnx", "onnxruntime"),
    "postgres": ("asyncpg",),
    "push": ("cryptography", "httpx"),
    "ray": ("ray",),
    "cuda": ("numba_cuda", "cupy"),
}
# Names a file that exists while `make play` installs extras beside the server, and lists them.
INSTALLING = "BARTIZAN_INSTALLING"


class MissingExtra(BartizanError, ImportError):
    """A package that isn't installed; the sentence has the command that installs it."""

    code = "missing_extra"


def require(extra: str, what: str) -> None:
    """Return if the packages of an extra are installed; raises `MissingExtra` otherwise.

    Args:
        extra: its name in pyproject.toml.
        what: what needs it, in the singular, to begin the sentence with, such as "The Lab".
    """
    if being_installed(extra):
        raise MissingExtra(f"{what} needs packages that are being installed; try again in a minute.")
    if not installed(extra):
        raise MissingExtra(
            f"{what} needs packages that aren't installed: run pip install 'bartizan[{extra}]'."
        )


def installed(extra: str) -> bool:
    """Say whether the packages of an extra are installed and complete."""
    if being_installed(extra):
        return False
    if all(find_spec(name) is not None for name in EXTRAS[extra]):
        return True
    importlib.invalidate_caches()  # they may have been installed since this process began
    return all(find_spec(name) is not None for name in EXTRAS[extra])


def wait_for(extra: str, seconds: float = 60.0) -> None:
    """Wait while `make play` installs an extra."""
    until = time.monotonic() + seconds
    while being_installed(extra) and time.monotonic() < until:
        time.sleep(0.2)


def being_installed(extra: str) -> bool:
    """Say whether `make play` is installing an extra right now."""
    if not (name := os.environ.get(INSTALLING)):
        return False
    try:
        return extra in Path(name).read_text(encoding="utf-8").split()
    except OSError:  # everything is installed
        return False
