"""Check traces of Card-cassonne against a second implementation of the rules.

    python -m bartizan trace card-cassonne --games 100 --seed 1 --json > trace.jsonl
    python tests/card_cassonne/reference.py trace.jsonl      (or - for standard input)

prints every difference (game, ply, move, key, expected, found, the clauses that acted) and a last line with
the counts; the exit status is 1 where anything differs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.card_cassonne.reference_board import (
    DECK,
    DEFAULTS,
    HAND,
    STARTER,
    Position,
    full_options,
    position_faults,
    read_position,
    removed,
)
from tests.card_cassonne.reference_rules import area_of, clauses_against, is_complete, legal_moves, play


@dataclass(frozen=True)
class Difference:
    """One thing in which a trace and this implementation differ."""

    game: int
    ply: int
    move: str
    key: str
    expected: Any
    found: Any
    clauses: tuple[str, ...] = ()
    options: str = ""

    def __str__(self) -> str:
        basis = f"  [{' '.join(self.clauses)}]" if self.clauses else ""
        return (
            f"game {self.game} ply {self.ply} {self.move!r}: {self.key}: expected {self.expected},"
            f" found {self.found}{basis}{'  ' + self.options if self.options else ''}"
        )


@dataclass
class Audit:
    """What an audit found."""

    games: int = 0
    plies: int = 0
    differences: list[Difference] = field(default_factory=list)
    clauses: Counter[str] = field(default_factory=Counter)


def comparable(position: Position, options: Mapping[str, Any]) -> dict[str, Any]:
    """Write a position, without what nobody decides by any more.

    The last size of a complete area does not count, because such an area neither grows nor waits for a
    choice; a finished game asks for no sizes at all.
    """
    written = {"scored": {}, "winner": [], **position.write()}
    if position.phase == "over":
        written["scored"] = {}
    else:
        sizes: dict[str, int] = {}
        for cell, size in position.scored.items():
            area = area_of(position, options, cell)
            if not is_complete(position, options, area):
                name = f"{min(area)[0]},{min(area)[1]}"
                sizes[name] = max(size, sizes.get(name, 0))
        written["scored"] = sizes
    return written


def compare(
    expected: Position, found: Mapping[str, Any], options: Mapping[str, Any]
) -> list[tuple[str, Any, Any]]:
    """List the keys in which a position differs from a written one."""
    wanted = comparable(expected, options)
    got = comparable(read_position(found, options, expected.seats, fill=False), options)
    missing = "(key is missing)"
    keys = sorted({*wanted, *got})
    pairs = [(key, wanted.get(key, missing), got.get(key, missing)) for key in keys]
    return [difference for pair in pairs if pair[1] != pair[2] for difference in narrowed(*pair)]


def narrowed(key: str, expected: Any, found: Any) -> list[tuple[str, Any, Any]]:
    """Show only the seats and cells that differ."""
    if key == "players":
        return [
            (f"players.{seat}.{part}", before[part], after[part])
            for seat, (before, after) in enumerate(zip(expected, found, strict=True), 1)
            for part in before
            if before[part] != after[part]
        ]
    if isinstance(expected, dict) and isinstance(found, dict):
        cells = [cell for cell in {**expected, **found} if expected.get(cell) != found.get(cell)]
        return [(f"{key}.{cell}", expected.get(cell, "-"), found.get(cell, "-")) for cell in cells]
    return [(key, expected, found)]


class Auditor:
    """Goes through a trace line by line."""

    def __init__(self) -> None:
        self.report = Audit()
        self.options = full_options({})
        self.label = ""
        self.seats = 2
        self.game = 0
        self.ply = 0
        self.before: Mapping[str, Any] | None = None

    def differ(self, move: str, key: str, expected: Any, found: Any, basis: Sequence[str] = ()) -> None:
        clauses = tuple(dict.fromkeys(basis))
        self.report.differences.append(
            Difference(self.game, self.ply, move, key, expected, found, clauses, self.label)
        )

    def read(self, line: Mapping[str, Any]) -> None:
        """Check one line, and the move that led to it."""
        found = line["position"]
        self.game = line["game_no"]
        if "options" in line:
            self.begin(line)
        faults = position_faults(found, self.options, self.seats)
        for clause, sentence in faults:
            self.differ("", "position", "keeps all rules", f"{sentence} ({clause})")
        if any(not clause for clause, _ in faults):
            self.before = None
            return  # it cannot be read
        if self.before is not None:
            self.check_move(self.before, found)
        self.ply = line.get("ply", self.ply + 1)
        position = read_position(found, self.options, self.seats, fill=False)
        if Counter(position.cards()) != Counter(DECK):
            self.differ("", "cards", "each card twice", sorted(position.cards()))
        if "options" in line and "start" not in line:
            self.check_deal(position)
        if "result" in line:
            self.check_result(line["result"], position)
            self.before = None
            return
        self.check_legal(position, line["legal"])
        if line["move"] not in line["legal"]:
            self.differ(line["move"], "move", "one of those listed", line["move"])
        self.before = line

    def begin(self, line: Mapping[str, Any]) -> None:
        self.report.games += 1
        self.options = full_options(line["options"])
        self.seats = line["seats"]
        changed = [f"{key}={value}" for key, value in self.options.items() if value != DEFAULTS[key]]
        self.label = " ".join([f"seats={self.seats}", *changed])
        self.before = None

    def check_deal(self, position: Position) -> None:
        """CC-4 to CC-7."""
        wanted: dict[str, Any] = {
            "board": [STARTER],
            "tokens": {},
            "phase": "play",
            "to_move": position.first,
            "aside": removed(self.options, self.seats),
            "players": [(HAND, self.options["tokens"], 0)] * self.seats,
        }
        got: dict[str, Any] = {
            "board": list(position.board),
            "tokens": position.tokens,
            "phase": position.phase,
            "to_move": position.to_move,
            "aside": len(position.aside),
            "players": [(len(player.hand), player.supply, player.score) for player in position.players],
        }
        for key, value in wanted.items():
            if value != got[key]:
                self.differ("", f"set-up {key}", value, got[key], ["CC-4", "CC-5", "CC-6", "CC-7"])

    def check_move(self, before: Mapping[str, Any], found: Mapping[str, Any]) -> None:
        """Play the move on the position before it and compare key by key."""
        self.report.plies += 1
        past = read_position(before["position"], self.options, self.seats, fill=False)
        if clauses_against(past, self.options, before["move"]):
            return  # already reported with the legal moves
        expected = play(past, self.options, before["move"])
        self.report.clauses.update(set(expected.events))
        for key, wanted, got in compare(expected, found, self.options):
            self.differ(before["move"], key, wanted, got, expected.events)

    def check_legal(self, position: Position, listed: Sequence[str]) -> None:
        if list(listed) != sorted(set(listed)):
            self.differ("", "legal", "each move once, sorted", listed)
        legal = set(legal_moves(position, self.options))
        if not legal:
            self.differ("", "legal", "a line with a result: nobody can move", listed)
        for move in sorted(legal ^ set(listed)):
            self.differ(move, "legal", move in legal, move not in legal)

    def check_result(self, result: Mapping[str, Any], position: Position) -> None:
        """Compare a trace's result line with its last position."""
        points = [player.score for player in position.players]
        best = [seat for seat, score in enumerate(points, 1) if score == max(points)]
        if position.phase != "over" or position.winner != best:
            self.differ("", "result", ["over", best], [position.phase, position.winner], ["CC-Q20"])
        said = result.get("winner")
        if str(said) not in (str(best), *([str(best[0])] if len(best) == 1 else [])):
            self.differ("", "result", best, said, ["CC-Q20"])
        scores = result.get("scores") or points
        if len(scores) != self.seats or not fits(scores, best):
            self.differ("", "scores", f"the highest for {best}", scores)


def fits(scores: Sequence[float], best: Sequence[int]) -> bool:
    """Say whether the winners, and only they, have the highest score."""
    return [seat for seat, score in enumerate(scores, 1) if score == max(scores)] == list(best)


def audit(lines: Iterable[str]) -> Audit:
    """Check every ply of a trace: the legal moves, the position after the move, and the result."""
    auditor = Auditor()
    for line in lines:
        if line.strip():
            auditor.read(json.loads(line))
    return auditor.report


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("usage: reference.py FILE.jsonl (or - for standard input)", file=sys.stderr)
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
