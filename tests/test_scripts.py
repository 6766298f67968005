"""Try the set-up scripts where a machine lacks something, and the wheel that they build."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from bartizan.engine.policy_network import PolicyNetwork, load_policy, save_policy
from scripts import progress, setup, side_by_side

ROOT = Path(__file__).resolve().parent.parent


def bootstrap(before: str) -> subprocess.CompletedProcess[str]:
    """Run the script behind ``make play`` after some lines of Python that change what it finds."""
    run = "import runpy\nrunpy.run_module('scripts.bootstrap', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.argv = ['bootstrap', 'play']\n{before}\n{run}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_an_old_python_gets_a_sentence() -> None:
    done = bootstrap("sys.version_info = (3, 9, 18, 'final', 0)")
    assert done.returncode == 2
    assert done.stderr.startswith("Bartizan needs Python 3.11 or later, and this is 3.9.18: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_gets_a_sentence(tmp_path: Path, missing: str) -> None:
    done = bootstrap(
        f"""
import importlib.util
from pathlib import Path
from scripts import setup
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == {missing!r} else find(name, package)
setup.VENV = setup.STAMPS = Path({str(tmp_path)!r})
setup.PYTHON = setup.VENV / "bin" / "python"
"""
    )
    assert done.returncode == 2
    assert done.stderr.startswith("This Python has no venv module: install it first")
    assert done.stderr.count("\n") == 1


def test_an_environment_that_is_a_link_is_never_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It belongs to another checkout, and making it anew here would empty it there."""
    python = tmp_path / "theirs" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    (tmp_path / "ours").symlink_to(tmp_path / "theirs")
    monkeypatch.setattr(setup, "VENV", tmp_path / "ours")
    monkeypatch.setattr(setup, "PYTHON", tmp_path / "ours" / "bin" / "python")
    monkeypatch.setattr(setup, "STAMPS", tmp_path / "ours" / "stamps")
    setup.venv(progress.Progress())
    assert python.exists()


def test_no_network_is_told_in_a_sentence() -> None:
    said = "ERROR: Could not install packages: HTTPSConnectionPool: Max retries exceeded (NewConnectionError)"
    with pytest.raises(progress.Failed) as caught, setup.needs_network("Python packages"):
        raise progress.Failed("Python packages", said)
    assert caught.value.report().startswith(
        "The package index did not answer while fetching: Python packages."
    )


def test_another_failure_shows_its_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOGS", ROOT / ".build" / "logs")
    with pytest.raises(progress.Failed) as caught:
        progress.run(
            "a try", [sys.executable, "-c", "print('line\\n' * 100 + 'the end'); raise SystemExit(3)"]
        )
    report = caught.value.report()
    assert "the end" in report
    assert len(report.splitlines()) == progress.TAIL + 2
    assert (ROOT / ".build" / "logs" / "a-try.log").read_text().count("line") == 100


def test_digests_tell_contents_and_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("text")
    digests = [setup.digest_of([one]), setup.digest_of([one, other])]
    other.write_text("text")
    digests.append(setup.digest_of([one, other]))
    other.write_text("changed")
    digests.append(setup.digest_of([one, other]))
    assert len(set(digests)) == 4
    os.utime(one, (0, 0))
    assert setup.digest_of([other, one]) == digests[-1]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small copy of what the wheel is built from, without a client."""
    for name in (
        "pyproject.toml",
        "hatch_build.py",
        "LICENSE",
        "README.md",
        ".gitignore",
        "bartizan/__init__.py",
    ):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def build(package: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    return subprocess.run(command, cwd=package, capture_output=True, text=True, check=False, timeout=60)


def test_the_wheel_carries_the_client(package: Path) -> None:
    static = package / "bartizan" / "server" / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>")
    (static / "assets" / "app.js.br").write_bytes(b"packed")
    done = build(package)
    assert done.returncode == 0, done.stderr
    (wheel,) = (package / "dist").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "bartizan/__init__.py",
        "bartizan/server/static/index.html",
        "bartizan/server/static/assets/app.js.br",
    } <= names
    assert not [name for name in names if not name.startswith(("bartizan/", "bartizan-"))]


def test_a_wheel_without_the_client_is_refused(package: Path) -> None:
    done = build(package)
    assert done.returncode != 0
    assert "build the browser client first" in done.stdout + done.stderr


def test_compiled_python_is_kept_though_not_beside_the_sources() -> None:
    """Where the environment forbids bytecode in the tree, hundreds of processes would compile Numba anew."""
    code = (
        "import os; from scripts.bootstrap import keep_bytecode; keep_bytecode();"
        " print(os.environ.get('PYTHONDONTWRITEBYTECODE'), os.environ.get('PYTHONPYCACHEPREFIX'))"
    )
    plain = {
        key: value
        for key, value in os.environ.items()
        if key not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    }
    for given, expected in (("1", f"None {ROOT / '.build' / 'bytecode'}"), ("", "None None")):
        environment = plain | ({"PYTHONDONTWRITEBYTECODE": given} if given else {})
        done = subprocess.run(
            [sys.executable, "-B", "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.strip() == expected, done.stderr


def _network(width: int, lots: np.random.Generator, size: int = 9) -> PolicyNetwork:
    shapes: dict[str, tuple[int, ...]] = {
        "inlet": (size, width),
        "body": (width, width),
        "tokens": (7, width),
    }
    shapes |= dict.fromkeys(("first", "second", "head"), (width,))
    weights = {name: lots.integers(-2_000, 2_000, shape, np.int16) for name, shape in shapes.items()}
    return PolicyNetwork(most=np.arange(1, size + 1, dtype=np.int16), **weights)


def test_policies_side_by_side_score_what_they_score_together(tmp_path: Path) -> None:
    lots = np.random.default_rng(1)
    parts = [_network(width, lots) for width in (3, 5, 4)]
    for number, part in enumerate(parts):
        save_policy(part, tmp_path / f"{number}.npz")
    files = [str(tmp_path / name) for name in ("out.npz", "0.npz", "1.npz", "2.npz")]
    assert side_by_side.main(files) == 0
    joined = load_policy(tmp_path / "out.npz")
    for _ in range(20):
        seen, tokens = lots.integers(-9, 10, 9, np.int8), lots.integers(0, 7, (6, 2), np.int16)
        together = sum(part.scores(seen, tokens) for part in parts)
        assert np.array_equal(joined.scores(seen, tokens), together)


def test_policies_of_different_observations_are_not_put_side_by_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lots = np.random.default_rng(2)
    for name, size in (("a.npz", 9), ("b.npz", 8)):
        save_policy(_network(3, lots, size), tmp_path / name)
    assert side_by_side.main([str(tmp_path / name) for name in ("out.npz", "a.npz", "b.npz")]) == 2
    assert capsys.readouterr().err == "These policies were trained on different observations.\n"
    assert not (tmp_path / "out.npz").exists()
