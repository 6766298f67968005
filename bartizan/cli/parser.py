"""An argument parser whose refusals are sentences with the nearest right word."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from bartizan.cli.errors import UsageError
from bartizan.engine.errors import nearest


class Parser(argparse.ArgumentParser):
    """Raise `UsageError` with one sentence where argparse would print its usage and leave."""

    def __init__(self, *, description: str = "", **settings: Any) -> None:
        sentence = f"{description[:1].upper()}{description[1:]}." if description else None
        super().__init__(allow_abbrev=False, description=sentence, **settings)
        self.register("type", Path, _path)
        self.dashed: set[str] = set()  # options whose value may begin with a dash
        self.parts: Collection[str] = ()  # one of which must be named
        self.synonyms: dict[str, str] = {}  # words that people try, and the part that they mean

    def _joined(self, args: Sequence[str]) -> list[str]:
        """Return the words with ``--best -plies`` as ``--best=-plies``, which argparse takes for a value."""
        joined: list[str] = []
        for word in args:
            if joined and joined[-1] in self.dashed and re.match("-[^-]", word):
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    def error(self, message: str) -> NoReturn:
        """Raise the sentence for what argparse found wrong."""
        choice = re.fullmatch(r"argument ([^:]*): invalid choice: '(.*)' \(choose from (.*)\)", message)
        if choice:
            name, given, choices = choice.groups()
            known = re.findall(r"'([^']*)'", choices)
            meant = nearest(self.synonyms.get(given, given), known) or f" Choose from {', '.join(known)}."
            where = f" for {name}" if name.startswith("-") else ""
            raise UsageError(f"`{self.prog}` does not know {given!r}{where}.{meant}")
        required = re.fullmatch(r"the following arguments are required: (.*)", message)
        argument = re.fullmatch(r"argument ([^:]*): (.*)", message)
        if required:
            message = f"{required.group(1)} is missing"
            if required.group(1) == "PART":
                message += f": {', '.join(self.parts)}"
        elif argument:
            message = f"{argument.group(1)}: {argument.group(2)}"
        raise UsageError(f"{message[:1].upper()}{message[1:]}. `{self.prog} --help` shows how it is called.")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, and refuse what is left over with the nearest option."""
        words = sys.argv[1:] if args is None else args
        parsed, rest = super().parse_known_args(self._joined(words), namespace)
        for word in rest:
            if word.startswith("-") and word != "-":
                name = word.split("=")[0]
                meant = nearest(name, self._option_string_actions) or f" `{self.prog} --help` lists them."
                raise UsageError(f"`{self.prog}` has no option {name}.{meant}")
        if rest:
            raise UsageError(
                f"`{self.prog}` does not know what to do with {rest[0]!r}. "
                f"`{self.prog} --help` shows how it is called."
            )
        return parsed, rest


def _path(text: str) -> Path:
    """Read a path; an empty one would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty, perhaps because a variable isn't set")
    return Path(text)


def whole(low: int, high: int) -> Any:
    """Return an argparse type: a whole number from `low` to `high`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} isn't a whole number from {low} to {high}")
        return number

    return read


def read_settings(given: Iterable[str]) -> dict[str, object]:
    """Read ``--set key=value`` words; what the values mean is for the game to say."""
    options: dict[str, object] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--set {word!r} is not of the form key=value, such as --set key=true.")
        key = key.strip().replace("-", "_")
        if key in options:
            raise UsageError(f"--set {key} is given twice.")
        options[key] = value.strip()
    return options


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add ``--set``."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="KEY=VALUE",
        help="set an option; `bartizan games GAME` lists them (repeatable)",
    )


def is_number(text: str) -> bool:
    """Say whether a text is a whole number of up to six digits, and so no player's name."""
    return re.fullmatch(r"[0-9]{1,6}", text.strip()) is not None


# --- Options that several commands have: one name, one meaning ----------------


def add_parts(parser: Parser, words: Mapping[str, str]) -> Callable[[str], Parser]:
    """Give a command parts, each with its own arguments; return what makes the parser of one part."""
    parser.parts = words
    parts = parser.add_subparsers(dest="part", metavar="PART", required=True, parser_class=Parser)
    return lambda name: parts.add_parser(name, help=words[name], description=words[name])


def add_seats(parser: argparse.ArgumentParser) -> None:
    """Add ``--seats``, how many sit at the table; `bartizan.cli.seats` adds it where programs are named."""
    parser.add_argument(
        "--seats", type=whole(1, 99), metavar="N", help="number of seats (default: the fewest)"
    )


def add_seed(parser: argparse.ArgumentParser, meaning: str, default: str | None = None) -> None:
    """Add ``--seed``; `meaning` says what follows from it, and what it is by default."""
    parser.add_argument("--seed", default=default, metavar="HEX", help=f"{meaning}; 1 to 32 hex digits")


def add_threads(parser: argparse.ArgumentParser, meaning: str, default: int | None = 1) -> None:
    """Add ``--threads``."""
    parser.add_argument("--threads", type=whole(1, 1024), default=default, metavar="N", help=meaning)


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add ``--data``."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="the folder that holds the tables (default: BARTIZAN_DATA, or else your folder for user data)",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add ``--position``, a file that says where a game begins (see `bartizan.cli.start`)."""
    parser.add_argument(
        "--position",
        type=Path,
        metavar="FILE",
        help="start from this position, scenario or trace entry (TOML or JSON), with its game and options",
    )


def add_resume(parser: argparse.ArgumentParser, what: str, *, older: bool = False) -> None:
    """Add ``--resume``, a file that saves long work to continue it later; `older`: also as ``--file``."""
    names = parser.add_mutually_exclusive_group()
    names.add_argument(
        "--resume", type=Path, metavar="FILE", help=f"save {what} to this file, and continue from it"
    )
    if older:
        names.add_argument("--file", type=Path, dest="resume", help=argparse.SUPPRESS)
