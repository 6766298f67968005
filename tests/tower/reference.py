"""Check traces of Tower against a second implementation of the rules.

    python -m bartizan trace tower --games 100 --seed 1 --json > trace.jsonl
    python tests/tower/reference.py trace.jsonl      (or - for standard input)

prints every difference (game, ply, move, key, expected, found) and a last line with the counts; the exit
status is 1 where anything differs. Of what a move leads to, only the order of a shuffled pile is taken from
the trace.
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

from tests.tower.reference_moves import clauses_against, legal_moves, meant, read_move, written_as
from tests.tower.reference_rules import play
from tests.tower.reference_table import (
    DEFAULTS,
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

    def leftovers(self, cards: Sequence[str]) -> list[str]:
        return self.as_found(cards, self.found.discard)

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
    phases: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)


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
    wanted, got = comparable(expected), comparable(found)
    missing = "(key is missing)"
    pairs = [(key, wanted.get(key, missing), got.get(key, missing)) for key in {**wanted, **got}]
    return [pair for pair in pairs if pair[1] != pair[2]]


def canonical(position: Position, options: Mapping[str, Any], text: str) -> str:
    """Give the form in which this implementation writes a move that names its tower more or less often."""
    move = read_move(text)
    if move.kind not in ("hit", "deflect"):
        return text
    forms = {written_as(position, move, attack) for attack in meant(position, move)}
    possible = [form for form in sorted(forms) if not clauses_against(position, options, form)]
    return possible[0] if len(possible) == 1 else text


class Auditor:
    """Goes through a trace line by line."""

    def __init__(self) -> None:
        self.report = Audit()
        self.options: dict[str, Any] = {}
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
        self.game = line["game_no"]
        if "options" in line:
            self.begin(line)
        found = Position.read(line["position"], self.options)
        if line.get("ply") == 0 and "start" not in line:
            self.check_deal(found)
        if self.before is not None:
            self.check_move(self.before, found)
        self.ply = line.get("ply", self.ply + 1)
        self.report.phases[found.phase] += 1
        if Counter(found.everything()) != Counter(deck_of(self.options)):
            self.differ("", "cards", "every card of the game once", sorted(found.everything()))
        for clause, sentence in position_faults(found, self.options):
            self.differ("", "position", "keeps all rules", f"{sentence} ({clause})")
        if "result" in line:
            self.check_result(line["result"], found)
            self.before = None
            return
        self.check_legal(found, line["legal"])
        if line["move"] not in line["legal"]:
            self.differ(line["move"], "move", "one of those listed", line["move"])
        self.before = line

    def begin(self, line: Mapping[str, Any]) -> None:
        self.report.games += 1
        self.options = full_options(line["options"], line["seats"])
        changed = {k: v for k, v in self.options.items() if k != "decks" and v != DEFAULTS[k]}
        self.label = f"seats={line['seats']} " + " ".join(f"{k}={v}" for k, v in changed.items())
        self.before = None

    def check_deal(self, found: Position) -> None:
        """TWR-4: five cards each, nothing laid, the rest in the draw pile."""
        fresh = Position([Player(player.hand) for player in found.players], found.to_move, deck=found.deck)
        for key, expected, got in compare(fresh, found):
            self.differ("", key, expected, got)
        if {len(player.hand) for player in found.players} != {5}:
            self.differ("", "hands", 5, [len(player.hand) for player in found.players])

    def check_move(self, before: Mapping[str, Any], found: Position) -> None:
        """Play the move on the position before it and compare key by key."""
        self.report.plies += 1
        past = Position.read(before["position"], self.options)
        move = canonical(past, self.options, before["move"])
        self.report.kinds[move.split()[0]] += 1
        if clauses_against(past, self.options, move):
            return  # already reported with the legal moves
        expected = play(past, self.options, move, Guided(found))
        for key, wanted, got in compare(expected, found):
            self.differ(before["move"], key, wanted, got)

    def check_legal(self, position: Position, listed: Sequence[str]) -> None:
        if list(listed) != sorted(set(listed)):
            self.differ("", "legal", "each move once, sorted", listed)
        legal = set(legal_moves(position, self.options))
        if not legal:
            self.differ("", "legal", "a line with a result: the game is over", listed)
        for move in sorted(legal ^ {canonical(position, self.options, move) for move in listed}):
            self.differ(move, "legal", move in legal, move not in legal)

    def check_result(self, result: Mapping[str, Any], found: Position) -> None:
        """Compare the result with the last position; the winner's score is the highest."""
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
