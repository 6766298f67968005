"""Hold the repository to its house rules: layers, sizes, what may be named, and what must be explained."""

from __future__ import annotations

import ast
import graphlib
import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "bartizan"
CLIENT = ROOT / "web" / "src"
RULEBOOKS = (
    ROOT.parent / "shared" / "rulebooks"
)  # the originals, where somebody keeps them beside the checkout

# A module imports from its own layer's package and from lower layers only; faces don't import each other.
LAYERS = {
    "engine": 0,
    "games": 1,
    "search": 2,
    "throwing": 2,
    "match": 3,
    "compile": 3,
    "tables": 4,
    "lab": 4,
    "terminal": 5,
    "server": 5,
    "envs": 6,  # draws what the terminal draws
    "train": 7,
    "cli": 8,
}
# "Tower" is a common word here, so that game is told by its folder alone.
GAME_NAMES = re.compile(
    r"alcazar|castle[ _-]?danger|card[ _-]?cassonne|cassonne|(?<![a-z])barrage", re.IGNORECASE
)
LONGEST_FILE = 520  # lines that are not blank
LONGEST_CLIENT_LINE = 120  # Prettier breaks at 110, but leaves comments and texts as they are
LONGEST_QUOTE = 9  # consecutive words that a text may share with a rulebook by chance
BINARY = {".sqlite", ".png", ".jpg", ".webp", ".ico", ".gz", ".br", ".woff2", ".npz", ".parquet", ".onnx"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def repository_files() -> list[Path]:
    """List what git keeps or would keep, apart from pictures and the like."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in BINARY]


def modules() -> Iterator[tuple[Path, str]]:
    """Yield each module of the package with its dotted name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, name: str) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of everything in the package that a module imports, wherever in the file."""
    here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found = [f"{source}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, target) for target in found if target.split(".")[0] == "bartizan")


def layer_fault(importer: str, imported: str) -> str | None:
    """Return what is wrong with one module importing another, or None.

    Both are dotted names; outside the layers stand only ``bartizan`` itself, which everybody may import,
    and ``bartizan.__main__``, which may import everything.
    """
    own, other = importer.split("."), imported.split(".")
    if len(other) < 2 or other[1] not in LAYERS or (len(own) > 1 and own[1] == "__main__"):
        return None
    if len(own) < 2:  # `bartizan.batch` is imported when it is first asked for
        return None if other[1] == "envs" else "the package itself imports no layer"
    if own[1] == other[1]:
        crosses = own[1] == "games" and len(own) > 2 and len(other) > 2 and own[2] != other[2]
        return "a game imports another game" if crosses else None
    if own[1] not in LAYERS:
        return f"{own[1]} is in no layer: give it one in this test"
    if other[1] == "games" and len(other) > 2:
        return "a game is reached through the registry, not by its name"
    if LAYERS[other[1]] >= LAYERS[own[1]]:
        return f"{own[1]} must not import from {other[1]}"
    return None


def test_imports_run_downwards() -> None:
    faults = [
        f"{relative(path)}:{line}: {imported}: {fault}"
        for path, name in modules()
        for line, imported in imports(path, name)
        if (fault := layer_fault(name, imported))
    ]
    assert not faults, "\n".join(faults)


def test_no_module_is_part_of_a_cycle() -> None:
    """Count every import, also those inside functions and under TYPE_CHECKING."""
    known = {name for _, name in modules()}
    graph: dict[str, set[str]] = {}
    for path, name in modules():
        targets = {
            target if target in known else target.rpartition(".")[0] for _, target in imports(path, name)
        }
        graph[name] = targets & known - {name}
    assert len(known) > 300
    cycle: list[str] = []
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        cycle = error.args[1]
    assert not cycle, " is imported by ".join(cycle)


def test_a_public_class_has_a_name_of_its_own() -> None:
    """Games and their templates are left out: their states and moves are told apart by their folders."""
    homes: dict[str, list[str]] = {}
    for path, name in modules():
        if not name.startswith(("bartizan.games.", "bartizan.cli.templates.")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(name)
    assert len(homes) > 300
    assert not {name: where for name, where in homes.items() if len(where) > 1}


def test_the_package_imports_nothing_that_stays_in_a_checkout() -> None:
    checkout = re.compile(r"^\s*(?:from|import) (?:benchmarks|scripts|tests)\b", re.MULTILINE)
    assert [relative(path) for path, _ in modules() if checkout.search(path.read_text("utf-8"))] == []


def test_second_implementations_share_nothing_with_what_they_check() -> None:
    tests = ROOT / "tests"
    paths = sorted({*tests.glob("*/reference*.py"), *tests.glob("reference/*.py")})
    assert len(paths) > 20
    faults = [
        f"{relative(path)}:{line}: {imported}"
        for path in paths
        for line, imported in imports(path, path.stem)
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("importer", "imported", "fine"),
    [
        ("bartizan.engine.piles", "bartizan.engine.rng", True),
        ("bartizan.games.one.rules", "bartizan.engine.piles", True),
        ("bartizan.games.one.rules", "bartizan.games.one.options", True),
        ("bartizan.games.one.rules", "bartizan.games.two.rules", False),
        ("bartizan.engine.game", "bartizan.games.one", False),
        ("bartizan.engine.game", "bartizan.match", False),
        ("bartizan.search.greedy", "bartizan.match.match", False),
        ("bartizan.match.match", "bartizan.search.greedy", True),
        ("bartizan.match.match", "bartizan.games.one", False),
        ("bartizan.server.app", "bartizan.terminal.table", False),
        ("bartizan.cli.main", "bartizan.server.run", True),
        ("bartizan.lab.simulate", "bartizan.cli.main", False),
        ("bartizan.lab.simulate", "bartizan.envs.batch", False),
        ("bartizan.envs.batch", "bartizan.compile.pool", True),
        ("bartizan", "bartizan.envs.batch", True),
        ("bartizan", "bartizan.match", False),
        ("bartizan.__main__", "bartizan.cli.main", True),
    ],
)
def test_the_layer_rule_itself(importer: str, imported: str, fine: bool) -> None:
    assert (layer_fault(importer, imported) is None) == fine


@pytest.mark.parametrize("folder", [PACKAGE / "engine", CLIENT], ids=relative)
def test_names_no_game(folder: Path) -> None:
    files = [path for path in repository_files() if path.is_relative_to(folder)]
    assert files
    faults = [
        f"{relative(path)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if GAME_NAMES.search(line)
    ]
    assert not faults, "\n".join(faults)


def test_the_engine_names_no_game_folder() -> None:
    """The pattern above knows the five games; this one knows whichever are there, tower too."""
    games = [path.name for path in (PACKAGE / "games").iterdir() if (path / "__init__.py").is_file()]
    quoted = re.compile("|".join(rf"[\"'.]{re.escape(name)}\b" for name in games))
    assert games
    faults = [
        relative(path)
        for path in (PACKAGE / "engine").rglob("*.py")
        if quoted.search(path.read_text(encoding="utf-8"))
    ]
    assert not faults


def test_no_file_is_long() -> None:
    generated = {CLIENT / "net" / "schema.d.ts", CLIENT / "net" / "defaults.ts"}
    code = {".py", ".ts", ".js", ".svelte", ".css"}
    lengths = {
        relative(path): sum(bool(line.strip()) for line in path.read_text(encoding="utf-8").splitlines())
        for path in repository_files()
        if any(path.is_relative_to(folder) for folder in (PACKAGE, ROOT / "benchmarks", CLIENT))
        and path.suffix in code
        and path not in generated
    }
    assert lengths
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FILE}


def test_no_line_of_the_client_is_long() -> None:
    generated = {CLIENT / "net" / "schema.d.ts", CLIENT / "net" / "defaults.ts"}
    code = {".css", ".html", ".js", ".mjs", ".svelte", ".ts"}
    files = [
        path
        for path in repository_files()
        if path.is_relative_to(CLIENT.parent) and path.suffix in code and path not in generated
    ]
    assert len(files) > 100
    assert not [
        f"{relative(path)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_CLIENT_LINE
    ]


def test_settings_and_locks_hold_no_address() -> None:
    folders = (ROOT, ROOT / "web", ROOT / ".ci")
    texts = {".md", ".html"}  # documents may link, and the client's page is held to it by its build
    files = [path for path in repository_files() if path.parent in folders and path.suffix not in texts]
    files.remove(ROOT / "web" / "package-lock.json")  # repeats where authors take donations; looked at below
    assert len(files) > 10
    faults = [
        f"{relative(path)}:{number}: {line.strip()[:100]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\w://(?!127\.0\.0\.1\b|localhost\b)\w|index-url|find-links\s*=|trusted-host", line)
    ]
    assert not faults, "\n".join(faults)


def test_no_package_index_is_named() -> None:
    host = re.compile(
        r"://[^/\s\"']*(registry|npm|pypi|pythonhosted|debian|mirror)|registry\.[a-z]+\.[a-z]+|\"resolved\":",
        re.IGNORECASE,
    )
    own = Path(__file__).resolve()
    faults = [
        f"{relative(path)}:{number}: {line.strip()[:100]}"
        for path in repository_files()
        if path != own
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if host.search(line)
    ]
    assert not faults, "\n".join(faults)


def test_no_machine_path_is_named() -> None:
    place = re.compile(r"(?<![\w.$}/-])/(?:work|root|home/\w+)/")
    faults = [
        f"{relative(path)}:{number}: {line.strip()[:100]}"
        for path in repository_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if place.search(line)
    ]
    assert not faults, "\n".join(faults)


def requirement_names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=!~;\[ ]", text, maxsplit=1)[0].lower() for text in requirements}


def test_each_dependency_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    parsed = tomllib.loads(text)
    wanted = requirement_names(
        [
            *parsed["project"]["dependencies"],
            *(name for extra in parsed["project"]["optional-dependencies"].values() for name in extra),
            *(name for group in parsed["dependency-groups"].values() for name in group),
        ]
    )
    # A line of its own for each, such as: "numpy>=2",  # why
    explained = requirement_names(re.findall(r'^\s+"([^"]+)",\s+#\s+\S+ .*\w{3,}', text, re.MULTILINE))
    assert wanted
    assert wanted - explained == set()


@pytest.mark.parametrize(
    ("lock", "source"),
    [
        ("requirements.lock", ("project", "dependencies")),
        ("requirements.lock", ("project", "optional-dependencies", "server")),
        ("requirements-more.lock", ("project", "optional-dependencies", "lab")),
        ("requirements-more.lock", ("project", "optional-dependencies", "throwing")),
        ("requirements-more.lock", ("project", "optional-dependencies", "push")),
        ("requirements-build.lock", ("dependency-groups", "build")),
        ("requirements-dev.lock", ("dependency-groups", "dev")),
        ("requirements-bench.lock", ("project", "optional-dependencies", "bench")),
    ],
)
def test_locks_are_complete_and_hashed(lock: str, source: tuple[str, ...]) -> None:
    wanted: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for key in source:
        wanted = wanted[key]
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert requirement_names(wanted) <= {entry.split("==")[0] for entry in entries}, "run `make lock`"
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_client_lock_matches_its_package() -> None:
    package = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for kind in ("dependencies", "devDependencies"):
        assert locked[""].get(kind, {}) == package.get(kind, {})
    assert [
        name for name, entry in locked.items() if name and not entry.get("link") and "integrity" not in entry
    ] == []


def test_an_old_python_can_read_the_bootstrap() -> None:
    """An older Python must get as far as the sentence that tells it so."""
    source = (ROOT / "scripts" / "bootstrap.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 7))
    first = next(node for node in tree.body if isinstance(node, ast.If))
    before = [
        node
        for node in tree.body
        if node.lineno < first.lineno and isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert ast.unparse(first.test) == "sys.version_info < (3, 11)"
    assert [ast.unparse(node) for node in before] == ["import sys"]


def words(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:['’][a-z]+)?", text.lower())


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of one word more than a text may share."""
    found = words(text)
    return (tuple(found[i : i + LONGEST_QUOTE + 1]) for i in range(len(found) - LONGEST_QUOTE))


@pytest.mark.skipif(not RULEBOOKS.is_dir(), reason="the original rulebooks are not beside this checkout")
def test_no_rulebook_sentence_is_copied() -> None:
    books = {
        run: book.name
        for book in sorted(RULEBOOKS.glob("*.txt"))
        for run in runs(book.read_text(encoding="utf-8"))
    }
    assert len(books) > 1000
    faults = {
        f"{relative(path)} has from {books[run]}: {' '.join(run)}"
        for path in repository_files()
        if path.name != "package-lock.json" and path.suffix != ".lock"
        for run in runs(path.read_text(encoding="utf-8"))
        if run in books
    }
    assert not faults, "\n".join(sorted(faults))
