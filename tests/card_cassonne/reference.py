"""Check traces of Card-cassonne against a second implementation of the rules.

    python -m bartizan trace card-cassonne --games 100 --seed 1 --json > trace.jsonl
    python tests/card_cassonne/reference.py trace.jsonl      (or - for standard input)

prints every difference (game, ply, move, key, expected, found, the clauses that acted) and a last line with
the counts; the exit status is 1 where anything differs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.card_cassonne.reference_board import (
    DECK,
    DEFAULTS,
    STARTER,
    Position,
    full_options,
    position_faults,
    read_position,
    removed,
)
from tests.card_cassonne.reference_rules import area_of, clauses_against, is_complete, legal_moves, play
from tests.reference.audit import Audit, Auditor, changes, command, differing


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
    return [difference for pair in differing(wanted, got) for difference in narrowed(*pair)]


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


class CardCassonneAuditor(Auditor[Position]):
    """Goes through a trace of Card-cassonne."""

    def begin(self, line: Mapping[str, Any]) -> None:
        self.options = full_options(line["options"])
        self.seats = line["seats"]
        self.label = f"seats={self.seats} {changes(self.options, DEFAULTS)}".rstrip()

    def read_position(self, written: Mapping[str, Any]) -> Position:
        return read_position(written, self.options, self.seats, fill=False)

    def faults(self, written: Mapping[str, Any]) -> list[tuple[str, str]]:
        return position_faults(written, self.options, self.seats)

    def legal_moves(self, position: Position) -> list[str]:
        return legal_moves(position, self.options)

    def clauses_against(self, position: Position, move: str) -> list[str]:
        return clauses_against(position, self.options, move)

    def check_position(self, position: Position) -> None:
        if Counter(position.cards()) != Counter(DECK):
            self.differ("", "cards", "each card twice", sorted(position.cards()))

    def check_deal(self, written: Mapping[str, Any]) -> None:
        """CC-4 to CC-7."""
        position = self.read_position(written)
        wanted: dict[str, Any] = {
            "board": [STARTER],
            "tokens": {},
            "phase": "play",
            "to_move": position.first,
            "aside": removed(self.options, self.seats),
            "players": [(self.options["hand"], self.options["tokens"], 0)] * self.seats,
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

    def check_move(self, past: Position, move: str, written: Mapping[str, Any]) -> None:
        expected = play(past, self.options, move)
        self.report.clauses.update(set(expected.events))
        for key, wanted, got in compare(expected, written, self.options):
            self.differ(move, key, wanted, got, expected.events)

    def check_result(self, result: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        position = self.read_position(written)
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
    return CardCassonneAuditor().audit(lines)


def main(arguments: Sequence[str]) -> int:
    return command(audit, arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
