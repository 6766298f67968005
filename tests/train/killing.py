"""Train until the first checkpoint, then die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = (
    "import sys; from bartizan.train import run; from bartizan.cli.main import main; run.EVERY = 0.5; "
    "sys.exit(main(sys.argv[1:]))"
)


def kill_at_checkpoint(folder: Path, *more: str) -> None:
    """Train Castle Danger in another process, and kill it once its folder has a checkpoint."""
    words = ["train", "castle-danger", "--minutes", "1", "--out", str(folder), *more]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", SCRIPT, *words], env=environment) as process:
        while not (folder / "checkpoint.pt").exists():
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
