"""``bartizan verify``: check that the deal of a record was nobody's choice, and that all follows from it."""

from __future__ import annotations

import argparse
from pathlib import Path

from bartizan.cli.parser import Parser


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("record", type=Path, metavar="RECORD", help="a record, as a table gives it")
    parsing.add_argument(
        "--commitment", default="", metavar="HASH", help="what the table published before the deal"
    )
    return parsing


def run(args: argparse.Namespace) -> int:
    """Say what holds and what does not; exit code 1 if something does not, 2 if it cannot be read."""
    from bartizan.engine.errors import BartizanError, CorruptRecord
    from bartizan.engine.files import read_text
    from bartizan.match import GameRecord
    from bartizan.match.verify import verify

    text = read_text(args.record)
    try:
        verdict = verify(GameRecord.parse(text), args.commitment)
    except RecursionError:
        raise CorruptRecord(f"{args.record}: its head is nested too deeply.") from None
    except BartizanError as error:
        raise CorruptRecord(f"{args.record}: {error}") from error
    for each in verdict:
        print(f"{'holds' if each.holds else 'WRONG'}  {each.part}: {each.says}")
    wrong = [each.part for each in verdict if not each.holds]
    print(f"{args.record} is not true: {', '.join(wrong)}." if wrong else f"{args.record} is true.")
    return 1 if wrong else 0
