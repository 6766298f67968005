"""Check traces of Card Barrage against a second implementation of the rules.

    python -m bartizan trace card-barrage --games 100 --seed 1 --json > trace.jsonl
    python tests/card_barrage/reference.py trace.jsonl      (or - for standard input)

prints every difference (game, ply, move, key, expected, found, the clauses that acted) and a last line with
the counts; the exit status is 1 where anything differs.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

if not __package__:  # run as a file
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.card_barrage.reference_board import (
    DEFAULTS,
    HAND,
    NOTHING,
    WILD,
    Position,
    Table,
    full_options,
    read_position,
)
from tests.card_barrage.reference_faults import position_faults
from tests.card_barrage.reference_moves import clauses_against
from tests.card_barrage.reference_rules import fitting, legal_moves, play
from tests.reference.audit import Audit, Auditor, changes, command, differing

SET_UP = ("CB-9", "CB-10", "CB-11", "CB-12", "CB-13", "CB-16")


def comparable(position: Position) -> dict[str, Any]:
    """Write a position, without what nobody decides by.

    That the end has been triggered may be noted with the hit or at the end check; a destroyed wall that
    nothing fits may be forgotten now or in its turn; the simulacrum's turn has no steps to use up.
    """
    written = position.write()
    written["aside"] = sorted(position.aside)
    if position.phase == "over":
        kept = ("first", "phase", "winner", "players", "aside")
        return {key: written.get(key, []) for key in kept}
    reached = any(player.points >= position.table.options["target"] for player in position.players)
    written["ending"] = position.ending or reached
    for player in written["players"]:
        player["moved"] = [slot for slot in player["moved"] if player["walls"][slot - 1] != NOTHING]
    if position.phase == "replace":
        written["open"] = {
            f"{seat}.{slot}": card
            for (seat, slot), card in sorted(position.open.items())
            if fitting(position, seat, card)
        }
    if position.phase == "walls":
        del written["active"]
    elif position.table.is_simulacrum(position.active):
        for key in ("built", "upgraded", "attacked"):
            del written[key]
    return written


def compare(expected: Position, found: Position) -> list[tuple[str, Any, Any]]:
    """List the keys in which two positions differ."""
    pairs = differing(comparable(expected), comparable(found))
    return [difference for pair in pairs for difference in narrowed(*pair)]


def narrowed(key: str, expected: Any, found: Any) -> list[tuple[str, Any, Any]]:
    """Show only the seats that differ."""
    if key != "players":
        return [(key, expected, found)]
    return [
        (f"players.{seat}.{part}", before[part], after[part])
        for seat, (before, after) in enumerate(zip(expected, found, strict=True), 1)
        for part in before
        if before[part] != after[part]
    ]


def outcomes(past: Position, move: str, found: Position) -> Iterator[Position]:
    """Play a move for every order of a shuffled discard that leaves the deck that was found.

    What lies in the deck afterwards lay at the bottom; the cards above it have been drawn, in any order.
    """
    shuffled: dict[int, list[str]] = {}

    def note(side: int, cards: list[str]) -> list[str]:
        shuffled[side] = list(cards)
        return sorted(cards)

    plain = play(past, move, note)
    if not shuffled:
        yield plain
        return
    decks = []
    for side, cards in shuffled.items():
        left = list(found.at(side).deck)
        drawn = Counter(cards) - Counter(left)
        fits = Counter(cards) == drawn + Counter(left)
        tops = itertools.permutations(sorted(drawn.elements())) if fits else [tuple(cards)]
        decks.append([(side, [*top, *left] if fits else list(top)) for top in tops])
    for order in itertools.product(*decks):
        chosen = dict(order)
        yield play(past, move, lambda side, _, chosen=chosen: list(chosen[side]))  # type: ignore[misc]


class BarrageAuditor(Auditor[Position]):
    """Goes through a trace of Card Barrage."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(2, full_options({}))

    def begin(self, line: Mapping[str, Any]) -> None:
        self.options = full_options(line["options"])
        self.table = Table(line["seats"], self.options)
        self.label = f"people={self.table.people} {changes(self.options, DEFAULTS)}".rstrip()

    def read_position(self, written: Mapping[str, Any]) -> Position:
        return read_position(written, self.table, fill=False)

    def faults(self, written: Mapping[str, Any]) -> list[tuple[str, str]]:
        return position_faults(written, self.table)

    def legal_moves(self, position: Position) -> list[str]:
        return legal_moves(position)

    def clauses_against(self, position: Position, move: str) -> list[str]:
        return clauses_against(position, move)

    def check_unlisted(self, position: Position, move: str) -> None:
        """Note a move that is not listed; what a throw did may be told in more words than a list can hold."""
        broken = clauses_against(position, move)
        if broken or not move.startswith("report"):
            self.differ(move, "move", "one of those listed", move, broken)

    def check_deal(self, written: Mapping[str, Any]) -> None:
        """CB-9 to CB-14, and the first draw."""
        table, position = self.table, self.read_position(written)
        played = 52 * table.decks - (table.seats - table.wild_castles)
        share = played // table.sides
        aside = played % table.sides + 2 * table.decks - table.wild_castles
        chosen = table.options["wall_setup"] == "chosen_from_9"
        hands, walls = [], []
        for seat in range(1, table.seats + 1):
            simulacrum = table.is_simulacrum(seat)
            walls.append(0 if table.untold or (chosen and not simulacrum) else table.walls)
            hands.append(0 if simulacrum else HAND + (table.walls if chosen else 0))
        if not table.lays_walls and not table.is_simulacrum(position.first):
            limit = table.options["hand_limit"]
            hands[position.first - 1] += 1 if limit == 0 or limit > HAND else 0
        decks = [
            share - sum(hands[seat - 1] + walls[seat - 1] for seat in table.seats_of(side))
            for side in range(1, table.sides + 1)
        ]
        first = table.is_simulacrum(position.first)
        wanted = {
            "phase": "walls" if table.lays_walls else "reveal" if first else "turn",
            "to_move": 1 if first or table.lays_walls else position.first,
            "round": 1,
            "hands": hands,
            "walls": walls,
            "decks": decks,
            "aside": aside,
            "castles": table.wild_castles,
            "discards": 0,
            "points": 0,
            "piles": 0,
        }
        players = position.players
        got = {
            "phase": position.phase,
            "to_move": position.to_move,
            "round": position.round,
            "hands": [len(player.hand) for player in players],
            "walls": [len(player.standing()) for player in players],
            "decks": [len(position.at(side).deck) for side in range(1, table.sides + 1)],
            "aside": len(position.aside),
            "castles": [player.castle for player in players].count(WILD),
            "discards": sum(len(player.discard) for player in players),
            "points": sum(player.points for player in players),
            "piles": sum(len(player.pile) for player in players),
        }
        for key, value in wanted.items():
            if value != got[key]:
                self.differ("", f"set-up {key}", value, got[key], SET_UP)

    def check_move(self, past: Position, move: str, written: Mapping[str, Any]) -> None:
        """Play a move and compare key by key."""
        found = self.read_position(written)
        results = list(outcomes(past, move, found))
        expected = min(results, key=lambda result: len(compare(result, found)))
        self.report.clauses.update(set(expected.events))
        for key, wanted, got in compare(expected, found):
            self.differ(move, key, wanted, got, expected.events)

    def check_result(self, result: Mapping[str, Any], written: Mapping[str, Any]) -> None:
        """Compare a trace's result line with its last position."""
        position = self.read_position(written)
        if position.phase != "over" or not position.winner:
            self.differ("", "result", "over, with a winner", [position.phase, position.winner], ["CB-24"])
        winner = position.spoken_winner()
        said = result.get("winner")
        if ", ".join(map(str, said)) != winner if isinstance(said, list) else str(said) != winner:
            self.differ("", "result", winner, said)
        returns = (
            result.get("returns") or []
        )  # the points, `scores`, may be equal, or lose to a stormed castle
        won = [each for seat, each in enumerate(returns, 1) if seat in position.winner]
        lost = [each for seat, each in enumerate(returns, 1) if seat not in position.winner]
        if won and lost and min(won) <= max(lost):
            self.differ("", "returns", f"the highest for {position.winner}", returns)


def audit(lines: Iterable[str]) -> Audit:
    """Check every ply of a trace: the legal moves, the position after the move, and the result."""
    return BarrageAuditor().audit(lines)


def main(arguments: Sequence[str]) -> int:
    return command(audit, arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
