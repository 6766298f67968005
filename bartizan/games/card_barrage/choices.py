"""Turn legal actions into choices: what to touch, and what would come of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from bartizan.engine.cards import TECH
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Choice, Extra, Extras
from bartizan.games.card_barrage.notation import print_move
from bartizan.games.card_barrage.state import (
    ACTIONS,
    CASTLE,
    MISS,
    ON_CASTLE,
    PER_SEAT,
    PERFECT,
    PLACES,
    UNTOLD,
    WALLS,
    Phase,
    State,
)
from bartizan.games.card_barrage.words import (
    ALSO_HIT,
    EFFECT_NAMES,
    MOVED,
    Ids,
    many,
    naming,
    place_name,
    seat_name,
    spot,
    upper,
)

if TYPE_CHECKING:
    from bartizan.games.card_barrage import attack as plain_attack
    from bartizan.games.card_barrage import effects as plain_effects
    from bartizan.games.card_barrage import table as plain
else:
    from bartizan.games.card_barrage import attack, effects, table

    plain, plain_attack, plain_effects = interpreted(table), interpreted(attack), interpreted(effects)


def choices_of(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each legal action."""
    maker = _Choices(observation)
    return tuple(maker.make(action) for action in actions)


def extras_of(observation: State) -> tuple[Extras, ...]:
    """Return what a report may say besides: a second card that was hit, and walls that were moved (CB-32)."""
    if not _reports(observation):
        return ()
    hit, moved = list[Extra](), list[Extra]()
    for seat, place in product(range(observation.castles), range(PLACES)):
        if place != CASTLE and not (place < observation.slots and plain.stands(observation, seat, place)):
            continue
        here = Extra(text=spot(seat, place), label=upper(place_name(observation, seat, place)))
        if place != CASTLE:
            moved.append(here)
        if plain.side_of(observation, seat) == plain.side_of(observation, observation.active):
            continue
        hit.append(here)
        if place != CASTLE:
            hit.append(Extra(text=f"{here.text} perfect", label=f"{here.label}, perfectly"))
    return (
        Extras(id=ALSO_HIT, title="It also hit", entries=tuple(hit), one=True),
        Extras(id=MOVED, title="It moved, without hitting", before="moved", entries=tuple(moved)),
    )


def _reports(observation: State) -> bool:
    """Say whether what a card did at a real table can be reported now."""
    return (
        bool(observation.options.companion)
        and observation.phase == Phase.TURN
        and not observation.attacked
        and not observation.built
    )


class _Choices:
    """Make the choices of one position; what several share is worked out once."""

    def __init__(self, observation: State) -> None:
        self.observation = observation
        self.ids = Ids(observation)
        self.seat = observation.to_move
        self.untold = plain.is_untold(observation)
        self.extras = (ALSO_HIT, MOVED) if _reports(observation) else ()
        self._held: dict[int, list[str]] = {}

    def make(self, action: int) -> Choice:
        """Return the choice for one action."""
        verb, field = ACTIONS.decode(action)
        parts = getattr(self, f"_{verb}")(field)
        return Choice(action=action, text=print_move(self.observation, action), **parts)

    def held(self, card: int) -> list[str]:
        """Return the ids of the deciding seat's hand cards of one kind."""
        if card not in self._held:
            self._held[card] = self.ids.held(self.observation, self.seat, card)
        return self._held[card]

    def with_card(self, card: int, *others: str, **parts: Any) -> dict[str, Any]:
        """Return the parts of a choice made with a hand card; any of the same kind may be touched for it.

        A real card that is laid or given is named by its value and its domain; one that is thrown is not.
        """
        if self.untold:
            return {"items": others if card == UNTOLD else (*naming(card), *others), **parts}
        first, *further = self.held(card)
        instead = {"instead": {first: tuple(further)}} if further else {}
        return {"items": (first, *others), **instead, **parts}

    def on_site(self, card: int, slot: int, **parts: Any) -> dict[str, Any]:
        """Return the parts of a choice that puts a card at an own slot; the slot goes without saying, if only
        one is asked for and there is no card to drop on it.
        """
        place = spot(self.seat, slot)
        asked = self.observation.phase == Phase.WALLS or sum(
            self.observation.open[self.seat * WALLS + each] != EMPTY for each in range(self.observation.slots)
        ) == 1  # fmt: skip
        marks = {place: "joined"}
        if self.untold and asked:
            return self.with_card(card, marks=marks, **parts)
        return self.with_card(card, place, target=place, marks=marks, **parts)

    def wall(self, slot: int) -> str:
        """Return the id of an own wall, or of its slot where nothing stands."""
        return self.ids.target(self.seat, slot)

    # --- Walls

    def _build(self, field: dict[str, int]) -> dict[str, Any]:
        slot, card = field["slot"], field["card"]
        first = self.observation.phase == Phase.WALLS
        return self.on_site(
            card,
            slot,
            verb="Lay" if first else "Build",
            label=f"{'Lay' if first else 'Build'} the {TECH.name(card)} at slot {slot + 1}",
            note="one of your first walls" if first else "no attack this turn then",
        )

    def _upgrade(self, field: dict[str, int]) -> dict[str, Any]:
        return self._exchanged(field, "Upgrade", field["leave"])

    def _exchanged(self, field: dict[str, int], verb: str, leave: int = 0) -> dict[str, Any]:
        """Return the parts of a wall's change of places with a hand card."""
        slot, card = field["slot"], field["card"]
        old = self.observation.wall[self.seat * WALLS + slot]
        there = ", where it lies" if leave else ""
        return self.with_card(
            card,
            self.wall(slot),
            verb=f"{verb}, leave it" if leave else verb,
            label=f"Exchange wall {slot + 1}, the {TECH.name(old)}, with the {TECH.name(card)}{there}",
            target=self.wall(slot),
            marks={self.wall(slot): "spent"},
            note=f"the wall is then worth {plain.value(card)}, not {plain.value(old)}",
        )

    def _replace(self, field: dict[str, int]) -> dict[str, Any]:
        slot, card = field["slot"], field["card"]
        fallen = self.observation.open[self.seat * WALLS + slot]
        return self.on_site(
            card,
            slot,
            verb="Replace",
            label=f"Replace wall {slot + 1} with the {TECH.name(card)}",
            note=f"{plain.value(card)}, where {plain.value(fallen)} stood",
        )

    # --- The throw

    def _report(self, field: dict[str, int]) -> dict[str, Any]:
        card, verdict = field["card"], field["verdict"]
        name = TECH.name(card)
        if verdict == MISS:
            return self.with_card(
                card, verb="Missed", label=f"The {name} missed", note="no points", extras=self.extras[1:]
            )
        did = (verdict - 1) % PER_SEAT
        first = plain_attack.first_target(verdict)
        second = plain_attack.second_target(verdict, 0)
        targets = [divmod(target, PLACES) for target in (first, second) if target >= 0]
        ids = [self.ids.target(seat, place) for seat, place in targets]
        perfect = PERFECT <= did < ON_CASTLE
        verb = "Perfect hit" if perfect else "Hit two" if len(ids) == 2 else "Hit"
        hit = " and ".join(place_name(self.observation, seat, place) for seat, place in targets)
        covered = " perfectly" if perfect else ""
        return self.with_card(
            card,
            *ids,
            verb=verb,
            label=f"The {name} hit {hit}{covered}",
            target=ids[0],
            marks={each: "castle hit" if place == CASTLE else "destroyed"
                   for each, (_, place) in zip(ids, targets, strict=True)},
            note=f"{many(len(ids), 'point')}{', and the wall is not replaced' if perfect else ''}",
            extras=self.extras[len(ids) - 1 :],
        )  # fmt: skip

    def _give(self, field: dict[str, int]) -> dict[str, Any]:
        label = f"Give the {TECH.name(field['card'])} for your castle"
        return self.with_card(field["card"], verb="Give", label=label, note="to the attacker's score pile")

    # --- Effects

    def scored(self, field: dict[str, int]) -> tuple[str, str]:
        """Return name and id of the newly scored card whose effect is used."""
        card = self.observation.scored[field["scored"]]
        pile = self.ids.piles[plain.keeper(self.observation, self.seat)]
        return TECH.name(card), next(each for kind, each in pile if kind == card)

    def _with_effect(self, field: dict[str, int], parts: dict[str, Any]) -> dict[str, Any]:
        """Add the newly scored card to what is touched."""
        name, card = self.scored(field)
        return {**parts, "items": (card, *parts.get("items", ())), "label": f"{name}: {parts['label']}"}

    def _draw(self, field: dict[str, int]) -> dict[str, Any]:
        return self._with_effect(
            field, {"verb": "Draw two", "label": "draw two cards, then discard one", "note": ""}
        )

    def _exchange(self, field: dict[str, int]) -> dict[str, Any]:
        return self._with_effect(field, self._exchanged(field, "Exchange"))

    def _erect(self, field: dict[str, int]) -> dict[str, Any]:
        built = self._build(field)
        return self._with_effect(field, {**built, "note": "this costs no attack"})

    def _pick(self, field: dict[str, int]) -> dict[str, Any]:
        seat = field["seat"]
        castle = spot(seat, CASTLE)
        label = f"{seat_name(self.observation, seat)} discards a hand card"
        return self._with_effect(
            field,
            {
                "verb": "Pick",
                "label": label,
                "items": (castle,),
                "target": castle,
                "note": "of its own choice",
            },
        )

    def _decline(self, field: dict[str, int]) -> dict[str, Any]:
        if self.observation.phase == Phase.REPLACE:
            label = "No card in hand is of equal or lower value"
            return {"verb": "Nothing fits", "label": label, "note": "the slot stays empty"}
        cards = [self.observation.scored[place] for place in range(self.observation.newly)]
        offers = sorted({EFFECT_NAMES[plain_effects.effect_of(self.observation, card)] for card in cards})
        return {"verb": "Decline", "label": "Use no effect", "note": f"offered: {', '.join(offers)}"}

    def _discard(self, field: dict[str, int]) -> dict[str, Any]:
        return self.with_card(field["card"], verb="Discard", label=f"Discard the {TECH.name(field['card'])}")

    # --- The rest

    def _reveal(self, field: dict[str, int]) -> dict[str, Any]:
        low = self.observation.options.solo_hit_below
        return {
            "verb": "Reveal",
            "label": "Reveal the simulacrum's card",
            "note": f"below {low} it hits your lowest wall",
        }

    def _turn_up(self, field: dict[str, int]) -> dict[str, Any]:
        low = self.observation.options.solo_hit_below
        if field["hit"]:
            return {
                "verb": "It hits",
                "label": f"The card is below {low}: it hits",
                "note": "your lowest wall",
            }
        return {"verb": "It misses", "label": f"The card is {low} or higher: it misses"}

    def _end(self, field: dict[str, int]) -> dict[str, Any]:
        attack = (
            not self.observation.attacked
            and not self.observation.built
            and self.observation.hand[self.seat].count
        )
        return {"verb": "End turn", "label": "End the turn", "note": "without an attack" if attack else ""}
