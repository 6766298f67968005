"""``bartizan rules``: read a rulebook in our own words, rulings marked."""

from __future__ import annotations

import argparse
import json

from bartizan.cli.parser import Parser
from bartizan.engine import registry


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(prog=prog, description=meaning)
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "clause",
        nargs="?",
        metavar="CLAUSE",
        help="a clause, such as 19, or the rulings on a question, such as Q12 (default: all clauses)",
    )
    parsing.add_argument("--json", action="store_true", help="print JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Print the rules, or one clause of them."""
    book = registry.sound(args.game).clauses
    chosen = list(book.find(args.clause) if args.clause else book.all())
    if args.json:
        clauses = [
            {
                "id": clause.id,
                "section": clause.section,
                "title": clause.title,
                "text": clause.text,
                "ruling": clause.ruling,
                "questions": list(clause.questions),
            }
            for clause in chosen
        ]
        whole = {"title": book.title, "author": book.author, "source": book.source, "summary": book.summary}
        shown = clauses[0] if args.clause and len(clauses) == 1 else {**whole, "clauses": clauses}
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    from rich.console import Console

    from bartizan.terminal.rulebook import READABLE, print_rules

    console = Console()
    console.width = min(console.width, READABLE)
    print_rules(console, book, chosen, head=not args.clause)
    return 0
