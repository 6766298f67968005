"""``bartizan dev``: play a game of your own in the browser while you write it."""

from __future__ import annotations

import argparse
import importlib
import logging
import multiprocessing
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from bartizan.cli.errors import BAD_INPUT
from bartizan.cli.parser import Parser, whole
from bartizan.engine.extras import require

POLL_SECONDS = 0.25
PATIENCE = 0.3  # seconds that a server has to stop; what it holds is on disk by then
WATCHED = (".py", ".toml", ".svg")


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME", help="folder or name of the game")
    parsing.add_argument(
        "--port", type=whole(1, 65535), default=8765, help="port to listen on (default: 8765)"
    )
    parsing.add_argument("--no-open", action="store_true", help="don't open the page in a browser")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Serve the game interpreted until Ctrl-C, and start again whenever a file of it is saved."""
    require("server", "`bartizan dev`")
    from bartizan.engine import registry
    from bartizan.match.local import find_package
    from bartizan.server.run import bind

    package = find_package(args.game)
    folder = package or registry.get(args.game).folder
    bind("127.0.0.1", args.port).close()  # says now whether the port is free
    signal.signal(signal.SIGTERM, _interrupt)
    with tempfile.TemporaryDirectory(prefix="bartizan-dev-") as data:
        return _watch(args, package, folder, Path(data))


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _watch(args: argparse.Namespace, package: Path | None, folder: Path, data: Path) -> int:
    """Run a server, and restart it whenever a file changes."""
    print(f"Watching {folder}; save a file, and the game starts again (stop with Ctrl-C).", flush=True)
    # A server forked from here only needs to import the game, which saves seconds.
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    processes: Any = multiprocessing.get_context("fork" if can_fork else "spawn")
    for name in ("bartizan.match.checking", "bartizan.tables.installed", "bartizan.compile.targets"):
        importlib.import_module(name)

    def started(open_browser: bool) -> BaseProcess:
        arguments = (args.game, package, folder, data, args.port, open_browser)
        server: BaseProcess = processes.Process(target=_serve, args=arguments, daemon=True)
        server.start()
        return server

    seen = _stamps(folder)
    server = started(not args.no_open)
    try:
        while True:
            time.sleep(POLL_SECONDS)
            if (now := _stamps(folder)) != seen:
                seen = now
                _stop(server)
                server = started(False)
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(server)


def _stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return when each file of the game was last written, and its size."""
    stamps = {}
    for path in folder.rglob("*"):
        if path.suffix in WATCHED:
            try:
                stat = path.stat()
            except OSError:  # an editor is replacing it
                continue
            stamps[path] = stat.st_mtime_ns, stat.st_size
    return stamps


def _stop(server: BaseProcess) -> None:
    server.terminate()
    server.join(PATIENCE)
    if server.is_alive():  # a page is still connected
        server.kill()
        server.join()


# --- In the process that serves -----------------------------------------------------


class _Places(logging.Handler):
    """Say where in the game's folder an error arose that the server reports."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        """Print the sentence."""
        from bartizan.match.local import place_of, told

        error = getattr(record, "cause", None)
        if isinstance(error, Exception) and place_of(error, self._folder):
            _say(told(error, self._folder))


def _say(*sentences: str) -> None:
    print(*sentences, sep="\n", file=sys.stderr, flush=True)


def _serve(name: str, package: Path | None, folder: Path, data: Path, port: int, open_browser: bool) -> None:
    """Load the game, report its errors, and serve it if it can be played."""
    from bartizan.engine import registry
    from bartizan.engine.errors import BartizanError
    from bartizan.match.checking import check_sources
    from bartizan.match.local import load_game
    from bartizan.server.run import serve
    from bartizan.tables.installed import Installed

    sys.dont_write_bytecode = True  # Python would take two saves in one second for the same
    try:
        game = registry.get(name) if package is None else load_game(package)
        faults = check_sources(game)
    except BartizanError as error:
        faults = [str(error)]
    if faults:
        _say(*faults, "Save the file again once this is put right.")
        sys.exit(BAD_INPUT)

    class OnlyThis(Installed):
        """The one game; the others would only take time."""

        def names(self) -> Sequence[str]:
            """Return its name."""
            return [game.name]

    logging.getLogger("bartizan.server").addHandler(_Places(folder))
    try:
        serve(port=port, data_dir=data, open_browser=open_browser, games=OnlyThis())
    except BartizanError as error:
        _say(str(error))
        sys.exit(BAD_INPUT)
