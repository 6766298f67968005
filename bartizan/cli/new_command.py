"""``bartizan new``: create a game of your own with a package that runs."""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, whole

TEMPLATES = Path(__file__).parent / "templates"
HANDS = ("2c 7c Kh", "As", "Kd", "Qd", "Jd", "Td")  # of a card game's scenario, by seat
TEST = '''"""Check the game, and run its scenarios."""

from pathlib import Path

from bartizan.cli.main import main


def test_the_game_holds_together() -> None:
    assert main(["check", str(Path(__file__).parent)]) == 0
'''


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("name", metavar="NAME", help="name of the game: letters, digits and dashes")
    kind = parsing.add_mutually_exclusive_group(required=True)
    kind.add_argument("--cards", action="store_true", help="start from a card game")
    kind.add_argument("--board", action="store_true", help="start from a board game")
    parsing.add_argument(
        "--seats", type=whole(2, 6), default=2, metavar="N", help="number of seats (default: 2)"
    )
    return parsing


def run(args: argparse.Namespace) -> int:
    """Write the package, and say what to do with it."""
    from bartizan.engine import registry

    name = args.name.strip().lower().replace("_", "-").replace(" ", "-")
    package = name.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise UsageError(f"{args.name!r} can't be a game's name: use letters, digits and dashes.")
    folder = Path(name)
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose a different name, or move it away.")
    if keyword.iskeyword(package):
        raise UsageError(f"{package!r} is a reserved word in Python; choose a different name.")
    if package in sys.stdlib_module_names or find_spec(package) is not None:
        raise UsageError(f"Python already has a module {package!r}; choose a different name.")
    if name in registry.names():
        raise UsageError(f"There is already a game {name!r}; choose a different name.")
    for path, text in _files(name, package, "cards" if args.cards else "board", args.seats).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    print(f"The game is in {folder}; its rules are in {folder / package / '__init__.py'}.")
    print(
        f"Play it while you write with `bartizan dev {folder}`; find mistakes with `bartizan check {folder}`."
    )
    return 0


def _files(name: str, package: str, kind: str, seats: int) -> dict[str, str]:
    """Return the files of a new game by their paths."""
    prefix = re.sub("[^A-Z]", "", name.upper())[:2]
    names = {
        "my-game": name,
        "my_game": package,
        "My Game": name.replace("-", " ").title(),
        "MY-": f"{prefix}-",
        "SEATS = 2": f"SEATS = {seats}",
        '"2c 7c Kh", "As"': ", ".join(f'"{hand}"' for hand in HANDS[:seats]),
    }
    sources = {
        f"{package}/__init__.py": f"{kind}/__init__.py",
        f"{package}/clauses.toml": f"{kind}/clauses.toml",
        f"scenarios/{package}.toml": f"{kind}/scenario.toml",
        "pyproject.toml": "project.toml",
    }
    files = {f"test_{package}.py": TEST}
    for path, source in sources.items():
        text = (TEMPLATES / source).read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        files[path] = text
    return files
