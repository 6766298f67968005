"""``bartizan throws``: throw many cards and keep what they did, or show how often they land."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser, add_resume, add_threads, whole
from bartizan.cli.progress import bar
from bartizan.engine.errors import nearest
from bartizan.engine.extras import require
from bartizan.engine.files import write_atomically

if TYPE_CHECKING:
    from bartizan.throwing.bank import Bank

ACTIONS = ("measure", "show")


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: `measure` makes a bank of throws by method, target, skill and distance, and "
        "writes the success rates of each skill; `show` prints how often the throws of a bank land, with "
        "95% intervals",
    )
    parsing.add_argument("action", metavar="measure|show")
    parsing.add_argument(
        "--throws",
        type=whole(1, 10**6),
        default=1000,
        metavar="N",
        help="throws of each kind; there are 144 (default: 1000)",
    )
    parsing.add_argument(
        "--bank",
        type=Path,
        metavar="FILE",
        help="Parquet file with the bank to write or show (default: bank.parquet)",
    )
    parsing.add_argument(
        "--skill", type=Path, metavar="FILE", help="write the success rates of each skill to this TOML file"
    )
    add_resume(parsing, "every hundred throws")
    add_threads(parsing, "throws simulated at the same time (default: 1)")
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Measure, or show what was measured."""
    if args.action not in ACTIONS:
        raise UsageError(
            f"`bartizan throws` has no {args.action!r}; it has {' and '.join(ACTIONS)}."
            f"{nearest(args.action, ACTIONS)}"
        )
    require("throwing", "Throwing a card")
    from bartizan.lab.throws import measure, skill_text
    from bartizan.throwing.bank import FILE, cells, load

    if args.action == "measure":
        path = args.bank or Path(FILE)
        for file in (path, args.skill):
            if file is not None and not file.parent.is_dir():
                raise UsageError(f"There is no folder {file.parent} for {file.name}.")
        with bar("throwing", args.throws * len(cells())) as progress:
            measure(args.throws, path, args.resume, args.threads, progress)
        bank = load(path)
    else:
        bank = load(args.bank)
    if args.skill is not None:
        write_atomically(args.skill, skill_text(bank))
    show(bank, args.json)
    return 0


def show(bank: Bank, as_json: bool) -> None:
    """Print how often throws land."""
    import msgspec

    from bartizan.lab.throws import rates

    shares = rates(bank)
    if as_json:
        print(json.dumps(msgspec.to_builtins(shares), ensure_ascii=False))
        return
    print(f"{len(bank):,} throws of the duel, aimed at the middle; landed on what was aimed at, 95% interval")
    head = f"{'walls apart':<12} {'method':<8} {'target':<7} {'level':<9} {'throws':>7}  {'landed':>7}"
    print(f"  {head}")
    for each in shares:
        interval = f"{100 * each.low:.1f} to {100 * each.high:.1f}%"
        apart = f"{each.battlefield} inches"
        print(
            f"  {apart:<12} {each.method:<8} {each.target:<7} {each.level:<9} {each.throws:>7,}  "
            f"{100 * each.share:>5.1f}%  {interval}"
        )
