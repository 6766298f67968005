"""Find the Chromium that the browser tests and the pictures drive, and install Debian's."""

from __future__ import annotations

import os
import shutil
import subprocess

from scripts.progress import run

# The headless shell first: it has no address bar, whose pages cost as much as ours, and needs no desktop.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser")
HOW = "install it (on Debian: apt install chromium-headless-shell) or name the program in BARTIZAN_CHROMIUM"
# Without a screen or a GPU; and the browser is to ask nobody about updates.
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
]


def find() -> str | None:
    """Return the program that `BARTIZAN_CHROMIUM` names, else the first one on the path, else none."""
    return os.environ.get("BARTIZAN_CHROMIUM") or next(
        (path for name in NAMES if (path := shutil.which(name))), None
    )


def can_install() -> bool:
    """Tell whether this is Debian's root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install() -> None:
    """Install Debian's headless shell, or its whole Chromium where it has none apart.

    Raises:
        Failed: The package index did not answer, or has neither.
    """
    environment = dict(os.environ) | {"DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    run("Chromium", [*apt, "update"], env=environment)
    known = subprocess.run(["apt-cache", "show", SHELL], capture_output=True, check=False).returncode == 0
    package = SHELL if known else "chromium"
    run("Chromium", [*apt, "install", "-y", "--no-install-recommends", package], env=environment)
