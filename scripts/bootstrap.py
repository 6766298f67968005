"""Set up this checkout and start it, with nothing but Python's standard library.

``python3 -m scripts.bootstrap play`` makes the environment, builds the client, compiles the rules and opens a
table; ``… test`` runs every check.  The Makefile calls these.  What is there already is told by digests of
contents, so that a second run takes no time and touches no network.
"""

import sys

# This file is read by any Python 3, so that an old one gets a sentence instead of a syntax error.
if sys.version_info < (3, 11):  # noqa: UP036
    import shutil

    found = [name for name in ("python3.14", "python3.13", "python3.12", "python3.11") if shutil.which(name)]
    hint = "try again with PYTHON=" + found[0] if found else "please install one"
    version = ".".join(map(str, sys.version_info[:3]))
    print("Bartizan needs Python 3.11 or later, and this is " + version + ": " + hint + ".", file=sys.stderr)
    sys.exit(2)

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

from scripts import checks, setup
from scripts.progress import Failed, Problem, Progress

# name: (what it does, the locks that it needs installed)
COMMANDS = {
    "play": ("set everything up, start the server and open a table", ["build", "runtime"]),
    "test": ("run every check and test", ["build", "runtime", "dev"]),
    "env": ("make the Python environment, with what the tests need", ["build", "runtime", "dev"]),
    "client": ("build the browser client", ["build"]),
    "lint": ("check format, lint and types", ["build", "runtime", "dev"]),
    "format": ("format the Python code and mend what can be mended", ["dev"]),
    "generated": ("write the files that are generated from the schema", ["build", "runtime"]),
    "openspiel": ("install OpenSpiel, which the benchmark measures too", ["build", "runtime", "bench"]),
    "screenshots": ("make the pictures in docs/ anew", ["build", "runtime", "dev"]),
    "wheel": ("build a wheel with the client in it", ["build"]),
    "lock": ("refresh the lock files", ["dev"]),
    "run": ("run a Python module in the environment", ["build", "runtime"]),
}


def main(argv: list[str]) -> int:
    """Run one command; the exit status is 0, 1 where checks failed, 2 where the set-up did."""
    parser = argparse.ArgumentParser(prog="python3 -m scripts.bootstrap", description="Set up this checkout.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (sentence, _) in COMMANDS.items():
        commands.add_parser(name, help=sentence).add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack a sign
    progress = Progress()
    try:
        return dispatch(options.command, options.arguments, progress)
    except Failed as failure:
        progress.close()
        print(failure.report(), file=sys.stderr)
    except Problem as problem:
        progress.close()
        print(problem, file=sys.stderr)
    except KeyboardInterrupt:
        progress.close()
        return 130
    return 2


def dispatch(command: str, arguments: list[str], progress: Progress) -> int:
    """Set up what `command` needs, then run it; some commands take this process over."""
    with setup.one_at_a_time():
        first, *rest = COMMANDS[command][1]
        setup.python(progress, first)
        with ThreadPoolExecutor(max_workers=1) as pool:  # npm works while pip does
            builds_client = command in ("play", "client", "wheel", "screenshots")
            client = pool.submit(setup.client, progress) if builds_client else None
            setup.python(progress, *rest)
            if client:
                client.result()
    progress.close()
    if command == "test":
        return checks.everything(progress)
    if command == "lint":
        return checks.lint(progress)
    if command == "format":
        return checks.mend()
    if command == "generated":
        return checks.generate(progress)
    if command == "wheel":
        return setup.wheel(progress)
    if command == "play":
        setup.compile_rules()
        setup.replace_process(["-m", "bartizan", "serve", "--open", *arguments])
    if command in ("lock", "screenshots"):
        setup.replace_process(["-m", f"scripts.{command}", *arguments])
    if command == "run":
        setup.replace_process(["-m", *arguments])
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    if status == 130:
        os._exit(status)  # without waiting for threads whose commands the interrupt has ended
    sys.exit(status)
