"""Phrases that we don't use in anything people read, each with what to write instead."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from tests.test_house import relative, repository_files

# A pattern, and what to write.
PHRASES = {
    r"\banew\b": "again, new",
    r"\bis had\b|\bare had\b": "has",
    r"\bat hand\b": "available",
    r"\bas one likes\b|\bas you like\b": "(leave it out)",
    r"\bTable manners\b": "Settings",
    r"\bby lot\b": "at random",
    r"\bon the slant\b": "diagonally",
    r"\bThis is meant\b": "Try this",
    r"\bLooked for was\b": "Solution",
    r"\blook(?:s|ed|ing)? back on\b": "review",
    r"\bFigures? of your own\b|\bOwn figures\b": "Custom",
    r"\bin the wind\b": "exposed",
    r"\bunder way\b": "in progress, in flight",
    r"\bwhat came of\b|\bwhat comes of\b": "the result of",
    r"\bcame to light\b|\bcomes? to light\b": "is revealed",
    r"\bcome upon\b|\bcomes upon\b": "find, meet",
    r"\bput off\b": "postpone",
    r"\bgo(?:es)? by\b": "depends on",
    r"\btells? of\b|\bis told of\b": "reports, says",
    r"\bwhom\b": "(rewrite the sentence)",
    r"\bfaultless\b": "passes",
    r"\bSeat \d\b": "a colour or a name",
    r"\bsomebody\b|\bSomebody\b": "someone",
    r"\bnobody's\b": "(rewrite the sentence)",
    r"(?:^|[.!?] )Who (?:has|is|was|wants?|stands?|plays?|leaves?|comes?|sits?)\b[^?\n]*[.;:]": (
        "The player who"
    ),
    r"\bis to (?:decide|be)\b": "must, it is …'s turn",
    r"\bbesides\b": "also",
    r"\bfor lack of\b": "without",
    r"\bno more than\b": "at most",
    r"\bthereof\b|\bwhence\b|\bhence\b|\bthereby\b": "so",
    r"\b1 tower cards\b": "singular",
    r"\bto be had\b": "available",
    r"\blikewise\b": "also",
    r"\bof its kind\b": "like it",
    r"\bsee to\b|\bsees to\b": "make sure",
    r"\bstands? for itself\b": "(rewrite the sentence)",
}
PATTERN = re.compile("|".join(f"(?P<p{at}>{phrase})" for at, phrase in enumerate(PHRASES)), re.MULTILINE)
ADVICE = list(PHRASES.values())
TEXTS = {".md", ".toml", ".svelte", ".html", ".css"}


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a file that people read, with their lines: of Python, strings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value
        for token in tokenize.generate_tokens(StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    elif path.suffix in TEXTS or path.suffix == ".ts":
        yield 1, text


def faults(path: Path) -> list[str]:
    """Return a line for each phrase in a file that isn't used."""
    found = []
    for line, text in prose(path):
        for match in PATTERN.finditer(text):
            at = line + text.count("\n", 0, match.start())
            advice = ADVICE[int(str(match.lastgroup)[1:])]
            found.append(f"{relative(path)}:{at}: “{match.group().strip()}”: write {advice}")
    return found


def is_read(path: Path) -> bool:
    """Say whether people read what the file says, so that our style holds for it."""
    name = relative(path)
    if name.endswith(".test.ts"):
        return False
    return name.split("/")[0] in ("bartizan", "docs", "examples", "web", "deploy") or name in (
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    )


@pytest.mark.parametrize("folder", ["", "bartizan", "deploy", "docs", "examples", "web"])
def test_no_phrase_of_the_old_dialect(folder: str) -> None:
    """Each phrase names what to write instead."""
    paths = [
        path
        for path in repository_files()
        if is_read(path) and (relative(path).split("/")[0] == folder if folder else "/" not in relative(path))
    ]
    assert paths
    assert [fault for path in paths for fault in faults(path)] == []
