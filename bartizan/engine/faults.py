"""Find the line in a game's own folder that caused an error."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

from bartizan.engine.errors import BartizanError, first_line

LONGEST = 200  # characters of Numba's messages
# What Numba says about rules that it can't compile, and what they should do instead.
CANNOT = {
    r"(?s)global name '_(\w+?)_?':[^\n]*'function'\W+File \"[^\"]*\.generated\"": "The rule {0!r} needs "
    "@rule above its `def`",
    r"global name '(\w+)':.*'function'": "A rule can only call rules: write @rule above the `def` of {0!r}",
    r"global name '(\w+)':.*<class '(?:\w+\.)*(\w+)'": "A rule can't use {0!r} ({1}): it can read "
    "whole numbers, and tuples and arrays of them",
    r"reflected list.* variable '(\w+)'": "A rule can't read the list {0!r}: make it a tuple",
    r"\(STORE_GLOBAL\)": "A rule can't change a global variable: keep in State what changes",
    r"\(IMPORT_NAME\)": "A rule can't import: do it at the top of the file",
    r"yield in a closure": "A rule can't use a generator expression: write a `for` loop",
    r"exception_match": "A rule can't use `try`: ask before whether something can be done",
    r"NRT required": "A rule can't make lists, sets or text: use whole numbers, and fields of State",
}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # Numba writes in colours where colorama is installed


def place_in(folder: Path, error: BaseException) -> str:
    """Return the last line of a game's files that an error came from, such as ``mygame/rules.py:12``.

    Empty if it came from none of them. A game that is one module has that file as its folder.
    """
    return named_place_in(folder, error) or _function_in(folder, _first(error))


def named_place_in(folder: Path, error: BaseException) -> str:
    """Return the place as `place_in` does, but only if the error names a file and not just a rule."""
    place = ""
    for name, line in _lines(error):
        path = Path(name).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            place = f"{path.relative_to(folder.resolve().parent)}:{line}"
    before = error.__cause__ or error.__context__
    return place or (named_place_in(folder, before) if before is not None else "")


def _first(error: BaseException) -> BaseException:
    """Return the error that caused all others."""
    before = error.__cause__ or error.__context__
    return error if before is None else _first(before)


def _lines(error: BaseException) -> Iterator[tuple[str, int]]:
    """Yield files and lines that an error passed through, the outermost first."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line
        yield from _compiled_line(frame.f_locals.get("self"))
    for name, number in reversed(
        re.findall(
            r"(?:^File \"| at |Raised from )(\S.*?)(?:\", line | \()(\d+)\)?:?$",
            COLOUR.sub("", str(error)),
            re.MULTILINE,
        )
    ):
        yield name, int(number)  # Numba names the innermost rule first
    if isinstance(error, SyntaxError) and error.filename:
        yield error.filename, error.lineno or 1


def _compiled_line(thing: object) -> Iterator[tuple[str, int]]:
    """Yield the line that Numba was compiling; its passes store it as `loc`."""
    place = vars(thing).get("loc") if hasattr(thing, "__dict__") else None
    if isinstance(getattr(place, "filename", None), str):
        yield place.filename, place.line  # type: ignore[union-attr]


def _function_in(folder: Path, error: BaseException) -> str:
    """Return the line of a rule that Numba couldn't compile and for which it gives only the name."""
    for rule in re.findall(r"(?:<function |global name '_?)(\w+)(?: at |')", COLOUR.sub("", str(error))):
        for path in sorted(folder.rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if line.startswith(f"def {rule}("):
                    return f"{path.relative_to(folder.parent)}:{number}"
    return ""


def what(error: BaseException) -> str:
    """Describe an error in one line without a full stop."""
    if isinstance(error, SyntaxError):
        return error.msg
    if isinstance(error, (BartizanError, ImportError)):
        return first_line(error)
    text = COLOUR.sub("", str(error))
    for pattern, instead in CANNOT.items() if type(error).__module__.startswith("numba.") else ():
        if found := re.search(pattern, text):
            return instead.format(*found.groups())
    if hasattr(error, "add_context"):  # Numba's own
        lines = [line.strip(" >") for line in text.splitlines()]
        said = [line for line in lines if line and not line.startswith("Failed in ")]
        told = " ".join(said[: 2 if said[:1] and said[0].endswith(":") else 1]).rstrip(".")
        return told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
    return f"{type(error).__name__}: {first_line(error)}"
