"""Name Card Barrage's cards, seats and places for people, and for clients that draw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bartizan.engine.cards import TECH
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage.state import CASTLE, DOMAINS, SOLO, UNTOLD, WALLS, State

if TYPE_CHECKING:
    from bartizan.games.card_barrage import table as plain
else:
    from bartizan.games.card_barrage import table

    plain = interpreted(table)

UNSEEN = -2  # stands for a card that the person does not know
HIDDEN = (UNSEEN, UNTOLD)
ALSO_HIT, MOVED = "also", "moved"  # what a report may say besides

EFFECT_NAMES = ("nothing", "draw two, discard one", "exchange a wall", "build a wall", "pick an enemy")


def spot(seat: int, place: int) -> str:
    """Return a place in notation, which is also its id: ``2.3``, ``2.castle``."""
    return f"{seat + 1}.castle" if place == CASTLE else f"{seat + 1}.{place + 1}"


def seat_name(observation: State, seat: int) -> str:
    """Return a seat's name, as a phrase: ``seat 2``, ``the simulacrum``."""
    return "the simulacrum" if plain.is_simulacrum(observation, seat) else f"seat {seat + 1}"


def side_name(observation: State, side: int) -> str:
    """Return a side's name, as a phrase; a side of one seat is called by it."""
    return seat_name(observation, side) if observation.castles == observation.sides else f"side {side + 1}"


def keeper_name(observation: State, keeper: int) -> str:
    """Return the name of whoever keeps a score pile: a seat, or a side of several seats."""
    return (
        seat_name(observation, keeper) if observation.options.target_per else side_name(observation, keeper)
    )


def keepers(observation: State) -> list[int]:
    """Return the numbers of the score piles in use."""
    return [seat for seat in range(observation.castles) if plain.keeper(observation, seat) == seat]


def seats_of(observation: State, person: int) -> list[int]:
    """Return the seats that a person runs."""
    own = [seat for seat in range(observation.castles) if plain.person_of(observation, seat) == person]
    return own[:1] if observation.seats == SOLO else own


def place_name(observation: State, seat: int, place: int) -> str:
    """Return a place as people say it: ``wall 3 of seat 2``."""
    whose = seat_name(observation, seat)
    return f"the castle of {whose}" if place == CASTLE else f"wall {place + 1} of {whose}"


def upper(sentence: str) -> str:
    """Return a sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def many(number: int, thing: str) -> str:
    """Return a number of things as a phrase: ``1 card``, ``2 cards``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def naming(card: int) -> tuple[str, str]:
    """Return the ids of what is touched to name a real card: its value and its domain."""
    return f"value:{plain.value(card)}", f"domain:{TECH.domains[card % DOMAINS]}"


class Ids:
    """Name every face-up card of a table: by its kind, and by a number where several are of a kind."""

    def __init__(self, observation: State) -> None:
        self._used: dict[int, int] = {}
        seats = range(observation.castles)
        self.walls = {
            (seat, slot): self._next(observation.wall[seat * WALLS + slot])
            for seat in seats
            for slot in range(observation.slots)
            if observation.wall[seat * WALLS + slot] != EMPTY
        }
        self.hands = [
            [
                self._hand_id(seat, index, observation.hand[seat].cards[index])
                for index in range(observation.hand[seat].count)
            ]
            for seat in seats
        ]
        self.piles = {
            keeper: [
                (card, self._next(card))
                for card in range(TECH.plain)
                for _ in range(observation.score[keeper].cards[card])
            ]
            for keeper in keepers(observation)
        }
        self.discards = [
            [(card, self._next(card)) for card in observation.discard[side].listed() if card != UNTOLD]
            for side in range(observation.sides)
        ]

    def _next(self, card: int) -> str:
        number = self._used[card] = self._used.get(card, 0) + 1
        return TECH.text(card) if number == 1 else f"{TECH.text(card)}~{number}"

    def _hand_id(self, seat: int, index: int, card: int) -> str:
        return f"hand{seat + 1}:{index}" if card in HIDDEN else self._next(card)

    def target(self, seat: int, place: int) -> str:
        """Return the id of a wall or a castle; of the slot, where nothing stands."""
        return spot(seat, place) if place == CASTLE else self.walls.get((seat, place), spot(seat, place))

    def held(self, observation: State, seat: int, card: int) -> list[str]:
        """Return the ids of a seat's hand cards of one kind; of a real card, which is not there, none."""
        return [
            each for index, each in enumerate(self.hands[seat]) if observation.hand[seat].cards[index] == card
        ]
