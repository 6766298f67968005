"""Take an experiment's keys as flags of ``bartizan lab run``, instead of a file's or over them."""

from __future__ import annotations

import argparse
import itertools
import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, read_settings, whole

if TYPE_CHECKING:
    from bartizan.lab.design import Design

MOST = 10**8
MOST_VALUES = 1_000  # of a range
MOST_NAMED = 4  # words of a folder's name
RANGE = re.compile(r"([+-]?\d{1,9})\.\.([+-]?\d{1,9})", re.ASCII)
# Flags of one key each: the flag, the key, what it is called in the help, what it means.
LISTS = (
    ("--players", "players", "A,B,…", "the players; every assignment to the seats is played"),
    ("--measures", "measures", "A,B,…", "groups of measures (default: fairness,length,choice,pieces)"),
)
NUMBERS = (
    ("--seats", "seats", "number of seats"),
    (
        "--games",
        "games",
        "games per cell (one cell per variant)",
    ),
    ("--repeats", "repeats", "how often each deal is played"),
    ("--tried", "tried", "games that what-if replays by the rules of each other cell"),
)
SEARCH = {  # in measures that need a search
    "games": "games per cell to search in",
    "iterations": "iterations per decision",
    "rounds": "deals per pair of players in the skill ladder",
}


def add_flags(parser: Parser) -> None:
    """Add a flag for every key of an experiment."""
    words = "each sets or replaces a key of the experiment's file"
    group = parser.add_argument_group("an experiment in flags", words)
    group.add_argument("--game", metavar="GAME", help="the game")
    for flag, _, shown, meaning in LISTS:
        group.add_argument(flag, metavar=shown, help=meaning)
    for flag, _, meaning in NUMBERS:
        group.add_argument(flag, type=whole(1, MOST), metavar="N", help=meaning)
    group.add_argument("--seed", metavar="WORD", help="seed: the same word deals the same games")
    group.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="KEY=VALUE",
        help="set an option of the rules (repeatable)",
    )
    group.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="KEY=A,B,…",
        help="vary an option: one variant per value, in every combination; 3..6 means 3,4,5,6 (repeatable)",
    )
    group.add_argument(
        "--each",
        action="append",
        default=[],
        metavar="KEY=A,B,…",
        help="vary options one at a time (repeatable)",
    )
    group.add_argument(
        "--until", metavar="MEASURE=WIDTH", help="stop when this measure's interval is this narrow"
    )
    group.add_argument(
        "--until-most", type=whole(1, MOST), metavar="N", help="with --until: at most N games per cell"
    )
    group.add_argument("--confirm", metavar="A,B,…", help="players who confirm the main figure, or none")
    group.add_argument(
        "--confirm-games", type=whole(1, MOST), metavar="N", help="games with each of these players"
    )
    for key, meaning in SEARCH.items():
        words = f"in measures that need a search: {meaning}"
        group.add_argument(f"--search-{key}", type=whole(1, MOST), metavar="N", help=words)
    group.add_argument(
        "--search-budgets", metavar="N,N,…", help="iterations of the players in the skill ladder"
    )


def read_experiment(args: argparse.Namespace) -> tuple[Design, Path]:
    """Return the experiment that a file, a folder or flags describe, and the folder that it goes to.

    Flags go before the keys of the file.  Raises `BadExperiment`, `UsageError`.
    """
    from bartizan.lab.reading import confirmed_design, design_of, names_confirming
    from bartizan.lab.store import is_begun_as

    tables, out = _of_file(args)
    given = tables_of(args)
    if "game" not in tables and "game" not in given:
        raise UsageError("FILE or --game is missing: an experiment is about a game.")
    tables = merged(tables, given)
    design = confirmed_design(tables)
    folder = out or _own_folder(design)
    # Folders of earlier versions have nobody who confirms, and fewer measures.
    earlier = [design if "measures" in tables else replace(design, measures=design_of(tables).measures)]
    if "measures" not in tables:  # nor were the cards of a game measured that doesn't name them
        earlier.append(replace(design, measures=tuple(each for each in design.measures if each != "pieces")))
    earlier += [replace(each, confirm=()) for each in (design, *earlier) if not names_confirming(tables)]
    return next((each for each in earlier if is_begun_as(folder, each)), design), folder


def _own_folder(design: Design) -> Path:
    """Return a folder here that is named like the game and what is varied: a free one, or its own."""
    from bartizan.lab.store import can_hold

    words = [design.game.name, *design.varied]
    stem = "-".join(re.sub(r"[^a-z0-9]+", "-", word) for word in words[:MOST_NAMED])
    numbered = (Path(stem if number == 1 else f"{stem}-{number}") for number in itertools.count(1))
    return next(path for path in numbered if can_hold(path, design))


def _of_file(args: argparse.Namespace) -> tuple[dict[str, Any], Path | None]:
    """Return what the file or the folder says, checked with its lines, and where it is kept."""
    from bartizan.engine.files import read_text
    from bartizan.lab.experiment import Experiment
    from bartizan.lab.reading import read_design
    from bartizan.lab.store import SETTLED

    if args.file is None:
        return {}, args.out
    if args.file.is_dir():
        return Experiment.open(args.file).design.written(), args.out or args.file
    text = read_text(args.file)
    if args.file.name == SETTLED and "\n[made_with]\n" in text:  # that of a folder, not one to be run
        return Experiment.open(args.file).design.written(), args.out or args.file.parent
    if args.game is None:
        read_design(text, str(args.file))
    out = args.out or args.file.with_suffix("")
    if out == args.file:
        raise UsageError(f"--out is required, because {args.file} has no ending such as .toml.")
    try:
        return tomllib.loads(text), out
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{args.file}: This isn't valid TOML: {error}.") from error


def tables_of(args: argparse.Namespace) -> dict[str, Any]:
    """Return what the flags say, as the tables of a file."""
    experiment: dict[str, Any] = {} if args.game is None else {"game": args.game}
    if args.seed is not None:
        experiment["seed"] = args.seed
    for flag, key, _, _ in LISTS:
        if getattr(args, key) is not None:
            experiment[key] = words_of(getattr(args, key), flag)
    for _, key, _ in NUMBERS:
        if getattr(args, key) is not None:
            experiment[key] = getattr(args, key)
    if args.settings:
        experiment["options"] = {
            key: value_of(str(word)) for key, word in read_settings(args.settings).items()
        }
    if args.vary:
        experiment["vary"] = varied("--vary", args.vary)
    if args.each:
        experiment["each"] = varied("--each", args.each)
    for flag in ("vary", "each"):
        for name in experiment.get("options", {}).keys() & experiment.get(flag, {}).keys():
            raise UsageError(f"--set {name} fixes what --{flag} {name} varies. Leave one of them out.")
    if args.until is not None:
        experiment["until"] = _until(args.until)
    if args.until_most is not None:
        if args.until is None and args.file is None:
            raise UsageError("--until-most goes with --until.")
        experiment.setdefault("until", {})["most"] = args.until_most
    if args.confirm is not None:
        players = [] if args.confirm == "none" else words_of(args.confirm, "--confirm")
        experiment["confirm"] = {"players": players}
    if args.confirm_games is not None:
        if args.confirm == "none":
            raise UsageError(
                "--confirm-games asks for games that --confirm none forbids. Leave one of them out."
            )
        experiment.setdefault("confirm", {})["games"] = args.confirm_games
    search = {key: getattr(args, f"search_{key}") for key in SEARCH}
    search["budgets"] = None if args.search_budgets is None else values_of(args.search_budgets)
    if any(value is not None for value in search.values()):
        experiment["search"] = {key: value for key, value in search.items() if value is not None}
    return experiment


def merged(tables: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return tables with what is given over them; of a table within them key by key."""
    experiment = dict(tables)
    for key, value in given.items():
        below = experiment.get(key)
        experiment[key] = {**below, **value} if isinstance(value, dict) and isinstance(below, dict) else value
    fixed, varied = given.get("options", {}), given.get("vary", {})
    for key, other in (
        ("options", varied),
        ("vary", fixed),
    ):  # what is varied is no longer set, nor the reverse
        if isinstance(experiment.get(key), dict):
            experiment[key] = {name: each for name, each in experiment[key].items() if name not in other}
    return experiment


def words_of(text: str, flag: str) -> list[str]:
    """Return the words between commas; raises `UsageError` where there is none."""
    words = [word.strip() for word in text.split(",")]
    if not all(words):
        raise UsageError(f"{flag} {text!r} has an empty name next to a comma.")
    return words


def value_of(word: str) -> Any:
    """Return a value as TOML writes it, or else the word as a text."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        return word


def values_of(text: str) -> list[Any]:
    """Return the values between commas."""
    return [value_of(word.strip()) for word in text.split(",")]


def varied(flag: str, given: Iterable[str]) -> dict[str, list[Any]]:
    """Return the options and values of ``key=value,value`` words; raises `UsageError`."""
    found: dict[str, list[Any]] = {}
    for word in given:
        key, equals, values = word.partition("=")
        if not equals or not key.strip() or not values.strip():
            raise UsageError(
                f"{flag} {word!r} is not of the form key=value,value, such as {flag} key=true,false."
            )
        name = key.strip().replace("-", "_")
        if name in found:
            raise UsageError(f"{flag} {name} is given twice.")
        found[name] = _values_varied(values)
    return found


def _values_varied(text: str) -> list[Any]:
    """Return the values between commas, of which ``3..6`` stands for four; raises `UsageError`."""
    values: list[Any] = []
    for word in text.split(","):
        ends = RANGE.fullmatch(word.strip())
        if ends is None:
            values.append(value_of(word.strip()))
            continue
        low, high = int(ends[1]), int(ends[2])
        if low > high:
            raise UsageError(f"{word.strip()} isn't a range: write the smaller number first.")
        if high - low >= MOST_VALUES:
            raise UsageError(
                f"{word.strip()} has {high - low + 1:,} values; at most {MOST_VALUES:,} are allowed."
            )
        values += range(low, high + 1)
    return values


def _until(text: str) -> dict[str, Any]:
    measure, equals, width = text.partition("=")
    if not equals:
        raise UsageError(
            f"--until {text!r} is not of the form measure=width, such as --until won.seat_1=0.04."
        )
    return {"measure": measure.strip(), "width": value_of(width.strip())}
