"""``bartizan verify``: check that no one chose a record's deal or changed how its game went."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from bartizan.cli.errors import UsageError
from bartizan.cli.parser import Parser

EXIT_CODES = {"fair": 0, "forged": 1, "open": 3}


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument(
        "record", type=Path, metavar="RECORD", help="the record of a game, downloaded from its table"
    )
    parsing.add_argument(
        "--commitment",
        default="",
        metavar="HASH",
        help="the commitment that the table published before the deal",
    )
    parsing.add_argument(
        "--share",
        default="",
        metavar="HEX",
        help="the share that your browser added to the deal; checks that it is included",
    )
    parsing.add_argument("--head", default="", metavar="HEX", help="a check value that the table showed")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Print the checks and the verdict; exit code 0 fair, 3 open, 1 forged, 2 unreadable."""
    from bartizan.engine import fairness
    from bartizan.engine.chain import read_check_value
    from bartizan.engine.errors import BartizanError, CorruptRecord
    from bartizan.engine.files import read_text
    from bartizan.match import GameRecord
    from bartizan.match.verify import verdict, verify

    head = read_check_value(args.head) if args.head else ""
    commitment, share = args.commitment.strip().lower(), args.share.strip().lower()
    if commitment and not fairness.is_hash(commitment):
        raise UsageError(f"A commitment has 64 hexadecimal digits; this one has {len(commitment)}.")
    if share and not fairness.is_share(share):
        raise UsageError(f"A share has 32 hexadecimal digits; this one has {len(share)}.")
    text = read_text(args.record)
    try:
        findings = verify(GameRecord.parse(text), commitment, share, head)
    except RecursionError:
        raise CorruptRecord(f"{args.record}: its head is nested too deeply.") from None
    except BartizanError as error:
        raise CorruptRecord(f"{args.record}: {error}") from error
    for each in findings:
        mark = "WRONG" if not each.holds else "open " if each.chooser or each.changer else "ok   "
        print(f"{mark}  {each.part}: {each.says}")
    found = verdict(findings)
    chosen, changed = (_list(each.chooser for each in findings), _list(each.changer for each in findings))
    why = {
        "fair": "No one could have chosen the deal.",
        "open": " ".join(
            [f"The deal could have been chosen by {chosen}."] * bool(chosen)
            + [f"The ending could have been changed by {changed}."] * bool(changed)
        ),
        "forged": f"It is wrong about: {', '.join(each.part for each in findings if not each.holds)}.",
    }
    print(f"{args.record} is {found}. {why[found]}")
    return EXIT_CODES[found]


def _list(people: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(filter(None, people)))
