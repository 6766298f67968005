"""Place the cards that a position of Tower names, then deal the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import HIDDEN, JANKEN, NOTHING, UNKNOWN
from bartizan.engine.errors import UnknownCard, nearest
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY, Pile
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.games.tower.state import (
    AFTER_LAYING,
    ATTACKS,
    COPIES,
    DEAL,
    JOKER,
    SUITS,
    Phase,
    Player,
    Standing,
    State,
)
from bartizan.games.tower.words import LEVELS, card_of, face_name

if TYPE_CHECKING:
    from bartizan.engine import piles as plain_piles
    from bartizan.games.tower import rules as plain
    from bartizan.games.tower import table as plain_table
else:
    from bartizan.engine import piles
    from bartizan.games.tower import rules, table

    plain_piles, plain, plain_table = interpreted(piles), interpreted(rules), interpreted(table)

DAMAGED = "!"
HAND_ROOM = 8
PILES = ("deck", "discard", "spent", "rubble", "aside")
SPENT_ROOM = 2
PLAYER_KEYS = ("hand", "tower", "turns")
ATTACK_KEYS = ("from", "at", "card")

Named = int | None  # a card, or None for one that is not known


class CardReader:
    """Fill the hands, towers and piles of a state from a position."""

    def __init__(self, reader: PositionReader, state: State, seed: str) -> None:
        self.reader = reader
        self.state = state
        self.dice = random.Random(stream(seed, "position"))
        decks = plain.decks_of(state)
        self.copies = Counter(dict.fromkeys(range(JOKER), decks))
        self.copies[JOKER] = plain.jokers_of(state)
        self.named: Counter[int] = Counter()

    def place(self) -> list[int]:
        """Read every card that is named, then deal the rest; return how many cards each hand is to have.

        A hand with more than a record holds is cut short in the state.
        """
        players = self.entries("players", PLAYER_KEYS, self.state.seats, "TWR-1")
        hands = [self.seat(seat, players[seat] if seat < len(players) else {}) for seat in self.seats()]
        self.attacks()
        piles = {key: self.pile(key) for key in PILES}
        left = self.copies - self.named
        self.rest = sorted(left.elements())
        self.dice.shuffle(self.rest)
        for seat, hand in zip(self.seats(), hands, strict=True):
            for card in hand[:HAND_ROOM]:
                plain_table.into_hand(self.state.players[seat], self.deal(card), 0)
        for key in ("discard", "spent", "rubble", "aside"):
            self.fill(getattr(self.state, key), piles[key])
        self.deck(piles["deck"])
        return [len(hand) for hand in hands]

    def seats(self) -> range:
        """Return the places of the players."""
        return range(self.state.seats)

    def deal(self, card: Named) -> int:
        """Return a card, one that is not known being drawn by lot."""
        if card is not None:
            return card
        if not self.rest:
            sentence = "there are more unknown cards (?) than cards left in the deck"
            if ("TWR-3", sentence) not in self.reader.faults:
                self.reader.fault("TWR-3", sentence)
            return 0
        return self.rest.pop()

    def fill(self, pile: Pile, cards: list[Named]) -> None:
        """Put cards, top first, on a pile."""
        for card in cards[::-1]:
            plain_piles.push(pile, self.deal(card))

    def deck(self, cards: list[Named]) -> None:
        """Lay the named cards of the deck on those left over, or put these aside."""
        named = [self.deal(card) for card in cards]
        aside = self.reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        pile, below = (self.state.aside, 0) if aside else (self.state.deck, len(named))
        for card in self.rest[: COPIES - pile.count - below]:  # more only where cards are named too often
            plain_piles.push(pile, card)
        for card in named[::-1]:
            plain_piles.push(self.state.deck, card)

    # --- Entries of lists

    def entries(self, key: str, keys: tuple[str, ...], most: int, clause: str) -> list[Mapping[str, Any]]:
        """Return a list of tables, their keys checked."""
        given = self.reader.given.get(key, [])
        if not isinstance(given, (list, tuple)) or not all(isinstance(each, Mapping) for each in given):
            self.reader.fault("", f"{key} is {given!r}; it must be a list of tables")
            return []
        if len(given) > most:
            self.reader.fault(clause, f"{key} has {len(given)} entries; there is room for {most}")
        for number, entry in enumerate(given, 1):
            for name in entry:
                if name not in keys:
                    self.reader.fault(
                        "", f"{key}, entry {number}: no key {name!r}.{nearest(str(name), keys)}"
                    )
        return list(given[:most])

    def seat(self, seat: int, entry: Mapping[str, Any]) -> list[Named]:
        """Read a player's turns and tower; return the hand, still to be dealt."""
        player = self.state.players[seat]
        part = _part(entry, self.reader, f"player {seat + 1}")
        player.turns = part.integer("turns", 0, 0, self.state.options.turn_cap, "TWR-18")
        plain.clear_tower(self.state, seat)
        if "tower" in entry:
            self.tower(player, entry["tower"], f"player {seat + 1}")
        faults = len(self.reader.faults)
        words = part.texts("hand")
        if "hand" not in entry or len(self.reader.faults) > faults:
            return [None] * self.usual_hand(seat)
        return self.cards(words, f"player {seat + 1}'s hand")

    def usual_hand(self, seat: int) -> int:
        """Return how many cards a seat holds where its hand is left out."""
        standing = self.state.players[seat].standing
        if standing == Standing.BUILDING:
            asked = self.state.phase == Phase.SOURCE and self.state.active == seat + 1
            return DEAL - 1 if asked else DEAL
        return AFTER_LAYING if standing == Standing.DEFENDING else 0

    def tower(self, player: Player, given: Any, where: str) -> None:
        """Read a tower: a card, ``!`` behind it if damaged, or ``-`` for each level; left out is ``-``."""
        if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in given.values()):
            self.reader.fault("TWR-11", f"{where}: tower is {given!r}; it must be a table of levels")
            player.standing = Standing.DEFENDING
            return
        is_readable = True
        for name in given:
            if name not in LEVELS:
                is_readable = False
                self.reader.fault(
                    "TWR-11", f"{where}: a tower has no level {name!r}.{nearest(str(name), LEVELS)}"
                )
        for level, name in enumerate(LEVELS):
            word = given.get(name, NOTHING).strip()
            if word == NOTHING:
                continue
            face = self.face(word.removesuffix(DAMAGED), f"{where}'s {name}", level)
            if face % SUITS != level:
                self.reader.fault("TWR-11", f"{where}: the level {name} is the {face_name(face)}")
            player.tower[level] = card_of(face)
            player.damaged[level] = int(word.endswith(DAMAGED))
        standing = any(player.tower[level] != EMPTY for level in range(SUITS))
        player.standing = Standing.DEFENDING if standing or not is_readable else Standing.OUT

    def attacks(self) -> None:
        """Read the attacks in flight."""
        for number, entry in enumerate(self.entries("attacks", ATTACK_KEYS, ATTACKS, "TWR-29"), 1):
            where = f"attack {number}"
            part = _part(entry, self.reader, where)
            sender = part.integer("from", 0, 1, self.state.seats, "TWR-20")
            target = part.integer("at", 0, 1, self.state.seats, "TWR-22")
            word = entry.get("card")
            if not isinstance(word, str):
                self.reader.fault("TWR-20", f"{where}: card is {word!r}; it must be a card")
                continue
            face = self.face(word.strip(), where)
            if sender and target:
                plain_table.launch(self.state, sender, target, face)

    def face(self, word: str, where: str, level: int | None = None) -> int:
        """Read a card in play; a Joker has a suit, which may be left out where it lies as a level."""
        if not word.startswith("*"):
            return self.claim(JANKEN.parse(word), where)
        self.claim(JOKER, where)
        suit = word[1:].lower()
        if len(suit) > 1 or suit not in JANKEN.suits:
            raise UnknownCard(f"{word!r} is no card in play: a Joker has a suit, such as '*r'.", word)
        if not suit and level is not None:
            return JOKER + level
        if not suit:
            self.reader.fault("TWR-3", f"{where}: a Joker in flight has a suit, such as '*r'")
            return JOKER
        return JOKER + JANKEN.suits.index(suit)

    def pile(self, key: str) -> list[Named]:
        """Read a pile, top first."""
        words = self.reader.texts(key)
        room = SPENT_ROOM if key == "spent" else sum(self.copies.values())
        if len(words) > room:
            clause = "TWR-13" if key == "spent" else "TWR-3"
            self.reader.fault(clause, f"{key} has {len(words)} cards; there is room for {room}")
        return self.cards(words[:room], key)

    def cards(self, words: list[str], where: str) -> list[Named]:
        """Read cards; ``?`` is one that is not known."""
        return [
            None
            if word.strip() == UNKNOWN
            else self.claim(JANKEN.parse(word.strip().removeprefix(HIDDEN)), where)
            for word in words
        ]

    def claim(self, card: int, where: str) -> int:
        """Note that a card is named, and a fault if there are not so many of it."""
        self.named[card] += 1
        if self.named[card] == self.copies[card] + 1:
            name = "Joker" if card == JOKER else f"the {JANKEN.name(card)}"
            times = {0: "not in the game", 1: "there once", 2: "there twice"}[self.copies[card]]
            self.reader.fault("TWR-3", f"{where}: {name} is named once too often; it is {times}")
        return card


def _part(entry: Mapping[str, Any], reader: PositionReader, where: str) -> PositionReader:
    """Return a reader of an entry whose faults go to the position's, with the place named."""
    part = PositionReader(entry, tuple(entry))
    part.fault = lambda clause, sentence: reader.fault(clause, f"{where}: {sentence}")  # type: ignore[method-assign]
    return part
