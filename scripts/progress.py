"""Say what is being done: a line a step with the time it took, and on a terminal what runs now."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build" / "logs"
TAIL = 40  # lines of a failed command's output that are shown


class Problem(Exception):
    """A set-up problem that the user can mend: the text is the one sentence to print."""


class Failed(Exception):
    """A command that failed, with what it printed."""

    def __init__(self, title: str, output: str, sentence: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.output = output
        self.sentence = sentence

    def report(self) -> str:
        """Return the text to show: the sentence alone where the cause is known, else the output's end."""
        if self.sentence:
            return self.sentence
        lines = self.output.rstrip().splitlines()
        log = LOGS / (self.title.replace(" ", "-").replace("/", "-") + ".log")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(self.output, encoding="utf-8")
        left_out = [f"… ({len(lines) - TAIL} lines more)"] if len(lines) > TAIL else []
        where = f"{self.title} failed; all of its output is in {log.relative_to(ROOT)}."
        return "\n".join([*left_out, *lines[-TAIL:], where])


class Progress:
    """Print finished steps as lines; on a terminal keep a last line with the running ones up to date."""

    def __init__(self) -> None:
        self._running: dict[str, float] = {}
        self._lock = threading.Lock()
        self._game_state = sys.stdout.isatty()
        self._ticker: threading.Thread | None = None

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Time the body as a step named `title` and print its line, failed or not."""
        start = time.monotonic()
        with self._lock:
            self._running[title] = start
            if self._game_state and self._ticker is None:
                self._ticker = threading.Thread(target=self._tick, daemon=True)
                self._ticker.start()
        try:
            yield
        except KeyboardInterrupt:
            self._finish(title, "interrupted")
            raise
        except BaseException:
            self._finish(title, f"FAILED after {time.monotonic() - start:.1f} s")
            raise
        self._finish(title, f"{time.monotonic() - start:.1f} s")

    def line(self, title: str, outcome: str) -> None:
        """Print a line for something that took no time, such as a step that was skipped."""
        with self._lock:
            self._print(title, outcome)

    def close(self) -> None:
        """Take the line of running steps away."""
        with self._lock:
            self._running.clear()
            self._clear()

    def _finish(self, title: str, outcome: str) -> None:
        with self._lock:
            self._running.pop(title, None)
            self._print(title, outcome)

    def _print(self, title: str, outcome: str) -> None:
        self._clear()
        print(f"  {title + ' ':.<44} {outcome}", flush=True)

    def _clear(self) -> None:
        if self._game_state:
            print("\r\x1b[K", end="", flush=True)

    def _tick(self) -> None:
        while True:
            with self._lock:
                now = time.monotonic()
                if not self._running:
                    self._ticker = None
                    return
                running = ", ".join(
                    f"{title} ({now - start:.0f} s)" for title, start in self._running.items()
                )
                print(f"\r\x1b[K  … {running}"[:100], end="", flush=True)
            time.sleep(0.25)


def run(
    title: str, command: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> str:
    """Run `command` and return what it printed, both streams together.

    Raises:
        Failed: the command could not be started, or ended with another status than 0.
    """
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise Failed(title, f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise Failed(title, done.stdout)
    return done.stdout
