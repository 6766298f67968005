"""Install the wheel bare, then with each extra alone, and run what each is for.

An environment gets exactly what pip would resolve from the wheel's own requirements, as links to the
packages that the tests themselves run with: without a network, and in no time.  Rules run interpreted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bartizan.engine.extras import EXTRAS

ROOT = Path(__file__).resolve().parent.parent
LARGEST_BARE = 450e6  # bytes
MODULES = sorted({module for modules in EXTRAS.values() for module in modules} | {"uvloop"})
# What a bare install can do, run in one process: the last line tells which modules of extras came along.
BARE = """
import json, sys, time
from bartizan.cli.main import main
import bartizan
for words in json.loads(sys.argv[1]):
    assert main(words) == 0, words
env = bartizan.batch("castle-danger", n=2)
env.reset()
env.step(env.random_actions())
print(json.dumps(sorted(set(json.loads(sys.argv[2])) & set(sys.modules))))
"""
COMMANDS: list[list[str]] = [
    ["games"],
    ["games", "card-barrage"],
    ["rules", "alcazar", "ALC-19"],
    ["judge", str(ROOT / "tests" / "scenarios" / "castle_danger" / "cd-10_no_wizard.toml")],
    ["perft", "castle-danger", "--depth", "2"],
    ["simulate", "castle-danger", "--games", "3", "--players", "greedy,random"],
    ["simulate", "card-barrage", "--games", "2", "--players", "greedy"],
    ["play", "castle-danger", "--players", "random", "--record", "game.txt"],
    ["replay", "game.txt", "--verify"],
]
# extra: commands that need it, each refused by one sentence without it
NEEDS = {
    "server": [["serve"]],
    "lab": [
        ["lab", "run", "--game", "castle-danger"],
        ["ladder", "castle-danger"],
        ["export", "castle-danger", "--out", "played"],
    ],
    "throwing": [
        ["throw"],
        ["throws", "show"],
        ["play", "card-barrage", "--set", "throws=thrown"],
    ],
    "policy": [["play", "castle-danger", "--players", "person,policy:no.onnx"]],
    "train": [["train", "castle-danger"]],
    "push": [["tables", "push-keys", "mailto:host@example.org"]],
    "postgres": [["tables", "list", "--database", "postgresql://127.0.0.1:1/none"]],
}


class Environment:
    """A virtual environment of its own, and how programs are run in it."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder
        self.python = folder / "bin" / "python"
        (self.packages,) = folder.glob("lib/python*/site-packages")

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.python), *words],
            cwd=self.folder,
            env=self.variables(variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )

    def variables(self, more: Mapping[str, str] = {}) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "BARTIZAN"))}
        return {**kept, "BARTIZAN_MODE": "python", "BARTIZAN_DATA": str(self.folder / "data"), **more}


def needed_by(wheel: Distribution, extra: str = "") -> dict[str, Distribution]:
    """Return the packages that pip would install with the wheel, by name."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()

    def visit(source: Distribution, extras: set[str]) -> None:
        for text in source.requires or ():
            wanted = Requirement(text)
            if wanted.marker and not any(wanted.marker.evaluate({"extra": each}) for each in extras or {""}):
                continue
            name = canonicalize_name(wanted.name)
            of = wheel if name == "bartizan" else distribution(name)
            if of is not wheel:
                found[name] = of
            fresh = {(name, each) for each in wanted.extras or {""}} - seen
            if fresh:
                seen.update(fresh)
                visit(of, set(wanted.extras))

    visit(wheel, {extra} if extra else set())
    return found


def link(packages: Mapping[str, Distribution], into: Path) -> None:
    """Put packages that are installed here into another environment, as links."""
    for package in packages.values():
        tops = {Path(file).parts[0] for file in package.files or ()}
        for top in sorted(tops - {"..", "__pycache__"}):
            source, place = Path(str(package.locate_file(top))), into / top
            if not place.exists() and source.exists():
                place.symlink_to(source)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel and nothing that it does not ask for."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", ".gitignore"):
        shutil.copy(ROOT / name, folder)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bartizan", folder / "bartizan", ignore=ignored)
    page = folder / "bartizan" / "server" / "static" / "index.html"
    if not page.exists():  # the client need not have been built
        page.parent.mkdir(exist_ok=True)
        page.write_text("<!doctype html>")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    made = Environment(tmp_path_factory.mktemp("bare") / "venv")
    pip = [sys.executable, "-m", "pip", "--python", str(made.python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    link(needed_by(installed_wheel(made)), made.packages)
    return made


def installed_wheel(environment: Environment) -> Distribution:
    (info,) = environment.packages.glob("bartizan-*.dist-info")
    return Distribution.at(info)


def with_extra(extra: str, bare: Environment, folder: Path) -> Environment:
    """Return an environment with the wheel and one extra."""
    wheel = installed_wheel(bare)
    try:
        packages = needed_by(wheel, extra)
    except PackageNotFoundError as error:
        pytest.skip(f"the tests run without {error.name}, which has no wheel here")
    made = Environment(folder / "venv")
    link({**packages, "bartizan": wheel}, made.packages)
    return made


def refusal(environment: Environment, words: list[str]) -> str:
    """Return the one sentence with which a command is refused."""
    done = environment.run("-m", "bartizan", *words)
    assert (done.returncode, done.stdout) == (2, ""), done.stdout + done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def worked(environment: Environment, *words: str) -> str:
    done = environment.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_is_declared_is_what_is_asked_for() -> None:
    """The modules that `require` looks for come from the packages of that extra in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = project["optional-dependencies"]
    base = {canonicalize_name(Requirement(text).name) for text in project["dependencies"]}
    brought = packages_distributions()
    for extra, modules in EXTRAS.items():
        named = {canonicalize_name(Requirement(text).name) for text in declared[extra]} - {"bartizan"}
        named -= {"uvloop"}  # the server does without it on Windows
        named -= base  # an extra may need an older one
        for module in modules:
            if module in brought:  # Ray has no wheel everywhere
                assert named & {canonicalize_name(name) for name in brought[module]}, (extra, module)
        assert len(modules) == len(named), extra


def test_the_locks_hold_what_each_install_needs(bare: Environment) -> None:
    wheel = installed_wheel(bare)
    entry = re.compile(r"^([a-z0-9.-]+)(?:\[[a-z,]+\])?==", re.MULTILINE)
    first = set(entry.findall((ROOT / "requirements.lock").read_text("utf-8")))
    more = set(entry.findall((ROOT / "requirements-more.lock").read_text("utf-8")))
    assert set(needed_by(wheel, "server")) <= first
    for extra in ("lab", "throwing", "push"):
        assert set(needed_by(wheel, extra)) <= first | more, extra
    assert not first & {"polars", "scipy", "mujoco-core", "altair"}


def test_a_bare_install_is_small(bare: Environment) -> None:
    sizes = dict.fromkeys(bare.packages.iterdir(), 0)
    for place in sizes:
        for path in [place] if place.is_file() else place.rglob("*"):
            sizes[place] += path.stat().st_size if path.is_file() and path.suffix != ".pyc" else 0
    assert 100e6 < sum(sizes.values()) < LARGEST_BARE, sizes


def test_a_bare_install_plays_and_counts(bare: Environment) -> None:
    out = worked(bare, "-c", BARE, json.dumps(COMMANDS), json.dumps(MODULES))
    assert "95% interval" in out
    assert out.splitlines()[-1] == "[]"
    assert worked(bare, "-c", "import numba; print(numba.njit(lambda x: x + 1)(1))") == "2\n"


def test_nothing_of_an_extra_is_imported_where_it_is_installed(tmp_path: Path) -> None:
    """What a bare install can do takes no time for the rest, which is all there in this environment."""
    done = subprocess.run(
        [sys.executable, "-c", BARE, json.dumps(COMMANDS), json.dumps(MODULES)],
        cwd=tmp_path,
        env={**os.environ, "BARTIZAN_MODE": "python", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("extra", "words"), [(extra, words) for extra, all_of_it in NEEDS.items() for words in all_of_it]
)
def test_a_bare_install_names_the_extra(bare: Environment, extra: str, words: list[str]) -> None:
    (bare.folder / "no.onnx").write_text("no network")
    assert f"aren't installed: run pip install 'bartizan[{extra}]'." in refusal(bare, words)


@pytest.mark.parametrize(
    ("extra", "module"),
    [
        ("gym", "gymnasium"),
        ("zoo", "pettingzoo"),
        ("openspiel", "openspiel"),
        ("openspiel", "openspiel_vector"),
    ],
)
def test_a_bare_install_names_the_extra_of_a_framework(bare: Environment, extra: str, module: str) -> None:
    code = f"try:\n    import bartizan.envs.{module}\nexcept ImportError as error:\n    print(error)"
    assert f"pip install 'bartizan[{extra}]'" in worked(bare, "-c", code)


def test_a_bare_install_names_the_extra_for_devices(bare: Environment) -> None:
    call = "bartizan.batch('tower', device='cuda')"
    code = f"import bartizan\ntry:\n    {call}\nexcept ImportError as error:\n    print(error)"
    said = "A batch on a device needs packages that aren't installed: run pip install 'bartizan[cuda]'."
    assert said in bare.run("-c", code, BARTIZAN_MODE="compiled").stdout


def test_what_is_being_installed_is_waited_for(bare: Environment) -> None:
    """`make play` installs the Lab beside the server; until that is done, it is not complete."""
    file = bare.folder / "installing"
    file.write_text("lab throwing\n")
    done = bare.run("-m", "bartizan", "ladder", "castle-danger", BARTIZAN_INSTALLING=str(file))
    assert done.returncode == 2
    assert "The ladder needs packages that are being installed; try again in a minute." in done.stderr
    file.unlink()
    done = bare.run("-m", "bartizan", "ladder", "castle-danger", BARTIZAN_INSTALLING=str(file))
    assert "bartizan[lab]" in done.stderr


@pytest.fixture
def served(bare: Environment, tmp_path: Path) -> Iterator[str]:
    """The address of a server in an environment with nothing but what a server needs."""
    environment = with_extra("server", bare, tmp_path)
    code = (
        "from pathlib import Path; from bartizan.server.run import serve\nserve('127.0.0.1', 0, Path('data'))"
    )
    command = [str(environment.python), "-u", "-c", code]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment.variables(), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        yield found[0]
        process.terminate()


def asked(address: str, body: Mapping[str, object] | None = None) -> tuple[int, str]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_server(served: str) -> None:
    assert asked(f"{served}/")[0] == 200
    status, text = asked(f"{served}/api/games")
    assert (status, "card-barrage" in text) == (200, True)
    table: dict[str, object] = {"game": "card-barrage", "seats": 2, "players": ["person", "greedy"]}
    status, text = asked(f"{served}/api/tables", table)
    assert status == 201, text
    status, text = asked(f"{served}/api/tables", table | {"options": {"throws": "thrown"}})
    assert (status, "bartizan[throwing]" in text) == (503, True), text
    status, text = asked(f"{served}/api/throws/rates")
    assert (status, "bartizan[throwing]" in text) == (503, True), text
    assert asked(f"{served}/api/lab")[0] == 200
    experiment = {
        "game": "castle-danger",
        "players": ["random"],
        "games": 100,
        "seed": "0",
        "measures": ["length"],
    }
    status, text = asked(f"{served}/api/lab", experiment)
    assert (status, "bartizan[lab]" in text) == (503, True), text


def test_lab(bare: Environment, tmp_path: Path) -> None:
    environment = with_extra("lab", bare, tmp_path)
    flags = ["--game", "castle-danger", "--players", "random", "--games", "4", "--out", "found"]
    flags += ["--confirm", "greedy", "--confirm-games", "2"]
    worked(environment, "-m", "bartizan", "lab", "run", *flags)
    worked(environment, "-m", "bartizan", "lab", "report", "found")
    assert "<svg" in (environment.folder / "found" / "report.html").read_text("utf-8")
    ladder = ["ladder", "castle-danger", "--players", "greedy,random", "--games", "4"]
    assert "greedy" in worked(environment, "-m", "bartizan", *ladder)
    export = ["export", "castle-danger", "--games", "2", "--out", "played"]
    assert "2 games" in worked(environment, "-m", "bartizan", *export)


def test_throwing(bare: Environment, tmp_path: Path) -> None:
    environment = with_extra("throwing", bare, tmp_path)
    assert "castle" in worked(environment, "-m", "bartizan", "throws", "show")
    assert worked(environment, "-m", "bartizan", "throw", "--json").startswith("{")


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (
            "gym",
            "import gymnasium, bartizan.envs.gymnasium as envs\n"
            "envs.register_envs()\ngymnasium.make('bartizan/CastleDanger-v0').reset(seed=1)",
        ),
        ("zoo", "import bartizan.envs.pettingzoo as zoo\nzoo.env('tower', seats=3).reset(seed=1)"),
        (
            "openspiel",
            "import pyspiel, bartizan.envs.openspiel\n"
            "pyspiel.load_game('bartizan_castle_danger').new_initial_state()",
        ),
    ],
)
def test_frameworks(extra: str, code: str, bare: Environment, tmp_path: Path) -> None:
    worked(with_extra(extra, bare, tmp_path), "-c", code)


@pytest.mark.parametrize("extra", ["policy", "onnx"])  # the second is its earlier name
def test_policy(extra: str, bare: Environment, tmp_path: Path) -> None:
    environment = with_extra(extra, bare, tmp_path)
    (environment.folder / "no.onnx").write_text("no network")
    assert "it isn't an ONNX file" in refusal(environment, NEEDS["policy"][0])
    worked(environment, "-c", "import onnxruntime")


def test_postgres(bare: Environment, tmp_path: Path) -> None:
    assert "PostgreSQL none on 127.0.0.1:1 cannot be used" in refusal(
        with_extra("postgres", bare, tmp_path), NEEDS["postgres"][0]
    )


def test_push(bare: Environment, tmp_path: Path) -> None:
    environment = with_extra("push", bare, tmp_path)
    assert "push.key" in worked(environment, "-m", "bartizan", *NEEDS["push"][0])


def test_ray(bare: Environment, tmp_path: Path) -> None:
    words = ["lab", "run", "--game", "castle-danger", "--games", "4", "--out", "found"]
    cluster = ["--on", "ray://127.0.0.1:1"]
    assert "No cluster answers" in refusal(with_extra("ray", bare, tmp_path), [*words, *cluster])
    lab = tmp_path / "lab"
    lab.mkdir()
    assert "bartizan[ray]" in refusal(with_extra("lab", bare, lab), [*words, *cluster])
