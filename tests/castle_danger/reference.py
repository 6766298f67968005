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
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.castle_danger.reference_board import DEFAULTS, FIRE, Position, full_options, position_faults, start
from tests.castle_danger.reference_rules import clauses_against, legal_moves, play, played
from tests.reference.audit import Audit, Auditor, Faults, changes, command, differing


def compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """List the keys in which two positions differ."""
    return differing(comparable(expected), comparable(found))


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


class CastleDangerAuditor(Auditor[Position]):
    """Goes through a trace of Castle Danger."""

    def begin(self, line: Mapping[str, Any]) -> None:
        self.options = full_options(line["options"])
        self.label = changes(self.options, DEFAULTS)

    def read_position(self, written: Mapping[str, Any]) -> Position:
        return Position.read(written, self.options)

    def faults(self, written: Mapping[str, Any]) -> list[tuple[str, str]]:
        return position_faults(written, self.options)

    def is_readable(self, faults: Faults) -> bool:
        """A key too many, or too few, does not keep the others from being compared."""
        del faults
        return True

    def legal_moves(self, position: Position) -> list[str]:
        return legal_moves(position, self.options)

    def clauses_against(self, position: Position, move: str) -> list[str]:
        return clauses_against(position, self.options, move)

    def check_deal(self, written: Mapping[str, Any]) -> None:
        for key, expected, got in compare(start(self.options).write(), written):
            self.differ("", key, expected, got)

    def check_move(self, past: Position, move: str, written: Mapping[str, Any]) -> None:
        self.report.kinds[move.split(maxsplit=1)[0] if " " in move else "step or end"] += 1
        for key, wanted, got in compare(play(past, self.options, move).write(), written):
            self.differ(move, key, wanted, got)

    def check_result(self, result: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        winner = written["winner"]
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
    return CastleDangerAuditor().audit(lines)


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
    return command(audit, arguments, also=" | perft …")


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
