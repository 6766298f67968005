"""``bartizan serve``: start a server for playing in the browser."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from bartizan.cli.parser import Parser, add_data, whole
from bartizan.engine.extras import require
from bartizan.engine.files import Unreadable, reason


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    parsing.add_argument(
        "--port", type=whole(1, 65535), default=8765, help="port to listen on (default: 8765)"
    )
    add_data(parsing)
    parsing.add_argument(
        "--policies",
        type=Path,
        metavar="FOLDER",
        help="offer the trained policies in this folder (*.onnx) as players",
    )
    parsing.add_argument(
        "--workers",
        type=whole(1, 64),
        default=1,
        metavar="N",
        help="number of server processes, about one per core (default: 1)",
    )
    parsing.add_argument(
        "--database",
        default=os.environ.get("BARTIZAN_DATABASE", ""),
        metavar="URL",
        help="keep tables in PostgreSQL at postgresql://user@host/name instead of in the data folder; to "
        "keep a password out of the process list, set BARTIZAN_DATABASE instead",
    )
    parsing.add_argument(
        "--keep-unplayed",
        type=whole(0, 100_000),
        default=30,
        metavar="DAYS",
        help="delete unplayed tables after this many days (default: 30; 0: never)",
    )
    parsing.add_argument(
        "--most-tables",
        type=whole(1, 1_000_000_000),
        default=1_000_000,
        metavar="N",
        help="refuse new tables beyond this number (default: 1000000)",
    )
    parsing.add_argument(
        "--public",
        action="store_true",
        help="refuse to start if the setup is unsafe, and say why",
    )
    parsing.add_argument(
        "--public-url",
        default="",
        metavar="URL",
        help="the address that people use, such as https://games.example.org/ or a path below it",
    )
    parsing.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name to answer to (repeatable)",
    )
    parsing.add_argument(
        "--proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="address or network of a proxy whose X-Forwarded-For is trusted (repeatable)",
    )
    parsing.add_argument(
        "--metrics",
        default="",
        metavar="HOST:PORT",
        help="serve Prometheus metrics at this address, without a key",
    )
    parsing.add_argument(
        "--log",
        choices=("text", "json"),
        default="text",
        help="format of the log on standard error (default: text)",
    )
    parsing.add_argument("--log-requests", action="store_true", help="log each request, without keys")
    parsing.add_argument("--open", action="store_true", help="open the page in a browser")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C; what is not compiled yet is compiled beside."""
    require("server", "The server")
    from bartizan.server.hosting import Hosting
    from bartizan.server.run import serve
    from bartizan.server.workers import Processes
    from bartizan.tables.limits import Limits

    if args.policies is not None:
        _look_into(args.policies)  # here once, and not in every worker

    def prepare() -> None:
        if args.policies is not None:
            _admit(args.policies)

    hosting = Hosting(
        public=args.public,
        public_url=args.public_url,
        allow_hosts=tuple(args.allow_host),
        proxies=tuple(args.proxy),
        metrics=args.metrics,
        log=args.log,
        log_requests=args.log_requests,
    )
    processes = Processes(args.workers, args.database, prepare)
    limits = Limits(keep_unplayed_days=args.keep_unplayed, tables_kept=args.most_tables)
    place = args.host, args.port, args.data, args.open
    return int(serve(*place, processes=processes, hosting=hosting, limits=limits) or 0)


def _look_into(folder: Path) -> None:
    """Raise `Unreadable` for a folder that is none."""
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        raise Unreadable(f"{folder} cannot be read: {reason(error)}.") from error


def _admit(folder: Path) -> None:
    """Offer the policies in a folder as players, and report those that can't be loaded."""
    from bartizan.engine import registry
    from bartizan.envs.policy import admit_folder

    refused = admit_folder([registry.get(name) for name in registry.names()], folder)
    for sentence in refused.values():
        print(f"bartizan: {' '.join(sentence.split())}", file=sys.stderr)
