"""Define each verb: its notation, what it offers, why it is refused and how the log describes it."""

from __future__ import annotations

from bartizan.engine import piles
from bartizan.engine.cards import POKER
from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation.grammar import Word
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Narration, Verb, offer
from bartizan.games.card_cassonne import areas, cells
from bartizan.games.card_cassonne.options import PartialScoring
from bartizan.games.card_cassonne.state import HIGHEST, NO_SUIT, State
from bartizan.games.card_cassonne.visibility import UNSEEN
from bartizan.games.card_cassonne.words.forecast import forecast, gains_of
from bartizan.games.card_cassonne.words.look import Look
from bartizan.games.card_cassonne.words.names import (
    area_name,
    area_place,
    card_place,
    cell_name,
    counted,
    last_card,
    members,
    place_name,
    token_id,
)

# --- The words of moves --------------------------------------------------------

CARD = Word(
    pattern=".+?",
    write=lambda state, face: POKER.text(face) if face >= 0 else "?",
    read=lambda state, text: POKER.parse(text),
)


def _place(clause: str) -> Word:
    """Return the word for a place; the clause is cited for places too far away to have an action."""

    def read(state: State, text: str) -> int:
        if not state.to_move:  # no one has a hand then, nor is any place near or far
            raise IllegalMove("The game is over.", "CC-32")
        x, y = map(int, text.split(","))
        cell = cells.cell_of(x, y)
        if (cells.x_of(state, cell), cells.y_of(state, cell)) == (x, y):
            return int(cell)
        if not cells.is_on_table(state, x, y):
            raise IllegalMove(f"{place_name(x, y)} is beyond the edge of the table.", "CC-34")
        raise IllegalMove(f"{place_name(x, y)} is too far from the other cards.", clause)

    return Word(r"[+-]?\d{1,4},[+-]?\d{1,4}", cell_name, read)


# --- The verbs, in the order of a turn -----------------------------------------


class Play(Verb):
    """Play a card (CC-12 to CC-15); the notation names the card, not its slot in the hand."""

    form, example = "play {card} at {cell}", "play 7h at 1,2"
    words = {"card": CARD, "cell": _place("CC-12")}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return the card in the slot, EMPTY for a slot without one."""
        hand = state.players[state.to_move - 1].hand
        holds = state.to_move and fields["slot"] < hand.count
        return {"card": hand.cards[fields["slot"]] if holds else EMPTY, "cell": fields["cell"]}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the first slot that holds the card. Raises `IllegalMove` if there is none (CC-11)."""
        slot = piles.find(state.players[state.to_move - 1].hand, words["card"])
        if slot == EMPTY:
            raise IllegalMove(f"You don't hold the {POKER.name(words['card'])}.", "CC-11")
        return {"slot": slot, "cell": words["cell"]}

    def choice(self, look: Look, slot: int, cell: int) -> Choice:
        """Offer a card at a place; its other copy in the hand may be touched instead."""
        faces, card, place = look.player.hand.cards, look.hand[slot], look.places[cell]
        marks, note = forecast(look, cell, cells.suit_of(faces[slot]))
        alikes = tuple(
            alike for other, alike in enumerate(look.hand) if other != slot and faces[other] == faces[slot]
        )
        return offer(
            "Play",
            label=f"Play the {POKER.name(faces[slot])} at {place}",
            items=(card, place),
            target=place,
            marks=marks,
            note=note,
            instead={card: alikes} if alikes else {},
        )

    def narrate(self, look: Look, slot: int, cell: int) -> Narration:
        """Say what was played where, without naming a card that was hidden until then."""
        face, place = look.player.hand.cards[slot], cell_name(look.observation, cell)
        return f"Play the {POKER.name(face)} at {place}" if face != UNSEEN else "", (place,)

    def refusal(self, look: Look, clause: str, slot: int, cell: int) -> Explained:
        """Explain whether the hand, the edge, the place or its neighbours prevent it."""
        observation = look.observation
        place = cell_name(observation, cell)
        number = cells.card_at(observation, cell)
        if clause == "CC-11":
            return "You don't hold that card.", ()
        if clause == "CC-34":
            return f"{place} is beyond the edge of the table.", ()
        if clause == "CC-12" and number < 0:
            return f"{place} doesn't touch any card.", ()
        if clause == "CC-12":
            lies = POKER.name(observation.face[number])
            return f"The {lies} is already at {place}.", (look.ids[number],)
        return self._out_of_range(look, slot, cell)

    def _out_of_range(self, look: Look, slot: int, cell: int) -> Explained:
        """Explain which cards fit in a cell, and what this one counts (CC-15)."""
        observation, face = look.observation, look.player.hand.cards[slot]
        spot = cells.find_open(observation, cell)
        low, high, suit = observation.low[spot], observation.high[spot], observation.suit[spot]
        wanted = f"count {low}" if low == high else f"count {low} to {high}"
        if suit != NO_SUIT and high != HIGHEST:
            wanted += f" or be one of {POKER.names[suit]}"
        touched = look.touched[cell]
        return (
            f"A card at {cell_name(observation, cell)} touches {counted(len(touched), 'card')} "
            f"and must {wanted}. The {POKER.name(face)} counts {cells.rank_of(observation, face)}.",
            tuple(look.ids[number] for number in touched),
        )


class Token(Verb):
    """Place a token on the card just played (CC-19 to CC-21); the phases say why not."""

    form = example = "token"

    def choice(self, look: Look) -> Choice:
        """Offer it, with a description of the card's area."""
        observation = look.observation
        area = observation.area[observation.last]
        cards, spaces = observation.size[area], observation.spaces[area]
        return offer(
            "Place a token",
            label=f"Place a token on {last_card(observation)}",
            note=f"{counted(cards, 'card')}, {counted(spaces, 'empty place')}, "
            f"worth {areas.worth_of(cards)} for each token",
        )

    def narrate(self, look: Look) -> Narration:
        """Say where it was placed."""
        return "Place a token", (card_place(look.observation, look.observation.last),)


class Decline(Verb):
    """Decline to place a token."""

    form = example = "no token"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer("No token", label="Don't place a token")

    def narrate(self, look: Look) -> Narration:
        """Say on which card."""
        return "Don't place a token", (card_place(look.observation, look.observation.last),)


class Score(Verb):
    """Score an area (CC-22 to CC-31). Any of its cells can name it; notation uses its corner."""

    form, example = "score {cell}", "score 0,0"
    words = {"cell": _place("CC-16")}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the corner of the area in the cell."""
        area = areas.area_at(state, words["cell"])
        if area == areas.NO_AREA:
            return words
        return {"cell": int(areas.cell_of_card(state, state.corner[area]))}

    def choice(self, look: Look, cell: int) -> Choice:
        """Offer it; any card or token in the area may be touched."""
        observation = look.observation
        area = areas.area_at(observation, cell)
        corner, region = look.ids[observation.corner[area]], look.area_id(area)
        others = [look.ids[n] for n in look.members[area] if n != observation.corner[area]]
        others += [token_id(observation, n) for n in look.members[area] if observation.token[n]]
        return offer(
            "Score",
            label=f"Score {area_name(observation, area)}",
            items=(corner,),
            target=corner,
            marks={region: "scored"},
            note=gains_of(look, area),
            instead={corner: (*others, region)},
        )

    def narrate(self, look: Look, cell: int) -> Narration:
        """Say which area."""
        observation = look.observation
        area = areas.area_at(observation, cell)
        places = tuple(card_place(observation, number) for number in members(observation, area))
        return f"Score {area_name(observation, area)}", places

    def refusal(self, look: Look, clause: str, cell: int) -> Explained:
        """Explain that there is no area, or what it needs."""
        observation = look.observation
        area = areas.area_at(observation, cell)
        if area == areas.NO_AREA:
            return f"There is no card at {cell_name(observation, cell)}.", ()
        return self._lack(observation, clause, area), (look.area_id(area),)

    def _lack(self, observation: State, clause: str, area: int) -> str:
        what, size = area_name(observation, area), observation.size[area]
        if clause == "CC-16":
            return f"Name this area by its corner, {area_place(observation, area)}."
        if clause == "CC-18":
            spaces = counted(observation.spaces[area], "empty place")
            return f"You can't score {what}: it has {counted(size, 'card')} but {spaces}."
        if clause == "CC-22":
            if observation.options.partial_scoring == PartialScoring.TOUCHED:
                return f"The card you just played doesn't touch {what}."
            return f"You have no token in {what}."
        if clause == "CC-25":
            return f"There is no token in {what}, so no one would score."
        if clause == "CC-30":
            return f"You just placed your token in {what}. It must wait a turn."
        scored = observation.scored[area]  # CC-31
        return (
            f"When last scored, {what} had {counted(scored, 'card')}. "
            f"It has {size} now and needs {scored + 2}."
        )


class Done(Verb):
    """Score no more areas."""

    form = example = "done"

    def choice(self, look: Look) -> Choice:
        """Offer it."""
        return offer("Done", label="Score no more areas")

    def narrate(self, look: Look) -> Narration:
        """Describe it."""
        return "Score no more areas", ()
