"""Read the cards that a position of Card Barrage names, lay them, then deal the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bartizan.engine import piles
from bartizan.engine.cards import HIDDEN, NOTHING, UNKNOWN
from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY
from bartizan.engine.rng import stream
from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.options import WallSetup
from bartizan.games.card_barrage.state import DOMAINS, SHARE, UNTOLD, WALLS, Phase, State
from bartizan.games.card_barrage.words.names import keepers

EVERY_SEAT = ("hand", "walls", "moved", "lost", "castle")
OF_A_KEEPER = ("points", "pile")
OF_A_SIDE = ("deck", "discard")
PLAYER_KEYS = (*EVERY_SEAT, *OF_A_KEEPER, *OF_A_SIDE)
MOST_POINTS = 30_000
_UNTOLD = "hands and decks are real cards here: theirs are '?', and those in sight are named"


class CardReader(PositionReader):
    """Read a position; cards are named by `players` and laid once all keys are read, with `rest`."""

    cards: Cards


class Cards:
    """Take named cards out of those in play, then deal the rest at random."""

    def __init__(self, reader: PositionReader, state: State) -> None:
        """Read what lies before each seat; faults go to the reader."""
        self.reader = reader
        self.state = state
        self.dice = random.Random(stream(reader.seed, "position"))
        self.decks = table.decks_in_play(state)
        self.untold = table.is_untold(state)
        self.named: Counter[int] = Counter()
        self.rest: list[int] = []
        self.players = self._players()
        seats = range(state.castles)
        self.lists = {
            key: [self.cards(seat, key) for seat in seats]
            for key in ("hand", "walls", "deck", "discard", "pile")
        }
        self.castles = [self.castle(seat) for seat in seats]
        for seat in seats:
            state.moved |= self.slots(seat, "moved", "CB-32")
            state.lost |= self.slots(seat, "lost", "CB-44")
            state.score[seat].points = self.players[seat].integer("points", 0, 0, MOST_POINTS, "CB-34")

    def _players(self) -> list[PositionReader]:
        """Return a reader for what lies before each seat."""
        castles = self.state.castles
        given = self.reader.given.get("players", [])
        if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
            self.reader.fault("CB-6", "players must be a list of tables, one for each castle")
            given = []
        if "players" in self.reader.given and len(given) != castles:
            there_are = f"with seats = {self.state.seats} there are {castles} castles"
            self.reader.fault("CB-6", f"players has {len(given)} entries; {there_are}")
        entries: list[Mapping[str, Any]] = [*given, *({} for _ in range(castles))]
        return [self._player(seat, entries[seat]) for seat in range(castles)]

    def _player(self, seat: int, entry: Mapping[str, Any]) -> PositionReader:
        """Return a reader for what lies before a seat; piles stand with one seat of their side."""
        part = self.reader.part(entry, PLAYER_KEYS, f"players: seat {seat + 1}")
        for keys, is_kept, where in (
            (OF_A_KEEPER, seat in keepers(self.state), "the seat that keeps the pile"),
            (OF_A_SIDE, seat < self.state.sides, "the lowest seat of the side"),
        ):
            for key in keys:
                if key in entry and not is_kept:
                    self.reader.fault(
                        "CB-10", f"players: seat {seat + 1} has a {key}; it stands with {where}"
                    )
        return part

    def lay(self) -> None:
        """Fill every hand, wall, castle and pile of the state; cards not named are dealt, or lie aside."""
        seats = range(self.state.castles)
        self.rest = [
            UNTOLD if self.untold else card
            for card in range(TECH.plain)
            for _ in range(self.decks - self.named[card])
        ]
        self.dice.shuffle(self.rest)
        for seat in seats:
            self.lay_castle(seat, self.castles[seat])
        for seat in seats:
            self.walls(seat, self.lists["walls"][seat])
        for seat in seats:
            self.hand(seat, self.lists["hand"][seat])
            self.score(seat, self.lists["pile"][seat])
        self.lay_decks(self.lists["deck"], self.lists["discard"])

    # --- Reading

    def cards(self, seat: int, key: str) -> list[int | None]:
        """Return the cards under a key, which are in play no more; None stands for ``?``, EMPTY for ``-``."""
        cards: list[int | None] = []
        room = self.state.slots if key == "walls" else SHARE
        texts = self.players[seat].texts(key)
        if len(texts) > room:
            self.fault(
                "CB-11" if key == "walls" else "CB-10",
                seat,
                f"{key} has {len(texts)}; there is room for {room}",
            )
        for text in texts[:room]:
            word = text.strip().removeprefix(HIDDEN)
            if self.untold and (word == UNKNOWN) == (key in ("walls", "pile")) and word != NOTHING:
                self.fault("CB-41", seat, f"{key} has {word}; {_UNTOLD}")
            elif word == UNKNOWN:
                cards.append(None)
            elif word == NOTHING and key == "walls":
                cards.append(EMPTY)
            else:
                card = self.claim(seat, key, TECH.parse(word))
                cards += [] if card is None else [card]
        return cards

    def claim(self, seat: int, key: str, card: int) -> int | None:
        """Take a named card out of those left; None if it cannot lie there."""
        if card >= TECH.plain:
            self.fault("CB-9", seat, f"{key} has a wild card; wild cards are castles or out of the game")
            return None
        self.named[card] += 1
        if self.named[card] > self.decks:
            copies = f"{self.decks} decks have {self.decks}" if self.decks > 1 else "the deck has one"
            clause = "CB-7" if self.decks > 1 else "CB-2"
            self.fault(clause, seat, f"{key} has the {TECH.text(card)} once more; {copies}")
            return None
        return card

    def fault(self, clause: str, seat: int, sentence: str) -> None:
        """Note a fault at a seat."""
        self.players[seat].fault(clause, sentence)

    def slots(self, seat: int, key: str, clause: str) -> int:
        """Return a list of slots as the bits of a number over all walls."""
        given = self.players[seat].given.get(key, [])
        most = self.state.slots
        if not isinstance(given, list) or not all(type(each) is int and 1 <= each <= most for each in given):
            self.fault(clause, seat, f"{key} is {given!r}; it must be a list of slots from 1 to {most}")
            return 0
        return sum(1 << seat * WALLS + each - 1 for each in set(given))

    def castle(self, seat: int) -> int | None:
        """Return the castle's card, or None if it is left out."""
        given = self.players[seat].given.get("castle")
        if given is None:
            return None
        if self.untold and given == UNKNOWN:
            return UNTOLD
        card = TECH.parse(str(given).removeprefix(HIDDEN))
        if DOMAINS <= card < TECH.plain:
            self.fault("CB-9", seat, f"the castle is the {TECH.text(card)}; it is a wild card or of value 1")
            return None
        if self.untold and card != TECH.plain:
            self.fault("CB-41", seat, f"the castle is the {TECH.text(card)}; {_UNTOLD}")
            return None
        return card if card == TECH.plain else self.claim(seat, "castle", card)

    # --- Laying

    def deal(self, card: int | None, seat: int) -> int:
        """Return a card, an unknown one being drawn at random; EMPTY if none is left."""
        if card is not None:
            return card
        if not self.rest:
            self.fault("CB-10", seat, "there are not enough cards for what is left out")
            return EMPTY
        return self.rest.pop()

    def lay_castle(self, seat: int, card: int | None) -> None:
        """Lay a castle; left out, it is a wild card as long as there are any, then a 1-value card."""
        if card is None:
            wilds = [each for each in self.state.castle if each == TECH.plain]
            ones = [each for each in self.rest if each < DOMAINS or each == UNTOLD]
            card = TECH.plain if len(wilds) < 2 * self.decks or not ones else ones[0]
            if card != TECH.plain:
                self.rest.remove(card)
        elif card == UNTOLD and self.rest:
            self.rest.pop()
        self.state.castle[seat] = card
        if list(self.state.castle).count(TECH.plain) > 2 * self.decks:
            self.fault("CB-9", seat, f"there is one wild card too many; there are {2 * self.decks}")

    def walls(self, seat: int, given: list[int | None]) -> None:
        """Lay a seat's walls; left out, they are dealt, or not laid yet."""
        slots = self.state.slots
        if "walls" not in self.players[seat].given:
            laid = self.state.phase == Phase.WALLS and not table.is_simulacrum(self.state, seat)
            given = [EMPTY if self.untold or laid else None] * slots
        elif len(given) < slots:
            self.fault(
                "CB-11", seat, f"walls has {len(given)} entries; there are {slots} slots ('-' where empty)"
            )
        for slot, card in enumerate(given):
            self.state.wall[seat * WALLS + slot] = self.deal(card, seat)

    def hand(self, seat: int, given: list[int | None]) -> None:
        """Fill a hand; left out, it is dealt, but not to the simulacrum."""
        if "hand" not in self.players[seat].given and not table.is_simulacrum(self.state, seat):
            given = [None] * self.hand_size(seat)
        for card in given:
            dealt = self.deal(card, seat)
            if dealt != EMPTY:
                table.put_in_hand(self.state.hand[seat], dealt, table.DEALT)

    def hand_size(self, seat: int) -> int:
        """Return how many cards a hand has that is left out: a first hand, and what a turn has drawn so far.

        A card that is built or thrown has left it again (CB-13, CB-16, CB-Q6).
        """
        state = self.state
        first = table.starting_hand(state)
        if state.phase == Phase.WALLS:
            return first + (state.slots if state.options.wall_setup == WallSetup.CHOSEN_FROM_9 else 0)
        begun = state.phase == Phase.TURN and seat == state.active and not (state.built or state.attacked)
        return first + int(begun and (state.options.hand_limit == 0 or first < state.options.hand_limit))

    def score(self, seat: int, given: list[int | None]) -> None:
        """Fill a score pile."""
        score = self.state.score[seat]
        for card in given:
            dealt = self.deal(card, seat)
            if dealt != EMPTY:
                score.cards[dealt] += 1
                score.count += 1

    def lay_decks(self, decks: list[list[int | None]], discards: list[list[int | None]]) -> None:
        """Stack decks and discards; of the cards named nowhere as many go under each deck (CB-10).

        The surplus is set aside (CB-Q5), or all of them with ``rest = "aside"``.
        """
        state = self.state
        sides = range(state.sides)
        dealt = [[self.deal(card, side) for card in decks[side]] for side in sides]
        for side in sides:
            for card in [self.deal(card, side) for card in discards[side]][::-1]:
                piles.push(state.discard[side], card)
        aside = self.reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"
        share = 0 if aside else len(self.rest) // len(sides)
        for side in sides:
            under, self.rest = self.rest[:share], self.rest[share:]
            cards = self.owned(side) + share + len(dealt[side])
            if cards > SHARE:
                self.fault("CB-10", side, f"the side has {cards} cards; there is room for {SHARE}")
                continue
            for card in under + dealt[side][::-1]:
                if card != EMPTY:
                    piles.push(state.deck[side], card)
        for card in self.rest:
            piles.push(state.aside, card)

    def owned(self, side: int) -> int:
        """Return how many cards lie in a side's discard, hands and walls."""
        state = self.state
        seats = [seat for seat in range(state.castles) if table.side_of(state, seat) == side]
        walls = sum(state.wall[seat * WALLS + slot] != EMPTY for seat in seats for slot in range(state.slots))
        return state.discard[side].count + sum(state.hand[seat].count for seat in seats) + walls
