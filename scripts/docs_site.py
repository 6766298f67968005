"""Add the pages that are made from the project itself to the documentation site (a hook of MkDocs).

These are the root's own pages, every command's help, and each game's rules and options.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ.setdefault("BARTIZAN_MODE", "python")

from mkdocs.structure.files import File, Files

from bartizan.cli.main import COMMANDS
from bartizan.engine import registry
from bartizan.engine.game import Game
from scripts.progress import ROOT

ROOT_PAGES = {
    "contributing": "CONTRIBUTING.md",
    "architecture": "ARCHITECTURE.md",
    "changelog": "CHANGELOG.md",
}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
WIDTH = "88"  # columns of a command's help


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that no file in docs/ holds."""
    for name, source in ROOT_PAGES.items():
        _add(files, config, f"contribute/{name}.md", _moved((ROOT / source).read_text(encoding="utf-8")))
    _add(files, config, "reference/commands.md", "\n".join(_commands()))
    for game in map(registry.get, registry.names()):
        _add(files, config, f"reference/{game.name}.md", "\n".join(_rules(game)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to files that the site doesn't have into their names."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def link(found: re.Match[str]) -> str:
        text, target = found.group(1), found.group(2)
        path = Path(os.path.normpath(folder / target))
        is_outside = not path.is_relative_to(ROOT / "docs")
        if is_outside and (page_name := _page_of(path)):
            return f"[{text}]({os.path.relpath(ROOT / 'docs' / page_name, folder)}{found.group(3) or ''})"
        return f"{text}" if is_outside or path.is_dir() else found.group(0)

    return LINK.sub(link, markdown)


def _page_of(path: Path) -> str:
    """Return the page that shows a file of the root, or an empty text."""
    return next((f"contribute/{name}.md" for name, source in ROOT_PAGES.items() if path == ROOT / source), "")


def _add(files: Files, config: Any, name: str, text: str) -> None:
    files.append(File.generated(config, name, content=text))


def _moved(text: str) -> str:
    """Return the text of a page of the root with its links as they are from docs/contribute/."""

    def link(found: re.Match[str]) -> str:
        target = os.path.relpath(ROOT / found.group(2), ROOT / "docs" / "contribute")
        return f"[{found.group(1)}]({target}{found.group(3) or ''})"

    return LINK.sub(link, text)


def _commands() -> Iterator[str]:
    yield "# Commands\n"
    yield "What `bartizan COMMAND --help` prints, for every command.\n"
    for name, meaning in COMMANDS.items():
        command = importlib.import_module(f"bartizan.cli.{name}_command")
        with patch.dict(os.environ, {"COLUMNS": WIDTH}):
            yield f"## {name}\n"
            parser = command.parser(f"bartizan {name}", meaning)
            yield f"```text\n{parser.format_help().rstrip()}\n```\n"
            for choice, sub in _subcommands(parser):
                yield f"### {name} {choice}\n\n```text\n{sub.format_help().rstrip()}\n```\n"


def _subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _rules(game: Game) -> Iterator[str]:
    book = game.clauses
    yield f"# {book.title}: rules and options\n"
    yield f"{book.summary.strip()}\n"
    yield f"After *{book.source}*{f' by {book.author}' if book.author else ''}. The wording here is ours.\n"
    section = ""
    for clause in book.all():
        if clause.section != section:
            section = clause.section
            yield f"## {section}\n"
        yield f'<a id="{clause.id.lower()}"></a>**{clause.title}** <small>{clause.id}</small>\n'
        yield f"{clause.text.strip()}\n"
        if clause.ruling:
            yield f"> {clause.ruling.strip()}\n"
    yield "## Options\n"
    yield "Set them with `--set KEY=VALUE`, or under *Rules* when you create a table.\n"
    yield "| option | default | values | meaning |\n|---|---|---|---|"
    for spec in game.option_set.specs():
        values = ", ".join(map(str, spec.values)) or ("true, false" if spec.kind == "bool" else "")
        values = values or (f"{spec.low} to {spec.high}" if spec.low is not None else "text")
        yield f"| `{spec.key}` | `{spec.default}` | {values} | {spec.sentence} |"
