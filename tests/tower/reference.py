"""Check traces of Tower against a second implementation of the rules.

    python -m bartizan trace tower --games 100 --seed 1 --json > trace.jsonl
    python tests/tower/reference.py trace.jsonl      (or - for standard input)

prints every difference (game, ply, move, key, expected, found) and a last line with the counts; the exit
status is 1 where anything differs. Of what a move leads to, only the order of a shuffled pile is taken from
the trace.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.reference.audit import Audit, Auditor, changes, command, differing
from tests.tower.reference_moves import clauses_against, legal_moves, meant, read_move, written_as
from tests.tower.reference_rules import play
from tests.tower.reference_table import (
    Player,
    Position,
    deck_of,
    full_options,
    in_hand,
    position_faults,
)

NOBODY_DECIDES = ("to_move", "plays_left", "attacks", "spent")  # of a finished game


@dataclass(frozen=True)
class Guided:
    """A chance that agrees with the position found next."""

    found: Position

    def pick(self, cards: Sequence[str], seat: int, hand: Sequence[str]) -> str:
        """Draw a card that the seat is found to hold and does not hold yet."""
        wanted = Counter(self.found.of(seat).hand) - Counter(hand)
        fitting = sorted(wanted & Counter(cards))
        return fitting[0] if fitting else min(cards)

    def order(self, cards: Sequence[str]) -> list[str]:
        return self.as_found(cards, self.found.deck)

    def leftovers(self, cards: Sequence[str], above: int) -> list[str]:
        return self.as_found(cards, self.found.discard[above:])

    @staticmethod
    def as_found(cards: Sequence[str], pile: Sequence[str]) -> list[str]:
        """Sort cards as they lie in a pile; what is not found there goes below."""
        left = Counter(cards)
        ordered = []
        for card in pile:
            if left[card]:
                left[card] -= 1
                ordered.append(card)
        return ordered + sorted(left.elements())


def comparable(position: Position) -> dict[str, Any]:
    """Flatten a position: a line per seat and key; hands and the Rubble sorted.

    Where the game is over it does not matter whether the turn's last cards have gone to their piles yet.
    """
    written = position.write()
    if position.phase == "over":
        written["rubble"] += [in_hand(attack.card) for attack in position.attacks]
        written["discard"] = [*position.spent, *position.discard]
        for key in NOBODY_DECIDES:
            written.pop(key, None)
    players = written.pop("players")
    for seat, player in enumerate(players, 1):
        player["hand"].sort()
        written |= {f"players.{seat}.{key}": value for key, value in player.items()}
    written["rubble"].sort()
    return written


def compare(expected: Position, found: Position) -> list[tuple[str, Any, Any]]:
    """List the keys in which two positions differ."""
    return differing(comparable(expected), comparable(found))


def canonical(position: Position, options: Mapping[str, Any], text: str) -> str:
    """Give the form in which this implementation writes a move that names its tower more or less often."""
    move = read_move(text)
    if move.kind not in ("hit", "deflect"):
        return text
    forms = {written_as(position, move, attack) for attack in meant(position, move)}
    possible = [form for form in sorted(forms) if not clauses_against(position, options, form)]
    return possible[0] if len(possible) == 1 else text


class TowerAuditor(Auditor[Position]):
    """Goes through a trace of Tower."""

    def begin(self, line: Mapping[str, Any]) -> None:
        self.options = full_options(line["options"], line["seats"])
        usual = full_options({}, line["seats"])
        self.label = f"seats={line['seats']} {changes(self.options, usual)}".rstrip()

    def read_position(self, written: Mapping[str, Any]) -> Position:
        return Position.read(written, self.options)

    def faults(self, written: Mapping[str, Any]) -> list[tuple[str, str]]:
        return position_faults(self.read_position(written), self.options)

    def legal_moves(self, position: Position) -> list[str]:
        return legal_moves(position, self.options)

    def clauses_against(self, position: Position, move: str) -> list[str]:
        return clauses_against(position, self.options, move)

    def canonical(self, position: Position, move: str) -> str:
        return canonical(position, self.options, move)

    def check_position(self, position: Position) -> None:
        self.report.phases[position.phase] += 1
        if Counter(position.everything()) != Counter(deck_of(self.options)):
            self.differ("", "cards", "every card of the game once", sorted(position.everything()))

    def check_deal(self, written: Mapping[str, Any]) -> None:
        """TWR-4: five cards each, nothing laid, the rest in the draw pile."""
        found = self.read_position(written)
        fresh = Position([Player(player.hand) for player in found.players], found.to_move, deck=found.deck)
        for key, expected, got in compare(fresh, found):
            self.differ("", key, expected, got)
        if {len(player.hand) for player in found.players} != {5}:
            self.differ("", "hands", 5, [len(player.hand) for player in found.players])

    def check_move(self, past: Position, move: str, written: Mapping[str, Any]) -> None:
        self.report.kinds[move.split(maxsplit=1)[0]] += 1
        found = self.read_position(written)
        for key, wanted, got in compare(play(past, self.options, move, Guided(found)), found):
            self.differ(move, key, wanted, got)

    def check_result(self, result: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        """Compare the result with the last position; the winner's score is the highest."""
        found = self.read_position(written)
        winner, said = found.winner, result.get("winner")
        self.report.winners["draw" if winner == "draw" else "won"] += 1
        if found.phase != "over" or said not in (winner, str(winner), [winner]):
            self.differ("", "result", [found.phase, winner], said)
        scores = result.get("scores") or []
        best = [seat for seat, score in enumerate(scores, 1) if score == max(scores)]
        if scores and best != ([winner] if winner != "draw" else list(found.seats)):
            self.differ("", "scores", f"won by {winner}", scores)


def audit(lines: Iterable[str]) -> Audit:
    """Check every ply of a trace: the legal moves, the position after the move, and the result."""
    return TowerAuditor().audit(lines)


def main(arguments: Sequence[str]) -> int:
    return command(audit, arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
