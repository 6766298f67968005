"""Check traces of Castle Danger against a second implementation of the rules, and count its move tree.

    python -m bartizan trace castle-danger --games 100 --seed 1 --json > trace.jsonl
    python tests/castle_danger/reference.py trace.jsonl      (or - for standard input)
    python tests/castle_danger/reference.py perft --depth 4
    python tests/castle_danger/reference.py perft --depth 3 --set add_cost=0 --to-move red --moves-left 4
        --board ".w...k./.#...#./......./......./~~~~~~~/......./......./.#...#./.K...W."

The first prints every difference (game, ply, move, key, expected, found) and a last line with the counts; the
exit status is 1 where anything differs. `perft` prints the number of move sequences of each length.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.castle_danger.reference_board import DEFAULTS, FIRE, Position, full_options, position_faults, start
from tests.castle_danger.reference_rules import clauses_against, legal_moves, play, played


@dataclass(frozen=True)
class Difference:
    """One thing in which a trace and this implementation differ."""

    game: int
    ply: int
    move: str
    key: str
    expected: Any
    found: Any
    options: str = ""

    def __str__(self) -> str:
        return (
            f"game {self.game} ply {self.ply} {self.move!r}: {self.key}: expected {self.expected},"
            f" found {self.found}{'  ' + self.options if self.options else ''}"
        )


@dataclass
class Audit:
    """What an audit found."""

    games: int = 0
    plies: int = 0
    differences: list[Difference] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)


def compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """List the keys in which two positions differ."""
    expected, found = comparable(expected), comparable(found)
    missing = "(key is missing)"
    pairs = [(key, value, found.get(key, missing)) for key, value in expected.items()]
    pairs += [(key, "(no such key)", found[key]) for key in found if key not in expected]
    return [pair for pair in pairs if pair[1] != pair[2]]


def comparable(position: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of a finished game what nobody decides by any more.

    Its winner and the pieces count; whether Fire and fired flags of the turn that would have followed are
    still there after a draw does not.
    """
    winner = position.get("winner", "none")
    if winner == "none":
        return dict(position)
    rows = [str(row) for row in position["board"]]
    if winner == "draw":
        plain = str.maketrans({FIRE["blue"]: ".", FIRE["red"]: ".", "F": "C", "f": "c"})
        rows = [row.translate(plain) for row in rows]
    return {"board": rows, "winner": winner}


class Auditor:
    """Goes through a trace line by line."""

    def __init__(self) -> None:
        self.report = Audit()
        self.options = full_options({})
        self.label = ""
        self.game = 0
        self.ply = 0
        self.before: Mapping[str, Any] | None = None

    def differ(self, move: str, key: str, expected: Any, found: Any) -> None:
        self.report.differences.append(
            Difference(self.game, self.ply, move, key, expected, found, self.label)
        )

    def read(self, line: Mapping[str, Any]) -> None:
        """Check one line, and the move that led to it."""
        found = line["position"]
        self.game = line["game_no"]
        if "options" in line:
            self.begin(line["options"])
            if line.get("ply") == 0 and "start" not in line:
                for key, expected, got in compare(start(self.options).write(), found):
                    self.differ("", key, expected, got)
        if self.before is not None:
            self.check_move(self.before, found)
        self.ply = line.get("ply", self.ply + 1)
        for clause, sentence in position_faults(found, self.options):
            self.differ("", "position", "keeps all rules", f"{sentence} ({clause})")
        if "result" in line:
            self.check_result(line["result"], found)
            self.before = None
            return
        self.check_legal(Position.read(found, self.options), line["legal"])
        if line["move"] not in line["legal"]:
            self.differ(line["move"], "move", "one of those listed", line["move"])
        self.before = line

    def begin(self, options: Mapping[str, Any]) -> None:
        self.report.games += 1
        self.options = full_options(options)
        self.label = " ".join(f"{k}={v}" for k, v in self.options.items() if v != DEFAULTS[k])
        self.before = None

    def check_move(self, before: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        """Play the move on the position before it and compare key by key."""
        self.report.plies += 1
        self.report.kinds[before["move"].split()[0] if " " in before["move"] else "step or end"] += 1
        past = Position.read(before["position"], self.options)
        if clauses_against(past, self.options, before["move"]):
            return  # already reported with the legal moves
        expected = play(past, self.options, before["move"]).write()
        for key, wanted, got in compare(expected, found):
            self.differ(before["move"], key, wanted, got)

    def check_legal(self, position: Position, listed: Sequence[str]) -> None:
        if list(listed) != sorted(set(listed)):
            self.differ("", "legal", "each move once, sorted", listed)
        legal = set(legal_moves(position, self.options))
        if not legal:
            self.differ("", "legal", "a line with a result: the game is over", listed)
        for move in sorted(legal ^ set(listed)):
            self.differ(move, "legal", move in legal, move not in legal)

    def check_result(self, result: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        winner = found["winner"]
        self.report.winners[winner] += 1
        said = result.get("winner")
        forms = {"blue": ("blue", 1, [1]), "red": ("red", 2, [2]), "draw": ("draw",)}
        if winner not in forms or said not in forms[winner]:
            self.differ("", "result", winner, said)
        scores = {"blue": [1, -1], "red": [-1, 1], "draw": [0, 0]}.get(winner)
        if result.get("scores") not in (scores, [], None):
            self.differ("", "scores", scores, result.get("scores"))


def audit(lines: Iterable[str]) -> Audit:
    """Check every ply of a trace: the legal moves, the position after the move, and the result."""
    auditor = Auditor()
    for line in lines:
        if line.strip():
            auditor.read(json.loads(line))
    return auditor.report


# --- counting the move tree -----------------------------------------------------------------------------


def perft(position: Position, options: Mapping[str, Any], depth: int) -> int:
    """Count the sequences of exactly so many moves; games that end sooner give none."""
    moves = legal_moves(position, options)
    if depth <= 1:
        return len(moves) if depth == 1 else 1
    return sum(perft(played(position, options, move), options, depth - 1) for move in moves)


# --- the command ----------------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["perft"]:
        return count_command(arguments[1:])
    if len(arguments) != 1:
        print("usage: reference.py FILE.jsonl (or - for standard input) | perft …", file=sys.stderr)
        return 2
    if arguments[0] == "-":
        report = audit(sys.stdin)
    else:
        with Path(arguments[0]).open() as lines:
            report = audit(lines)
    for difference in report.differences:
        print(difference)
    print(f"{report.games} games, {report.plies} plies, {len(report.differences)} differences")
    return 1 if report.differences else 0


def count_command(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reference.py perft")
    parser.add_argument("--depth", type=int, required=True)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="settings")
    parser.add_argument("--board", help="rows 9 to 1 with / between")
    parser.add_argument("--to-move", default="blue")
    parser.add_argument("--turn", type=int, default=1)
    parser.add_argument("--moves-left", type=int)
    parser.add_argument("--may-add", choices=("true", "false"))
    given = parser.parse_args(list(arguments))
    options = full_options(dict(setting.split("=", 1) for setting in given.settings))
    written: dict[str, Any] = {"to_move": given.to_move, "turn": given.turn}
    if given.board:
        written["board"] = given.board.split("/")
    if given.moves_left is not None:
        written["moves_left"] = given.moves_left
    if given.may_add:
        written["may_add"] = given.may_add == "true"
    faults = position_faults(written, options)
    for clause, sentence in faults:
        print(f"{sentence} ({clause})", file=sys.stderr)
    if faults:
        return 2
    position = Position.read(written, options)
    for depth in range(1, given.depth + 1):
        print(depth, perft(position, options, depth), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
