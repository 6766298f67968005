"""Find mistakes in a game's files before any of it is played: names, clauses, fields, verbs."""

from __future__ import annotations

import ast
import builtins
import contextlib
import difflib
import dis
import importlib
import itertools
import re
import sys
import tomllib
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bartizan.engine import registry
from bartizan.engine.assembly import rule_name
from bartizan.engine.clauses import Rulebook
from bartizan.engine.errors import BadOption, BartizanError, UnfinishedGame, nearest
from bartizan.engine.game import Game
from bartizan.engine.record import Record
from bartizan.engine.table import Table, declared
from bartizan.match.local import place_of, shown, told, undefined
from bartizan.match.rule_faults import faults_in_rules

# The parts that every game has, or the engine derives.
PARTS = (
    "option_set",
    "state",
    "actions",
    "max_legal",
    "rules",
    "vocabulary",
    "positions",
    "visibility",
    "scenes",
)


def faults_in_book(package: Path) -> Iterator[str]:
    """Yield what is wrong with a game's ``clauses.toml``."""
    path = package / "clauses.toml"
    try:
        book = Rulebook.load(path)
    except BartizanError as error:
        yield shown(path) + str(error).removeprefix(f"{package.name}/{path.name}")
        return
    if not book.clause:
        yield f"{shown(path)}: There must be at least one [[clause]]."
    seen: set[str] = set()
    text = path.read_text(encoding="utf-8")
    for each in book.clause:
        line = _line_of(text, f'id = "{each.id}"', again=each.id in seen)
        place = f"{shown(path)}:{line}"
        if not re.fullmatch(r"[A-Za-z]+-\d+[a-z]?", each.id):
            yield f"{place}: {each.id!r} must be letters, a dash and a number, such as AB-1."
        elif each.id in seen:
            yield f"{place}: There is a second clause {each.id}."
        seen.add(each.id)


def state_file(game: Game) -> Path:
    """Return the file in which a game's state is declared."""
    path = game.folder / "state.py"
    return path if path.is_file() else game.folder / "__init__.py"


def faults_in_sources(game: Game, *, loaded_only: bool = False) -> Iterator[str]:
    """Yield what is wrong with a game's Python files, once its package has been imported.

    With `loaded_only` it looks at the files that its parts are in, and leaves scripts and tests alone.
    """
    book = game.clauses
    fields = _fields(game)
    for part in PARTS if loaded_only else ():
        with contextlib.suppress(Exception):  # of what can't be loaded `faults_in_parts` tells
            getattr(game, part)
    for path in sorted(game.folder.rglob("*.py")):
        if loaded_only and _module_name(game, path) not in sys.modules:
            continue
        text = path.read_text(encoding="utf-8")
        try:
            tree = ast.parse(text, str(path))
        except SyntaxError as error:
            yield told(error, game.folder)
            continue
        yield from _unknown_clauses(path, tree, book)
        if path.parent == game.folder and not (game.folder / "state.py").is_file():
            yield from _misspelt(path, tree, game)
        yield from _unknown_fields(path, tree, fields)
        try:
            module = _module_of(game, path)
            yield from _unbound(path, text, module)
            yield from faults_in_rules(shown(path), tree, module)
        except Exception as error:  # noqa: BLE001 - whatever its author wrote
            yield told(error, game.folder)


def faults_in_project(game: Game) -> Iterator[str]:
    """Yield that the ``pyproject.toml`` beside a package installs the game under another name."""
    path = game.folder.parent / "pyproject.toml"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    try:
        points = tomllib.loads(text).get("project", {}).get("entry-points", {}).get(registry.GROUP, {})
    except tomllib.TOMLDecodeError as error:
        yield f"{shown(path)} is not TOML: {error}."
        return
    for name, target in points.items():
        line = _line_of(text, rf"^\"?{re.escape(name)}\"?\s*=", pattern=True)
        if target.partition(":")[0] == game.package and name != game.name:
            differs = f"The entry point is called {name!r}, but the game's name is {game.name!r}"
            yield f"{shown(path)}:{line}: {differs}; they must be the same."
        elif name == game.name and target.partition(":")[0] != game.package:
            yield f"{shown(path)}:{line}: The game is in the package {game.package!r}, not in {target!r}."


def faults_in_parts(game: Game) -> Iterator[str]:
    """Yield which parts of a game are missing: a rule, a class of words, a field that says what it is."""
    home = shown(game.folder / "__init__.py")
    text = (game.folder / "__init__.py").read_text(encoding="utf-8")
    is_short = hasattr(importlib.import_module(game.package), "State")
    try:
        if is_short:
            declared(game.state)
    except TypeError as error:
        field = re.search(r"State\.(\w+)", str(error))
        line = _line_of(text, rf"^    {field[1] if field else ''}\b", pattern=True)
        yield f"{home}:{line}: {error}"
        return
    except UnfinishedGame as error:
        yield f"{home}: {error}"
        return
    missing = False
    for verb in game.actions.verbs if is_short else ():
        for name in (f"why_not_{verb}", verb):
            if not any(_defines(module, name) for module in _rule_modules(game)):
                missing = True
                number = _line_of(text, f'"{verb}"')
                yield f"{home}:{number}: The verb {verb!r} has no rule {name}(s{_arguments(game, verb)})."
    for part in () if missing else PARTS:
        try:
            getattr(game, part)
        except UnfinishedGame as error:
            about = re.match(r"[A-Z]{4,}\b", str(error))  # such as PHASES or GOAL
            at = f":{_line_of(text, f'^{about[0]} ', pattern=True)}" if about else ""
            yield f"{home}{at}: {error}"
            return
        except BadOption as error:
            yield shown(game.folder.parent / str(error))
            return
        except BartizanError as error:
            yield str(error)
            return
        except Exception as error:  # noqa: BLE001 - whatever its author wrote
            fault = told(error, game.folder)
            yield fault if place_of(error, game.folder) else f"{home}: {fault}"
            return


def _rule_modules(game: Game) -> list[types.ModuleType]:
    names = [game.package, *(f"{game.package}.{name}" for name in game.rules_in)]
    return [sys.modules[name] for name in names if name in sys.modules]


def _defines(module: types.ModuleType, name: str) -> bool:
    return callable(vars(module).get(rule_name(name)))


def _arguments(game: Game, verb: str) -> str:
    block = next(block for block in game.actions.blocks if block.name == verb)
    return "".join(f", {name}" for name in block.fields)


def _line_of(text: str, wanted: str, *, pattern: bool = False, again: bool = False) -> int:
    """Return the number of the first line that has a text in it, or of the second; 1 if there is none."""
    form = re.compile(wanted if pattern else re.escape(wanted))
    lines = (number for number, line in enumerate(text.splitlines(), 1) if form.search(line))
    return next(itertools.islice(lines, int(again), None), 1)


def line_of(path: Path, wanted: str) -> str:
    """Return a file and the line in it that begins with a text."""
    line = _line_of(path.read_text(encoding="utf-8"), rf"^{re.escape(wanted)}\b", pattern=True)
    return f"{shown(path)}:{line}"


def _module_of(game: Game, path: Path) -> types.ModuleType:
    return importlib.import_module(_module_name(game, path))


def _module_name(game: Game, path: Path) -> str:
    parts = path.relative_to(game.folder).with_suffix("").parts
    return ".".join([game.package, *(part for part in parts if part != "__init__")])


# --- Clauses ------------------------------------------------------------------------


def citable(book: Rulebook) -> set[str]:
    """Return what may be cited: the ids of clauses and of the questions that they answer."""
    return {clause.id for clause in book} | {each for clause in book for each in clause.questions}


def _unknown_clauses(path: Path, tree: ast.Module, book: Rulebook) -> Iterator[str]:
    """Yield the clauses that are cited in ``code("…")`` and docstrings, and aren't in the rulebook."""
    known = citable(book)
    prefix = re.compile(rf"\b{re.escape(book.prefix)}-\d+[a-z]?\b")
    for node in ast.walk(tree):
        cited: list[tuple[int, str]] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "code" and node.args:
            value = getattr(node.args[0], "value", None)
            cited = [(node.lineno, value)] if isinstance(value, str) else []
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and (text := ast.get_docstring(node, False)):
            first = node.body[0].lineno
            cited = [
                (first + number, clause)
                for number, line in enumerate(text.splitlines())
                for clause in prefix.findall(line)
            ]
        for line, clause in cited:
            if clause not in known:
                yield f"{shown(path)}:{line}: clauses.toml has no {clause}.{nearest(clause, known)}"


# --- Names --------------------------------------------------------------------------


def _unbound(path: Path, text: str, module: types.ModuleType) -> Iterator[str]:
    """Yield the global names that functions use and nothing defines."""
    known = set(vars(module)) | set(vars(builtins))
    told_of: set[str] = set()
    codes = list(_codes(compile(text, str(path), "exec", dont_inherit=True)))
    known |= {
        step.argval for each in codes for step in dis.get_instructions(each) if step.opname == "STORE_GLOBAL"
    }
    for code in codes:
        for step in dis.get_instructions(code):
            name = step.argval
            if step.opname == "LOAD_GLOBAL" and name not in known and name not in told_of:
                told_of.add(name)
                line = step.positions.lineno if step.positions else code.co_firstlineno
                yield f"{shown(path)}:{line}: {undefined(name, known.union(code.co_varnames))}"


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from _codes(each)


VERB = ("to_words", "to_fields", "choice", "refusal", "narrate", "reason")  # its methods
# What the engine looks for in a short game, as far as verbs don't name it.
LOOKED_FOR = (
    *("State", "ACTIONS", "CARDS", "Options", "PHASES", "TEAMS", "GOAL", "MAX_LEGAL", "COLOURS"),
    *("deal", "points", "rounds", "check_position", "before_action", "after_action", "legal_actions"),
)


def _misspelt(path: Path, tree: ast.Module, game: Game) -> Iterator[str]:
    """Yield unused names that are nearly what the engine looks for and doesn't find."""
    home = vars(importlib.import_module(game.package))
    verbs = game.actions.verbs if "ACTIONS" in home and "State" in home else ()
    wanted = [*LOOKED_FOR, *(form + verb for verb in verbs for form in ("why_not_", "list_", "score_"))]
    missing = [name for name in wanted if name not in home]
    used = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    for node in tree.body:
        names = [each.id for each in getattr(node, "targets", []) if isinstance(each, ast.Name)]
        names += [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        for name in set(names) - used - set(wanted):
            if meant := difflib.get_close_matches(name, missing, 1, 0.75):
                yield f"{shown(path)}:{node.lineno}: Nothing uses {name!r}. Did you mean {meant[0]!r}?"
        if isinstance(node, ast.ClassDef) and any(getattr(each, "id", "") == "Verb" for each in node.bases):
            for each in node.body:
                name = getattr(each, "name", "form")
                if name not in VERB and (meant := difflib.get_close_matches(name, VERB, 1, 0.75)):
                    yield f"{shown(path)}:{each.lineno}: Nothing uses {name!r}. Did you mean {meant[0]!r}?"


def _fields(game: Game) -> frozenset[str]:
    """Return the fields of a short game's state; none for a game whose functions may mean others."""
    home: Any = importlib.import_module(game.package)
    state = getattr(home, "State", None)
    if not (isinstance(state, type) and issubclass(state, Table)):
        return frozenset()
    return frozenset(state._specs) | {name for name in dir(Record) if not name.startswith("_")}


def _unknown_fields(path: Path, tree: ast.Module, fields: frozenset[str]) -> Iterator[str]:
    """Yield the fields of the state that rules name and it doesn't have."""
    for function in ast.walk(tree) if fields else ():
        if not isinstance(function, ast.FunctionDef):
            continue
        states = {each.arg for each in function.args.args if each.annotation and _is_state(each.annotation)}
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id in states
                and node.attr not in fields
            ):
                meant = nearest(node.attr, fields)
                yield f"{shown(path)}:{node.lineno}: State has no field {node.attr!r}.{meant}"


def _is_state(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id == "State"
