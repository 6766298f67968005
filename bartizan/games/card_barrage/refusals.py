"""Explain why a move is not possible, with the figures of the moment and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.engine.cards import TECH
from bartizan.engine.clauses import Rulebook
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import Refusal
from bartizan.games.card_barrage.state import (
    ACTIONS,
    CASTLE,
    KINDS,
    MISS,
    MOVED_SHIFT,
    ON_CASTLE,
    ON_TWO,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PER_SEAT,
    PLACES,
    SEATS,
    UNTOLD,
    WALLS,
    Phase,
    State,
)
from bartizan.games.card_barrage.words import Ids, naming, place_name, seat_name, spot, upper

if TYPE_CHECKING:
    from bartizan.games.card_barrage import attack as plain_attack
    from bartizan.games.card_barrage import table as plain
else:
    from bartizan.games.card_barrage import attack, table

    plain, plain_attack = interpreted(table), interpreted(attack)

RULEBOOK = Rulebook.load(Path(__file__).parent / "clauses.toml")

Explained = tuple[str, list[str]]  # a sentence, and the ids of what stands in the way

_ASKED = {
    Phase.WALLS: "The first walls are laid now: build a hand card at an empty slot.",
    Phase.GIVE: "A castle was hit: {who} puts a hand card on the attacker's pile now.",
    Phase.EFFECT: "The effect of a third card is offered now: use it or decline it.",
    Phase.DISCARD: "{who} discards a hand card now.",
    Phase.REPLACE: "A destroyed wall is replaced now: {who} puts a card of equal or lower value there.",
    Phase.REVEAL: "It is the simulacrum's turn: reveal its card.",
    Phase.OVER: "The game is over.",
}
_REFILLED = "The simulacrum's wall is replaced now, by the top card of its deck, whatever its value."
_PHASES = {
    "build": (Phase.TURN, Phase.WALLS),
    "upgrade": (Phase.TURN,),
    "report": (Phase.TURN,),
    "end": (Phase.TURN,),
    "replace": (Phase.REPLACE,),
    "give": (Phase.GIVE,),
    "discard": (Phase.DISCARD,),
    "reveal": (Phase.REVEAL,),
    "turn_up": (Phase.REVEAL,),
    "decline": (Phase.EFFECT, Phase.REPLACE),
}
_NOT_ASKED = {
    "replace": "No wall awaits its replacement now.",
    "give": "No castle was hit, so nobody owes a card.",
    "discard": "Nobody discards a card of choice now; an effect may ask for it.",
    "reveal": "There is no simulacrum's card to reveal now.",
    "turn_up": "There is no simulacrum's card to reveal now.",
}


def refusal(observation: State, action: int, clause: int) -> Refusal:
    """Return why `clause` forbids an action here: a sentence, the rule, the ids in the way."""
    verb, field = ACTIONS.decode(action)
    name = RULEBOOK.id_of(clause)
    if observation.phase not in _PHASES.get(verb, (Phase.EFFECT,)):
        sentence, blockers = _out_of_phase(observation, verb), list[str]()
    else:
        sentence, blockers = _EXPLAINED[verb](observation, field, name, ACTIONS.variant(action))
    return Refusal(
        clause=name,
        sentence=sentence,
        rule=RULEBOOK.get(name).text.strip(),
        blockers=tuple(blockers),
    )


def _out_of_phase(observation: State, verb: str) -> str:
    if observation.phase == Phase.TURN:
        return _NOT_ASKED.get(verb, "No card just scored offers an effect.")
    if observation.phase == Phase.REPLACE and plain.is_simulacrum(observation, observation.to_move):
        return _REFILLED
    return _ASKED[Phase(observation.phase)].format(who=upper(seat_name(observation, observation.to_move)))


def _not_held(observation: State, seat: int, card: int) -> str:
    whose = seat_name(observation, seat)
    if card == UNTOLD:
        return f"Name the card: the hand of {whose} is known here."
    if not plain.is_untold(observation):
        return f"There is no {TECH.text(card)} in the hand of {whose}."
    if not plain.can_show(observation, seat):
        return f"{upper(whose)} has no card in hand."
    if not plain.is_unseen(observation, card):
        return f"The {TECH.text(card)} lies in sight already; look at the card again."
    return "A card that is thrown or discarded is not named: '?' stands for it."


def _no_slot(observation: State) -> str:
    return f"A seat has {observation.slots} slots in this game."


def _build(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    slot, card, seat = field["slot"], field["card"], observation.to_move
    if clause == "CB-11":
        return _no_slot(observation), []
    if observation.phase == Phase.TURN:
        if observation.built:
            return "A wall has been built this turn; once is all.", []
        if observation.attacked:
            return "After the attack nothing is built; end the turn.", []
        if observation.upgraded:
            return "Building comes before upgrading, and a wall has been upgraded this turn.", []
    return _site(observation, seat, slot, card)


def _site(observation: State, seat: int, slot: int, card: int) -> Explained:
    """Say why a hand card cannot go to a slot."""
    if plain.stands(observation, seat, slot):
        wall = observation.wall[seat * WALLS + slot]
        return f"Slot {slot + 1} is not empty: the {TECH.name(wall)} stands there.", [
            Ids(observation).target(seat, slot)
        ]
    if observation.lost >> seat * WALLS + slot & 1:
        return f"Slot {slot + 1} was hit perfectly; in this game it is lost for good.", [spot(seat, slot)]
    return _not_held(observation, seat, card), []


def _upgrade(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    slot, card, seat = field["slot"], field["card"], observation.active
    if clause == "CB-11":
        return _no_slot(observation), []
    if observation.upgraded:
        return "A wall has been upgraded this turn; once is all.", []
    if observation.attacked:
        return "After the attack nothing is upgraded; end the turn.", []
    if not plain.stands(observation, seat, slot):
        return f"Slot {slot + 1} is empty; only a standing wall is upgraded.", [spot(seat, slot)]
    if not plain.holds(observation, seat, card):
        return _not_held(observation, seat, card), []
    wall = Ids(observation).target(seat, slot)
    if clause == "CB-20":
        return f"Wall {slot + 1} lies where it should; there is nothing to leave.", [wall]
    standing = TECH.text(observation.wall[seat * WALLS + slot])
    return f"The {TECH.text(card)} is not higher than the {standing} at slot {slot + 1}.", [wall]


def _report(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    if observation.attacked:
        return "The attack of this turn has been made; end the turn.", []
    if observation.built:
        return "Whoever has built a wall does not attack in that turn.", []
    if not plain.can_drop(observation, observation.active, field["card"]):
        return _not_held(observation, observation.active, field["card"]), []
    targets = _targets(field["verdict"], variant)
    for seat, place in targets:
        sentences = _no_target(observation, seat, place)
        if sentences[0]:
            return sentences
    if clause == "CB-32":
        return _not_moved(observation, targets, variant)
    if clause == "CB-36":
        return "Only a wall that was hit can have been hit perfectly.", []
    return "A double hit names two different cards, by seat, then slot, the castle last.", []


def _targets(verdict: int, variant: int) -> list[tuple[int, int]]:
    """Return seat and place of what a report says was hit."""
    if verdict == MISS:
        return []
    both = (plain_attack.first_target(verdict), plain_attack.second_target(verdict, variant))
    return [divmod(target, PLACES) for target in both if 0 <= target < SEATS * PLACES]


def _no_target(observation: State, seat: int, place: int) -> Explained:
    """Say why nothing can be hit at a place; an empty sentence if something can."""
    if seat >= observation.castles:
        return f"There is no seat {seat + 1}; there are {observation.castles}.", []
    if plain.side_of(observation, seat) == plain.side_of(observation, observation.active):
        return (
            f"{upper(place_name(observation, seat, place))} is on your own side; landing there is a miss.",
            [],
        )
    if place != CASTLE and place >= observation.slots:
        return _no_slot(observation), []
    if place != CASTLE and not plain.stands(observation, seat, place):
        return f"No wall stands at slot {place + 1} of {seat_name(observation, seat)}.", [spot(seat, place)]
    return "", []


def _not_moved(observation: State, targets: list[tuple[int, int]], variant: int) -> Explained:
    ids = Ids(observation)
    for wall in range(SEATS * WALLS):
        if variant >> MOVED_SHIFT + wall & 1:
            seat, slot = divmod(wall, WALLS)
            if (seat, slot) in targets:
                return f"{upper(place_name(observation, seat, slot))} was hit and leaves; it is not moved.", [
                    ids.target(seat, slot)
                ]
            if observation.wall[wall] == EMPTY:
                return (
                    f"{upper(place_name(observation, seat, slot))} does not stand, so it was not moved.",
                    [],
                )
    return "Only walls that stand are moved.", []


def _replace(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    slot, card, seat = field["slot"], field["card"], observation.to_move
    if slot >= observation.slots:
        return _no_slot(observation), []
    fallen = observation.open[seat * WALLS + slot]
    if fallen == EMPTY:
        return f"Slot {slot + 1} does not await a replacement.", [Ids(observation).target(seat, slot)]
    if not plain.holds(observation, seat, card):
        return _not_held(observation, seat, card), []
    return (
        f"The {TECH.text(card)} is higher than the {TECH.text(fallen)} that stood there; "
        f"it takes {plain.value(fallen)} or less.",
        Ids(observation).held(observation, seat, card)[:1],
    )


def _give(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    return _not_held(observation, observation.to_move, field["card"]), []


def _effect(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    seat = observation.active
    named = field["scored"]
    if clause == "CB-11":
        return _no_slot(observation), []
    if named >= observation.newly or clause == "CB-44":
        sentences = (
            "That card has not just been scored."
            if named >= observation.newly
            else _site(observation, seat, field["slot"], 0)[0]
        )
        return sentences, []
    if "seat" in field and field["seat"] < observation.castles:
        whose = seat_name(observation, field["seat"])
        if plain.side_of(observation, field["seat"]) == plain.side_of(observation, seat):
            return f"{upper(whose)} is no enemy.", []
        if not observation.hand[field["seat"]].count:
            return f"{upper(whose)} has no card to discard.", []
    if "card" in field and not plain.holds(observation, seat, field["card"]):
        return _not_held(observation, seat, field["card"]), []
    if clause == "CB-18":
        return _site(observation, seat, field["slot"], field["card"])
    return f"The effect of the {TECH.name(observation.scored[named])} does not allow this.", []


def _pass(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    if plain.is_simulacrum(observation, observation.to_move):
        return _REFILLED, []
    fitting = [
        each
        for slot in range(observation.slots)
        if (fallen := observation.open[observation.to_move * WALLS + slot]) != EMPTY
        for place, each in enumerate(Ids(observation).hands[observation.to_move])
        if 0 <= observation.hand[observation.to_move].cards[place] < KINDS
        and plain.value(observation.hand[observation.to_move].cards[place]) <= plain.value(fallen)
    ]
    return "A card that fits must be laid where a wall was destroyed.", list(dict.fromkeys(fitting))


def _reveal(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    if plain.is_untold(observation) and field:
        return "The simulacrum has no card left: say 'reveal'.", []
    if plain.is_untold(observation):
        return "Turn up the real card and say what it does: 'reveal hit' or 'reveal miss'.", []
    return "The card is revealed here: say 'reveal'.", []


def _free(observation: State, field: dict[str, int], clause: str, variant: int) -> Explained:
    return "That is always possible now.", []


_EXPLAINED = {
    "build": _build,
    "upgrade": _upgrade,
    "report": _report,
    "replace": _replace,
    "give": _give,
    "draw": _effect,
    "exchange": _effect,
    "erect": _effect,
    "pick": _effect,
    "discard": _give,
    "decline": _pass,
    "reveal": _reveal,
    "turn_up": _reveal,
    "end": _free,
}


# --- What touching things could mean -----------------------------------------


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions, legal or not, that touching these ids could mean, the likeliest first."""
    ids = Ids(observation)
    seat = observation.to_move
    cards = _cards_in(observation, items, ids)
    places = [
        (each, place)
        for each in range(observation.castles)
        for place in [*range(observation.slots), CASTLE]
        if ids.target(each, place) in items or spot(each, place) in items
    ]
    foes = [
        (each, place)
        for each, place in places
        if plain.side_of(observation, each) != plain.side_of(observation, seat)
    ]
    own = [(each, place) for each, place in places if each == seat and place != CASTLE]
    if plain.is_untold(observation) and not own:
        own = [(seat, slot) for slot in range(observation.slots) if _awaits_card(observation, slot)]
    found: list[int] = []
    for card in cards[:1]:
        if observation.phase in (Phase.GIVE, Phase.DISCARD):
            found.append(ACTIONS.encode("give" if observation.phase == Phase.GIVE else "discard", card=card))
        found += [_on_own(observation, card, slot) for _, slot in own[:1]]
        if foes and not plain.is_untold(observation):
            found.append(ACTIONS.encode("report", card=card, verdict=_verdict_on(foes)))
    return found or _foreign(observation, places)


def _cards_in(observation: State, items: Sequence[str], ids: Ids) -> list[int]:
    """Return the cards among what is touched; a real one may have been named in part."""
    if plain.is_untold(observation):
        fits = [sum(name in items for name in naming(card)) for card in range(KINDS)]
        return [card for card in range(KINDS) if 0 < fits[card] == max(fits)]
    seat = observation.to_move
    return [
        observation.hand[seat].cards[index]
        for index, each in enumerate(ids.hands[seat])
        if each in items and 0 <= observation.hand[seat].cards[index] < KINDS
    ]


def _awaits_card(observation: State, slot: int) -> bool:
    """Say whether a real card is asked for at a slot of who decides."""
    if observation.phase == Phase.WALLS:
        return slot == plain.count_walls(observation, observation.to_move)
    return (
        observation.phase == Phase.REPLACE and observation.open[observation.to_move * WALLS + slot] != EMPTY
    )


def _on_own(observation: State, card: int, slot: int) -> int:
    """Return what a hand card and an own slot could mean."""
    if observation.phase == Phase.REPLACE:
        return ACTIONS.encode("replace", slot=slot, card=card)
    if plain.stands(observation, observation.to_move, slot) and observation.phase == Phase.TURN:
        return ACTIONS.encode("upgrade", slot=slot, card=card, leave=0)
    return ACTIONS.encode("build", card=card, slot=slot)


def _verdict_on(foes: list[tuple[int, int]]) -> int:
    """Return the verdict that the first of these places was hit, or the first two if one seat has them."""
    seat, place = foes[0]
    base = 1 + seat * PER_SEAT
    if len(foes) > 1 and foes[1][0] == seat:
        both = (place, foes[1][1])
        return base + ON_TWO + next(n for n in range(PAIRS) if (PAIR_LOW[n], PAIR_HIGH[n]) == both)
    return base + (ON_CASTLE if place == CASTLE else place)


def _foreign(observation: State, places: list[tuple[int, int]]) -> list[int]:
    """Return what touching only places could mean: an attack with the first hand card, legal or not."""
    foes = [
        each
        for each in places
        if plain.side_of(observation, each[0]) != plain.side_of(observation, observation.to_move)
    ]
    card = (
        observation.hand[observation.to_move].cards[0] if observation.hand[observation.to_move].count else 0
    )
    known = 0 <= card < KINDS or card == UNTOLD
    return [ACTIONS.encode("report", card=card, verdict=_verdict_on(foes))] if foes and known else []


__all__ = ["intents", "refusal"]
