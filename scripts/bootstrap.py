"""Set up this checkout and start it, with nothing but Python's standard library.

``python3 -m scripts.bootstrap play`` makes the environment, builds the client and starts the server, which
has the rules compiled beside it; ``… test`` runs every check.  The Makefile calls these.  What is there
already is told by digests of contents, so that a second run takes no time and touches no network.
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

import os
from concurrent.futures import Future, ThreadPoolExecutor

from scripts import checks, setup
from scripts.progress import ROOT, Failed, Problem, Progress

# name: (what it does, the locks that it needs installed)
COMMANDS = {
    "play": ("set everything up, start the server and open the games", ["build", "runtime"]),
    "test": ("run every check and test", ["build", "runtime", "more", "dev"]),
    "env": ("make the Python environment, with what the tests need", ["build", "runtime", "more", "dev"]),
    "client": ("build the browser client", ["build"]),
    "lint": ("check format, lint and types", ["build", "runtime", "more", "dev"]),
    "format": ("format the code and fix what can be fixed", ["build", "dev"]),
    "generated": (
        "write the files that are generated from the schema and the rules",
        ["build", "runtime", "more", "dev"],
    ),
    "docs": ("build the documentation site into .build/site", ["build", "runtime", "more", "dev"]),
    "openspiel": ("install OpenSpiel and Pgx for the benchmark", ["build", "runtime", "more", "bench"]),
    "screenshots": ("retake the pictures in docs/", ["build", "runtime", "more", "dev"]),
    "baselines": ("train a policy for every game and rate it", ["build", "runtime", "more"]),
    "balance": ("remake the balance sheets in docs/", ["build", "runtime", "more"]),
    "more": ("install what the Lab, throwing and notifications need", ["build", "runtime", "more"]),
    "wheel": ("build a wheel with the client in it", ["build"]),
    "lock": ("refresh the lock files", ["build", "dev"]),
    "run": ("run a Python module in the environment", ["build", "runtime", "more"]),
}


def main(argv: list[str]) -> int:
    """Run one command; the exit status is 0, 1 where checks failed, 2 where the set-up did."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack a sign
    if not argv or argv[0] not in COMMANDS:
        print("usage: python3 -m scripts.bootstrap COMMAND [ARGUMENT…]\n")
        print("\n".join(f"  {name:<12} {sentence}" for name, (sentence, _) in COMMANDS.items()))
        return 0 if argv[:1] in (["-h"], ["--help"]) else 2
    keep_bytecode()
    progress = Progress()
    try:
        return dispatch(argv[0], argv[1:], progress)
    except Failed as failure:
        progress.close()
        print(failure.report(), file=sys.stderr)
    except Problem as problem:
        progress.close()
        print(problem, file=sys.stderr)
    except KeyboardInterrupt:
        progress.close()
        return 130
    finally:
        if argv[0] == "more":
            setup.INSTALLING.unlink(missing_ok=True)
    return 2


def keep_bytecode() -> None:
    """Keep compiled Python out of the tree where the environment asks for that, but do keep it.

    Otherwise each of the hundreds of processes that compile or test rules compiles all of Numba's sources
    again, which takes a second of CPU time.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(ROOT / ".build" / "bytecode"))


def dispatch(command: str, arguments: list[str], progress: Progress) -> int:
    """Set up what `command` needs, then run it; some commands take this process over."""
    if command == "more":
        os.nice(19)  # a server that was just started comes first
    with ThreadPoolExecutor(max_workers=2) as pool:  # each of the two steps at a time keeps one core busy
        with setup.one_at_a_time():
            build, *rest = COMMANDS[command][1]
            setup.venv(progress)
            tools = pool.submit(setup.python, progress, build)
            beside = pool.submit(build_client, command, tools, progress)
            fresh = setup.python(progress, *rest[:1])
            tools.result()
            setup.editable(progress)
            if fresh and command == "play":
                setup.read_server()  # while the client is built
            compiles = command == "test"
            rules = pool.submit(setup.compile_rules, progress, "--batches", "--envs") if compiles else None
            setup.python(progress, *rest[1:])
            beside.result()
        progress.close()
        if rules is not None:
            return checks.everything(progress, rules)
    if command == "lint":
        return checks.lint(progress)
    if command == "format":
        return checks.mend(progress)
    if command == "generated":
        return checks.generate(progress)
    if command == "docs":
        return checks.docs(progress)
    if command == "wheel":
        return setup.wheel(progress)
    if command == "play":
        setup.more_beside()
        setup.replace_process(["-m", "bartizan", "serve", "--open", *arguments])
    if command in ("balance", "baselines", "lock", "screenshots"):
        setup.replace_process(["-m", f"scripts.{command}", *arguments])
    if command == "run":
        setup.replace_process(["-m", *arguments])
    return 0


def build_client(command: str, tools: Future[bool], progress: Progress) -> None:
    """Build the client where `command` uses it, once the build tools are there."""
    tools.result()
    if command in ("play", "client", "wheel", "screenshots"):
        setup.client(progress)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    if status == 130:
        os._exit(status)  # without waiting for threads whose commands the interrupt has ended
    sys.exit(status)
