"""Cards, options, positions and moves of Alcazar as plain texts and lists.

Part of a second implementation of the rules, written from the published documents alone: it shares no line
with `bartizan` and is there to be compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.reference.options import completed

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "*"
VACANT = "-"
ARMIES = ("right", "left", "top")
RANK_NAMES = ("front", "rear")
PLACES = tuple(f"{army}.{rank}" for army in ARMIES for rank in RANK_NAMES)

DEFAULTS: dict[str, Any] = {
    "first_round_movement": "run",
    "empty_rear": "refill",
    "actions_per_turn": "unlimited",
    "win_timing": "immediate",
    "trade_limit": "1",
    "necromancer_blocks": "plays",
    "modifier_scope": "every_face_up",
    "lost_tower_card": "deck_bottom",
    "reinforcement": "this_turn",
    "overpay": "any",
    "havoc": False,
    "endless_night": False,
    "total_victory": False,
    "advantage_replace": False,
    "traitor_ties": "one",
    "special_repair": "nine",
    "revive_range": "up_to_2",
    "both_empty": "rear",
    "overflow": "none",
    "drain_per_face_card": False,
    "round_cap": 200,
}
CHOICES: dict[str, tuple[str, ...]] = {
    "first_round_movement": ("run", "skip"),
    "empty_rear": ("refill", "stay"),
    "actions_per_turn": ("unlimited", "3", "one_of_each", "1", "2", "4", "5"),
    "win_timing": ("immediate", "end_of_round", "failed_draw"),
    "trade_limit": ("1", "unlimited"),
    "necromancer_blocks": ("plays", "all_uses"),
    "modifier_scope": ("every_face_up", "attackers_only"),
    "lost_tower_card": ("deck_bottom", "discard"),
    "reinforcement": ("this_turn", "keep"),
    "overpay": ("any", "minimal"),
    "traitor_ties": ("one", "all"),
    "special_repair": ("nine", "none"),
    "revive_range": ("up_to_2", "exactly_2"),
    "both_empty": ("rear", "both"),
    "overflow": ("none", "carry"),
}
RANGES = {"round_cap": (1, 30_000)}


def full_options(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Complete the options with their defaults and bring on/off, yes/no and numbers to one form."""
    return completed(given, DEFAULTS, CHOICES, RANGES)


# --- cards ------------------------------------------------------------------------------------------


def deck_of(options: Mapping[str, Any]) -> list[str]:
    """List every card of the game, Jokers included where Havoc wants them (ALC-2)."""
    return [r + s for r in RANKS for s in SUITS] + [JOKER] * (2 if options["havoc"] else 0)


def plain(card: str) -> str:
    """Drop the face-down mark."""
    return card.removeprefix("~")


def is_down(card: str) -> bool:
    return card.startswith("~")


def is_up(card: str) -> bool:
    return card != VACANT and not is_down(card)


def is_red(card: str) -> bool:
    return card[1] in "dh"


def opposite(a: str, b: str) -> bool:
    return is_red(a) != is_red(b)


def is_special(card: str) -> bool:
    """ALC-28: J, Q, K and A."""
    return card[0] in "JQKA"


def is_face(card: str) -> bool:
    """ALC-28: J, Q and K; the Ace is no face card."""
    return card[0] in "JQK"


def enemy_value(card: str) -> int:
    """ALC-66: 2 to 14."""
    return RANKS.index(card[0]) + 2


def home_value(card: str) -> int:
    """ALC-66b and 66c: 2 to 10, and 9 for specials."""
    return 9 if is_special(card) else RANKS.index(card[0]) + 2


def in_order(cards: Sequence[str]) -> list[str]:
    """Sort a set as moves write it: high rank first, then c d h s."""
    return sorted(cards, key=lambda c: (-RANKS.index(c[0]), SUITS.index(c[1])))


# --- positions --------------------------------------------------------------------------------------


@dataclass
class Position:
    """One position in the published notation; `fog` deck cards on top are in an unknown order."""

    tower: list[str]
    lanes: dict[str, list[str]]
    hand: list[str]
    deck: list[str]
    round: int = 1
    phase: str = "action"
    advantages: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    borrowed: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    traded: bool = False
    passes: int = 0
    still: int = 0
    changed: bool = False
    resume: str = "action"
    winner: str = "none"
    fog: int = 0

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Position:
        """Read a full position: the tower, armies and hand must be given."""
        unknown = set(data) - KEYS
        if unknown:
            raise ValueError(f"unknown keys: {sorted(unknown)}")
        rest: dict[str, Any] = {
            k: list(v) if isinstance(v, list) else v for k, v in data.items() if k not in LISTED
        }
        return cls(
            tower=[plain(c) for c in data["tower"]],
            lanes={army: list(data[army]) for army in ARMIES},
            hand=list(data["hand"]),
            deck=[plain(c) for c in data["deck"]],
            **rest,
        )

    def write(self) -> dict[str, Any]:
        """Write all the keys of the notation (tower cards below the top face down)."""
        return {
            "round": self.round,
            "phase": self.phase,
            "tower": [c if i == 0 else "~" + c for i, c in enumerate(self.tower)],
            **{army: list(self.lanes[army]) for army in ARMIES},
            "hand": list(self.hand),
            "advantages": list(self.advantages),
            "deck": list(self.deck),
            "discard": list(self.discard),
            "aside": list(self.aside),
            "borrowed": list(self.borrowed),
            "done": list(self.done),
            "traded": self.traded,
            "passes": self.passes,
            "still": self.still,
            "changed": self.changed,
            "resume": self.resume,
            "winner": self.winner,
        }

    def copy(self) -> Position:
        other = Position.read(self.write())
        other.fog = self.fog
        return other

    def at(self, place: str) -> str:
        army, rank = place.split(".")
        return self.lanes[army][RANK_NAMES.index(rank)]

    def put_at(self, place: str, card: str) -> None:
        army, rank = place.split(".")
        self.lanes[army][RANK_NAMES.index(rank)] = card

    def face_up(self) -> list[str]:
        """List the places of the face-up enemies."""
        return [place for place in PLACES if is_up(self.at(place))]

    def everything(self) -> list[str]:
        """List every card of the position without face-down marks."""
        lanes = [plain(c) for lane in self.lanes.values() for c in lane if c != VACANT]
        piles = self.tower + self.hand + self.advantages + self.deck + self.discard + self.aside
        return [plain(c) for c in piles] + lanes


LISTED = {"tower", "right", "left", "top", "hand", "deck"}
KEYS = LISTED | {
    *("round", "phase", "advantages", "discard", "aside", "borrowed", "done", "traded"),
    *("passes", "still", "changed", "resume", "winner"),
}


class Chance(Protocol):
    """What a caller supplies where the rules shuffle: the order is asked for card by card."""

    def pick(self, cards: Sequence[str], place: str, now: Position) -> str:
        """Say which of these cards lies on top; `place` says where it goes: "hand" or an army's place."""

    def order(self, cards: Sequence[str]) -> list[str]:
        """Say in which order those that nobody took lie in the deck, top first."""


@dataclass
class GivenOrder:
    """A chance that is given the order of the shuffled deck beforehand (several for several shuffles)."""

    orders: list[list[str]]

    def pick(self, cards: Sequence[str], place: str, now: Position) -> str:
        del place, now
        while self.orders and not set(self.orders[0]) & set(cards):
            self.orders.pop(0)
        if not self.orders:
            return cards[0]
        for card in self.orders[0]:
            if card in cards:
                self.orders[0].remove(card)
                return card
        return cards[0]

    def order(self, cards: Sequence[str]) -> list[str]:
        left = list(cards)
        first = self.orders[0] if self.orders else []
        ordered = [c for c in first if c in left]
        for card in ordered:
            left.remove(card)
        return ordered + left


# --- moves ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Move:
    """A move in parts; `cards` are paid or played in the order written."""

    kind: str
    card: str = ""
    places: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    taking: str = ""
    replacing: str = ""

    @property
    def text(self) -> str:
        """Write the canonical text."""
        pay = f" paying {self.cards[0]}" if self.cards else ""
        match self.kind:
            case "defend":
                return f"defend {self.places[0]} with {' '.join(in_order(self.cards))}"
            case "repair":
                return f"repair with {self.card}"
            case "missile":
                return f"missile {self.card} at {self.places[0]}{pay}"
            case "swap":
                return f"swap {self.card} {' '.join(sorted(self.places))}{pay}"
            case "reinforce":
                return f"reinforce {self.card} taking {self.taking}{pay}"
            case "advantage":
                return f"advantage {self.card}{pay}" + (
                    f" replacing {self.replacing}" if self.replacing else ""
                )
            case _:
                return " ".join(part for part in (self.kind, self.card) if part) + pay


_CARD = "[2-9TJQKA][cdhs]"
_PLACE = "(?:right|left|top)[.](?:front|rear)"
_FORMS = {
    "defend": f"defend (?P<places>{_PLACE}) with (?P<cards>{_CARD}(?: {_CARD})*)",
    "repair": f"repair with (?P<card>{_CARD})",
    "missile": f"missile (?P<card>{_CARD}) at (?P<places>{_PLACE}) paying (?P<cards>{_CARD})",
    "swap": f"swap (?P<card>{_CARD}) (?P<places>{_PLACE} {_PLACE}) paying (?P<cards>{_CARD})",
    "fortify": f"fortify (?P<card>{_CARD}) paying (?P<cards>{_CARD})",
    "reinforce": f"reinforce (?P<card>{_CARD}) taking (?P<taking>{_CARD}) paying (?P<cards>{_CARD})",
    "advantage": f"advantage (?P<card>{_CARD}) paying (?P<cards>{_CARD})( replacing (?P<replacing>{_CARD}))?",
    "trade": f"trade (?P<card>{_CARD})",
    "discard": f"discard (?P<card>{_CARD})",
    "draw": "draw",
    "stay": "stay",
    "end": "end",
}


def read_move(text: str) -> Move:
    """Read a move in full notation (no shortened forms)."""
    words = " ".join(text.split())
    kind = words.split(" ")[0]
    found = re.fullmatch(_FORMS[kind], words) if kind in _FORMS else None
    if found is None:
        raise ValueError(f"{text!r} is no move; add the form of a new verb to _FORMS")
    parts = found.groupdict()
    return Move(
        kind,
        parts.get("card") or "",
        tuple((parts.get("places") or "").split()),
        tuple((parts.get("cards") or "").split()),
        parts.get("taking") or "",
        parts.get("replacing") or "",
    )
