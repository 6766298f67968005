"""Cards, options and positions of Card Barrage, read and written (part of the second implementation)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Options = Mapping[str, Any]
Place = tuple[int, int]  # a seat and one of its slots; slot 0 is the castle

DOMAINS = "kstv"
NOTHING = "-"
WILD = "W"
UNTOLD = "?"  # a real card in a hand or a deck, of which nobody tells (companion = on_table)
SUITED = [f"{value}{domain}" for domain in DOMAINS for value in range(1, 14)]  # CB-Q1
HAND = 4  # CB-13
PHASES = ("walls", "turn", "give", "effect", "discard", "replace", "reveal", "over")

DEFAULTS: dict[str, Any] = {
    "decks": 0,  # by the number of people
    "target": 10,
    "target_per": "side",
    "castle_hit_empty": "point",
    "castle_trigger": "seat",
    "castle_trigger_wins": False,
    "odd_players": "two_seats",
    "tiebreak": "value_domains",
    "effects": "house",
    "solo_hit_below": 11,
    "perfect_slot": "rebuildable",
    "wall_setup": "dealt",
    "upgrade_must_be_higher": False,
    "hand_limit": 0,
    "turn_cap": 60,
    "open_team_hands": False,  # who sees what decides no move (CB-Q16)
    "companion": "off",
    "throws": "reported",  # where and how cards are thrown decides no move: reports do
    "hand": "human",
    "path": "shown",
    "battlefield": 12,
    "grace": 8,
}
CHOICES: dict[str, tuple[str | int, ...]] = {
    "target_per": ("side", "seat"),
    "castle_hit_empty": ("point", "nothing", "deck_card"),
    "castle_trigger": ("seat", "whole_side", "off"),
    "odd_players": ("two_seats", "third_side"),
    "tiebreak": ("value_domains", "shared"),
    "effects": ("house", "off"),
    "perfect_slot": ("rebuildable", "lost"),
    "wall_setup": ("dealt", "chosen_from_9"),
    "companion": ("off", "on_screen", "on_table"),
    "throws": ("reported", "thrown"),
    "hand": ("human", "steady", "honest"),
    "path": ("shown", "hidden"),
    "battlefield": (12, 9, 10, 14),
}
RANGES = {
    "decks": (0, 4),
    "target": (1, 100),
    "solo_hit_below": (2, 14),
    "hand_limit": (0, 100),
    "turn_cap": (1, 1000),
    "grace": (0, 50),
}


def full_options(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fill in the defaults; ValueError for what is no option."""
    options = dict(DEFAULTS)
    for key, value in (given or {}).items():
        if key not in options:
            raise ValueError(
                f"there is no option {key!r}; add a new one to DEFAULTS and CHOICES, or RANGES, in "
                "tests/card_barrage/reference_board.py"
            )
        options[key] = plain_value(key, value)
    return options


def plain_value(key: str, value: Any) -> Any:
    """Bring an option's value to the form used here: numbers as numbers, yes and no as truth values."""
    word = str(value).lower()
    if isinstance(DEFAULTS[key], bool):
        if word not in ("yes", "no", "true", "false"):
            raise ValueError(f"{key} = {value!r}")
        return word in ("yes", "true")
    if key in RANGES:
        low, high = RANGES[key]
        if not word.isdigit() or not low <= int(word) <= high:
            raise ValueError(f"{key} = {value!r}")
        return int(word)
    choice = next((each for each in CHOICES[key] if str(each) == word), None)
    if choice is None:
        raise ValueError(f"{key} = {value!r}")
    return choice


def value_of(card: str) -> int:
    return int(card[:-1])


def domain_of(card: str) -> str:
    return card[-1]


# --- the table ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Who sits where, for so many people under these options (CB-6, CB-7, CB-11, CB-Q8, CB-Q13)."""

    people: int
    options: Options

    @property
    def solo(self) -> bool:
        return self.people == 1

    @property
    def seats(self) -> int:
        """Count the castles."""
        if self.people in (3, 5) and self.options["odd_players"] == "two_seats":
            return self.people + 1
        return max(2, self.people)

    @property
    def sides(self) -> int:
        odd = self.people in (3, 5) and self.options["odd_players"] == "third_side"
        return 3 if odd else 2

    @property
    def walls(self) -> int:
        return {1: 5, 2: 5, 3: 4, 4: 4, 5: 3, 6: 3}[self.people]

    @property
    def decks(self) -> int:
        return int(self.options["decks"]) or {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}[self.people]

    @property
    def wild_castles(self) -> int:
        """CB-9: wild cards first, then cards of value 1."""
        return min(2 * self.decks, self.seats)

    @property
    def untold(self) -> bool:
        """Say whether hands and decks are real cards."""
        return bool(self.options["companion"] == "on_table")

    @property
    def lays_walls(self) -> bool:
        """Say whether people lay the first walls: chosen ones, or real ones that they tell."""
        return self.untold or self.options["wall_setup"] == "chosen_from_9"

    @property
    def cards(self) -> list[str]:
        return [*SUITED, WILD, WILD] * self.decks

    def side(self, seat: int) -> int:
        """Give a seat's side, which is also that side's lowest seat."""
        return (seat - 1) % self.sides + 1

    def scorer(self, seat: int) -> int:
        """Give the seat in whose entry this seat's points and scored cards stand (CB-Q14)."""
        return seat if self.options["target_per"] == "seat" else self.side(seat)

    def seats_of(self, side: int) -> list[int]:
        return [seat for seat in range(1, self.seats + 1) if self.side(seat) == side]

    def enemies(self, seat: int) -> list[int]:
        return [each for each in range(1, self.seats + 1) if self.side(each) != self.side(seat)]

    def is_simulacrum(self, seat: int) -> bool:
        return self.solo and seat == 2

    def starts_pile(self, key: str, seat: int) -> bool:
        """Say whether this seat's entry holds that pile or count."""
        return seat == (self.side(seat) if key in ("deck", "discard") else self.scorer(seat))


# --- positions ----------------------------------------------------------------------------------------


@dataclass
class Player:
    """What lies before one castle; piles and points only in the entries that keep them."""

    hand: list[str] = field(default_factory=list)
    walls: list[str] = field(default_factory=list)
    moved: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    castle: str = WILD
    points: int = 0
    pile: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)

    def wall(self, slot: int) -> str:
        return self.walls[slot - 1]

    def standing(self) -> list[int]:
        return [slot for slot, card in enumerate(self.walls, 1) if card != NOTHING]

    def empty(self) -> list[int]:
        return [slot for slot, card in enumerate(self.walls, 1) if card == NOTHING]

    def lay(self, slot: int, card: str, moved: bool = False) -> None:
        """Put a card, or nothing, into a slot."""
        self.walls[slot - 1] = card
        if not moved:
            self.moved.discard(slot)

    def copy(self) -> Player:
        return Player(
            hand=list(self.hand),
            walls=list(self.walls),
            moved=set(self.moved),
            lost=set(self.lost),
            castle=self.castle,
            points=self.points,
            pile=list(self.pile),
            deck=list(self.deck),
            discard=list(self.discard),
        )


@dataclass
class Position:
    """A position as the notation describes it; `events` collects the clauses that acted, for the audit."""

    table: Table
    players: list[Player]
    to_move: int = 1
    active: int = 1
    first: int = 1
    round: int = 1
    phase: str = "turn"
    built: bool = False
    upgraded: bool = False
    attacked: bool = False
    ending: bool = False
    stormed: set[int] = field(default_factory=set)
    gives: set[int] = field(default_factory=set)
    scored: list[str] = field(default_factory=list)
    open: dict[Place, str] = field(default_factory=dict)
    aside: list[str] = field(default_factory=list)
    winner: list[int] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def at(self, seat: int) -> Player:
        return self.players[seat - 1]

    def deck_of(self, seat: int) -> Player:
        """Give the entry that keeps this seat's draw deck and discard (CB-10)."""
        return self.at(self.table.side(seat))

    def score_of(self, seat: int) -> Player:
        """Give the entry that keeps this seat's points and scored cards (CB-Q14)."""
        return self.at(self.table.scorer(seat))

    def copy(self) -> Position:
        return replace(
            self,
            players=[player.copy() for player in self.players],
            stormed=set(self.stormed),
            gives=set(self.gives),
            scored=list(self.scored),
            open=dict(self.open),
            aside=list(self.aside),
            winner=list(self.winner),
            events=[],
        )

    def unseen(self, card: str) -> bool:
        """Say whether a copy of a card lies in no wall, no pile and no castle."""
        open_cards = [
            each for player in self.players for each in (*player.walls, *player.pile, player.castle)
        ]
        return open_cards.count(card) < self.table.decks

    def cards(self) -> list[str]:
        """List every card that lies anywhere; the card of a destroyed wall lies in a pile."""
        found = list(self.aside)
        for player in self.players:
            walls = [card for card in player.walls if card != NOTHING]
            found += [*player.hand, *walls, player.castle, *player.pile, *player.deck, *player.discard]
        return found

    def write(self) -> dict[str, Any]:
        """Write the published form, every key of it."""
        position: dict[str, Any] = {
            "to_move": self.to_move,
            "active": self.active,
            "first": self.first,
            "round": self.round,
            "phase": self.phase,
            "built": self.built,
            "upgraded": self.upgraded,
            "attacked": self.attacked,
            "ending": self.ending,
            "stormed": sorted(self.stormed),
            "gives": sorted(self.gives),
            "scored": sorted(self.scored),
            "open": {f"{seat}.{slot}": card for (seat, slot), card in sorted(self.open.items())},
            "players": [self.write_player(seat) for seat in range(1, self.table.seats + 1)],
            "rest": "aside",
        }
        if self.phase == "over":
            position["winner"] = self.write_winner()
        return position

    def write_player(self, seat: int) -> dict[str, Any]:
        player = self.at(seat)
        written: dict[str, Any] = {
            "hand": sorted(player.hand),
            "walls": list(player.walls),
            "moved": sorted(player.moved),
            "lost": sorted(player.lost),
            "castle": player.castle,
        }
        own = {
            "points": player.points,
            "pile": sorted(player.pile),
            "deck": list(player.deck),
            "discard": list(player.discard),
        }
        return written | {key: value for key, value in own.items() if self.table.starts_pile(key, seat)}

    def spoken_winner(self) -> str:
        """Say who has won as a result does: seats with commas between."""
        winner = self.write_winner()
        return ", ".join(map(str, winner)) if isinstance(winner, list) else str(winner)

    def write_winner(self) -> str | int | list[int]:
        if self.table.solo:
            return {1: "player", 2: "loss"}[self.winner[0]] if len(self.winner) == 1 else "draw"
        return self.winner[0] if len(self.winner) == 1 else list(self.winner)


def read_place(text: str) -> Place:
    """Read 2.3, or 2.castle as slot 0."""
    seat, _, slot = text.partition(".")
    return int(seat), 0 if slot == "castle" else int(slot)


def read_winner(written: Any, table: Table) -> list[int]:
    """Read who has won, as a list of seats."""
    if written in (None, "none"):
        return []
    if table.solo:
        return {"player": [1], "loss": [2], "draw": [1, 2]}[written]
    return sorted(written) if isinstance(written, list) else [int(written)]


def named_cards(given: Mapping[str, Any]) -> list[str]:
    """List the cards that a written position names, destroyed walls left out: they lie in a pile."""
    found = []
    for player in given.get("players", []):
        for key in ("hand", "walls", "pile", "deck", "discard"):
            found += [card for card in player.get(key, []) if card != NOTHING]
        found += [player["castle"]] if "castle" in player else []
    return found


def read_position(
    given: Mapping[str, Any], table: Table, rng: random.Random | None = None, fill: bool = True
) -> Position:
    """Read a position in the published form; what is left out is dealt as in a fresh set-up.

    Without `fill` cards named nowhere are set aside.
    """
    written = [dict(player) for player in given.get("players", [{} for _ in range(table.seats)])]
    unnamed = list((Counter(table.cards) - Counter(named_cards(given))).elements())
    if table.untold:
        unnamed = untold_cards(unnamed, named_cards(given))
    (rng or random.Random(0)).shuffle(unnamed)
    players = [read_player(player) for player in written]
    deal_castles(players, written, table, unnamed)
    aside = [card for card in unnamed if card == WILD]  # CB-Q3
    unnamed = [card for card in unnamed if card != WILD]
    for seat, player in enumerate(players, 1):
        chosen = table.options["wall_setup"] == "chosen_from_9" and not table.is_simulacrum(seat)
        walls = 0 if table.untold else table.walls
        hand = 0 if table.is_simulacrum(seat) else left_out_hand(given, table, seat)
        if chosen and given.get("phase") == "walls":
            walls, hand = 0, hand + table.walls
        if "walls" not in written[seat - 1]:
            player.walls = [unnamed.pop() for _ in range(walls)] or [NOTHING] * table.walls
        if "hand" not in written[seat - 1]:
            player.hand = [unnamed.pop() for _ in range(hand)]
    if fill and given.get("rest") != "aside":
        share = len(unnamed) // table.sides  # CB-Q5
        for side in range(1, table.sides + 1):
            players[side - 1].deck += [unnamed.pop() for _ in range(share)]
    phase = given.get("phase", "turn")
    first = given.get("first", 1)
    to_move = given.get("to_move", 0 if phase == "over" else given.get("active", first))
    return Position(
        table=table,
        players=players,
        to_move=to_move,
        active=given.get("active", to_move or first),
        first=first,
        round=given.get("round", 1),
        phase=phase,
        built=given.get("built", False),
        upgraded=given.get("upgraded", False),
        attacked=given.get("attacked", False),
        ending=given.get("ending", False),
        stormed=set(given.get("stormed", [])),
        gives=set(given.get("gives", [])),
        scored=list(given.get("scored", [])),
        open={read_place(place): card for place, card in given.get("open", {}).items()},
        aside=aside + unnamed,
        winner=read_winner(given.get("winner"), table),
    )


def left_out_hand(given: Mapping[str, Any], table: Table, seat: int) -> int:
    """CB-13, CB-16: four cards; a turn begins with one more, and loses what is built or thrown."""
    limit = table.options["hand_limit"]
    first = min(HAND, limit or HAND)
    active = given.get("active", given.get("to_move", 1))
    if seat != active or given.get("phase", "turn") != "turn" or limit == first:
        return first
    return first if given.get("built") or given.get("attacked") else first + 1


def untold_cards(unnamed: list[str], named: list[str]) -> list[str]:
    """Turn the cards that a position does not name into untold ones, less those that it counts as such."""
    wild = [card for card in unnamed if card == WILD]
    return [*wild, *[UNTOLD] * (len(unnamed) - len(wild) - named.count(UNTOLD))]


def read_player(player: Mapping[str, Any]) -> Player:
    return Player(
        hand=list(player.get("hand", [])),
        walls=list(player.get("walls", [])),
        moved=set(player.get("moved", [])),
        lost=set(player.get("lost", [])),
        castle=player.get("castle", ""),
        points=player.get("points", 0),
        pile=list(player.get("pile", [])),
        deck=list(player.get("deck", [])),
        discard=list(player.get("discard", [])),
    )


def deal_castles(
    players: Iterable[Player], written: Iterable[Mapping[str, Any]], table: Table, unnamed: list[str]
) -> None:
    """CB-9: wild cards first, then ones; where none is left the position is faulty anyway."""
    ones = [card for card in unnamed if card == UNTOLD or (card != WILD and value_of(card) == 1)]
    for player, given in zip(players, written, strict=True):
        if "castle" in given:
            continue
        wild_left = WILD in unnamed
        player.castle = WILD if wild_left or not ones else ones.pop()
        if player.castle in unnamed:
            unnamed.remove(player.castle)


def fresh(table: Table, rng: random.Random) -> Position:
    """CB-9 to CB-14: deal castles, decks, walls and hands; the first turn has not begun."""
    chosen = table.options["wall_setup"] == "chosen_from_9"
    cards = [UNTOLD if table.untold else card for card in table.cards if card != WILD]
    castles = [WILD] * table.wild_castles
    ones = [card for card in cards if card == UNTOLD or value_of(card) == 1]
    rng.shuffle(ones)
    for card in ones[: table.seats - len(castles)]:
        cards.remove(card)
        castles.append(card)
    rng.shuffle(castles)
    players = [Player(castle=castle) for castle in castles]
    rng.shuffle(cards)
    share = len(cards) // table.sides
    for side in range(1, table.sides + 1):
        players[side - 1].deck = [cards.pop() for _ in range(share)]
    spare = [WILD] * (2 * table.decks - table.wild_castles)
    first = rng.randint(1, table.seats)
    now = Position(table, players, to_move=first, active=first, first=first, aside=spare + cards)
    for seat, player in enumerate(players, 1):
        deck = now.deck_of(seat).deck
        simulacrum = table.is_simulacrum(seat)
        walls = 0 if table.untold or (chosen and not simulacrum) else table.walls
        player.walls = [deck.pop(0) for _ in range(walls)] or [NOTHING] * table.walls
        hand = 0 if simulacrum else HAND + (table.walls if chosen else 0)
        player.hand = [deck.pop(0) for _ in range(hand)]
    if table.lays_walls:
        now.phase, now.to_move = "walls", 1
    return now


CARD = re.compile(r"(1[0-3]|[1-9])[kstv]")


def is_card(text: Any) -> bool:
    """Say whether a text is a card of a domain, not a wild one."""
    return isinstance(text, str) and CARD.fullmatch(text) is not None
