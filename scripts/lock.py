"""Refresh the hashed lock files from pyproject.toml, for every platform and Python that we support.

The files name packages, versions and hashes, and no address: pip asks whichever index it is set up with.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from scripts.progress import ROOT

HEADER = "# Made by `make lock` from pyproject.toml; not edited by hand.\n"
# In this order: what an earlier file pins, a later one takes over.
SOURCES = {
    "requirements.lock": ["--extra", "server", "pyproject.toml"],
    "requirements-more.lock": ["--extra", "lab", "--extra", "throwing", "--extra", "push", "pyproject.toml"],
    "requirements-build.lock": ["--group", "build"],
    "requirements-dev.lock": ["--group", "dev"],
    "requirements-bench.lock": ["--extra", "bench", "pyproject.toml"],
}


def main(arguments: Sequence[str]) -> int:
    """Resolve again; ``--upgrade`` (passed to uv) takes the newest versions instead of keeping the pins."""
    done: list[str] = []
    for name, source in SOURCES.items():
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-config", "--universal"]
        command += ["--fork-strategy", "fewest", "--python-version", "3.11", "--generate-hashes"]
        command += ["--no-annotate", "--no-header", "--no-emit-index-url", "--no-emit-find-links"]
        command += [part for lock in done for part in ("-c", lock)]
        if subprocess.run([*command, *source, "-o", name, *arguments], cwd=ROOT, check=False).returncode != 0:
            return 2
        lock = ROOT / name
        lock.write_text(HEADER + lock.read_text(encoding="utf-8").removeprefix(HEADER), encoding="utf-8")
        done.append(name)
        print(f"  {name}: {lock.read_text(encoding='utf-8').count('==')} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
