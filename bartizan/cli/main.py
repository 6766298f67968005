"""Find the command that was asked for, run it, and turn every error into one sentence."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bartizan import __version__
from bartizan.cli.errors import BAD_INPUT, UsageError
from bartizan.cli.progress import was_interrupted
from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.files import reason

INTERRUPTED = 130  # what a shell reports for Ctrl-C
PIPE_CLOSED = 141  # and for a reader that went away
BROKEN = 70  # our own mistake, not the caller's

COMMANDS = {
    "games": "list the games, or show one with its options",
    "play": "play at the terminal",
    "serve": "start a server for playing in the browser",
    "tables": "manage a server's tables: list, close, delete, back up, check",
    "rules": "read a game's rules",
    "replay": "show a recorded game, or check it by the rules",
    "verify": "check that no one chose a recorded game's deal or changed its moves",
    "analyse": "review a recorded game: best moves and turning points",
    "judge": "test the rules against scenario files",
    "simulate": "play many games quickly and count the results",
    "trace": "print random games in full",
    "export": "play games and write them as a data set",
    "throw": "throw one card and show the result",
    "throws": "throw many cards and measure how often they hit",
    "deal": "deal a game and find out whether it can be won",
    "ladder": "rate players by letting them play each other",
    "lab": "find out whether a game works, by experiments",
    "train": "train a policy and rate it",
    "policies": "list the trained policies that come with Bartizan, or copy one",
    "learn": "train a network for the search by self-play",
    "puzzles": "find puzzles: turns with few good moves",
    "perft": "count all lines of play of a given length",
    "compile": "compile the rules ahead of time",
    "new": "create a game of your own",
    "dev": "play a game of your own while you write it",
    "check": "check a game's files and rules for mistakes",
}
# Commands that need no compiled rules, and start faster without the compiler.
LIGHT = ("games", "rules", "tables", "policies", "new", "dev", "check")


def usage() -> str:
    """Return the text of ``bartizan --help``."""
    lines = ["usage: bartizan COMMAND …", "", "A table for siege games.", ""]
    lines += [f"  {name:<10} {meaning}" for name, meaning in COMMANDS.items()]
    lines += ["", "`bartizan COMMAND --help` shows its options. `bartizan --version` prints the version."]
    return "\n".join(lines)


def run(words: Sequence[str]) -> int:
    """Run one command line; return its exit code.  Errors are raised."""
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return 0 if words else BAD_INPUT
    if words[0] in ("-V", "--version"):
        print(f"bartizan {__version__}")
        return 0
    name = words[0]
    if name not in COMMANDS:
        from bartizan.engine import registry

        if name in registry.names():
            raise UsageError(f"{name} is a game. `bartizan play {name}` plays it.")
        meant = nearest(name, COMMANDS) or f" The commands are {', '.join(COMMANDS)}."
        what = "option" if name.startswith("-") else "command"
        raise UsageError(f"There is no {what} {name!r}.{meant}")
    command = importlib.import_module(f"bartizan.cli.{name}_command")
    parser = command.parser(f"bartizan {name}", COMMANDS[name])
    code: int = command.run(parser.parse_args(list(words[1:])))
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 2 for bad input, with a sentence on stderr."""
    _open_streams()
    # What goes wrong in a thread is raised where its result is wanted.  The pool itself logs only that Ctrl-C
    # came while a lock was being taken, with a traceback.
    logging.getLogger("concurrent.futures").setLevel(logging.CRITICAL + 1)
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None and words and words[0] in LIGHT:
        os.environ.setdefault("BARTIZAN_MODE", "python")
    try:
        code = run(words)
        sys.stdout.flush()
        return code
    except SystemExit as leaving:  # argparse's --help
        return leaving.code if isinstance(leaving.code, int) else BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except BartizanError as error:
        return _say(str(error), BAD_INPUT)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        what = error.filename or "The output"
        return _say(f"{what} cannot be used: {reason(error)}.", BAD_INPUT)
    except Exception as error:  # whatever it is, a player gets a sentence
        if was_interrupted(error):
            return INTERRUPTED
        if os.environ.get("BARTIZAN_DEBUG"):
            raise
        from bartizan.engine import registry

        if fault := registry.fault_of(error):
            return _say(f"{fault} With BARTIZAN_DEBUG=1 you see the whole traceback.", BAD_INPUT)
        return _say(
            f"Internal error in Bartizan ({type(error).__name__}: {error}). "
            "With BARTIZAN_DEBUG=1 it says where.",
            BROKEN,
        )


def _open_streams() -> None:
    """Make the standard streams usable where they are closed, or cannot show or read a sign."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - it stays open
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Let what Python still flushes to stdout on its way out go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stream that is no file has nothing to flush
        return


def _say(sentence: str, code: int) -> int:
    try:
        sys.stdout.flush()
        print(f"bartizan: {' '.join(sentence.split())}", file=sys.stderr, flush=True)
    except OSError:  # no one is there to read it
        pass
    return code
