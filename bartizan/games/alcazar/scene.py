"""Draw Alcazar's table for the player: zones, numbers and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bartizan.engine.cards import POKER
from bartizan.engine.outcome import Outcome
from bartizan.engine.record import EMPTY
from bartizan.engine.remembered import remembered
from bartizan.engine.scene import (
    POKER_SUITS,
    PRINTED_RANKS,
    Contender,
    Contest,
    Fact,
    Item,
    Layout,
    Result,
    Scene,
    Segment,
    Setting,
    Slot,
    Status,
    Theme,
    Zone,
)
from bartizan.games.alcazar import defence, game, table, values
from bartizan.games.alcazar.options import Options
from bartizan.games.alcazar.phases import PHASES
from bartizan.games.alcazar.state import ADVANTAGES, Phase, State
from bartizan.games.alcazar.visibility import UNSEEN
from bartizan.games.alcazar.words.look import CONTEST, FROM_THE_LEFT, armies_of
from bartizan.games.alcazar.words.names import (
    ARMY_NAMES,
    ARMY_WORDS,
    PLACE_NAMES,
    place_words,
    role_of,
    token,
)

DRAWN = 4096  # drawn cards that are remembered: the same ones lie on the table again and again
AREAS = {
    "wide": ("deck top discard", "left tower right", "attack attack attack", "advantages hand aside"),
    "low": (
        "deck deck top top discard aside",
        "left left tower tower right right",
        "advantages advantages hand hand attack attack",
    ),
    "narrow": (
        "deck top discard",
        "left tower right",
        "attack attack attack",
        "advantages advantages aside",
        "hand hand hand",
    ),
}
THEME = Theme(
    table="#8a4630",
    suits=POKER_SUITS,
    two_colours=True,  # whether a card is red or black decides most of what it can do
    ranks=PRINTED_RANKS,
    back="alcazar",
)


def setting(options: Options, seats: int) -> Setting:
    """Return the table's look."""
    return Setting(theme=THEME, areas=AREAS)


# --- Figures and prompts -----------------------------------------------------


def status(observation: State, seat: int, ply: int) -> Status:
    """Return the game's progress and the prompt."""
    return Status(
        ply=ply,
        seat=0 if observation.phase == Phase.OVER else 1,
        phase=PHASES[observation.phase].name,
        prompt=PHASES.prompt(observation.phase, observation, seat, seat > 0),
        round=observation.round,
        facts=_facts(observation),
    )


def _facts(observation: State) -> tuple[Fact, ...]:
    facts = [
        Fact(label="Round", value=str(observation.round)),
        Fact(label="Deck", value=str(observation.deck.count)),
    ]
    facts.append(Fact(label="Tower", value=f"{observation.tower.count} of {values.tower_limit(observation)}"))
    facts.append(Fact(label="Hand", value=f"{observation.hand.count} of {values.hand_limit(observation)}"))
    if observation.options.endless_night or observation.options.total_victory:
        facts.append(
            Fact(
                label="Times through deck",
                value=f"{observation.passes} of {table.passes_needed(observation)}",
            )
        )
    return tuple(facts)


# --- The table ---------------------------------------------------------------


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the table as the player sees it."""
    zones = [_deck(observation), _discard(observation), _tower(observation)]
    zones += [_army(observation, army) for army in range(len(ARMY_NAMES))]
    zones += [_advantages(observation), _hand(observation)]
    if observation.aside.count:
        zones.append(_aside(observation))
    return Scene(
        seat=seat,
        status=status,
        zones=tuple(zones),
        contests=_contests(observation),
        choices=game.vocabulary.choices(observation, actions),
    )


def _contests(observation: State) -> tuple[Contest, ...]:
    """Return the coming attack against the top of the tower, while there is one."""
    if not observation.tower.count or observation.phase == Phase.OVER:
        return ()
    segments = tuple(
        Segment(label=f"{ARMY_WORDS[army]} army", value=value, hidden=_hides(observation, army))
        for army, value in zip(FROM_THE_LEFT, armies_of(observation), strict=True)
    )
    attack = Contender(
        label="Attack",
        value=sum(segment.value for segment in segments),
        colour="red",
        segments=segments,
        outcome="the top falls",
    )
    top = values.tower_value(observation.tower.listed()[0])
    tower = Contender(label="Tower", value=top, colour="sand", outcome="the top holds")
    return (Contest(id=CONTEST, zone="tower", label="Attack on the tower", sides=(attack, tower)),)


def _hides(observation: State, army: int) -> bool:
    """Return whether an army has a face-down card."""
    places = range(2 * army, 2 * army + 2)
    return any(observation.enemy[at] != EMPTY and not observation.face_up[at] for at in places)


@lru_cache(DRAWN)
def _up(card: int, at: str = "", badge: str = "", flags: tuple[str, ...] = (), note: str = "") -> Item:
    """Return a face-up card."""
    return Item(
        id=token(card),
        face=POKER.text(card),
        label=POKER.name(card),
        at=at,
        badge=badge,
        flags=flags,
        note=note,
    )


@lru_cache(DRAWN)
def _down(card: int, place: str, at: str = "") -> Item:
    """Return a face-down card, which the player may know."""
    if card == UNSEEN:
        return Item(id=place, back="card", label="face-down card", at=at)
    name = f"face-down card, which you know is the {POKER.name(card)}"
    return Item(id=token(card), back="card", peek=POKER.text(card), label=name, at=at)


@remembered
def _deck(observation: State) -> Zone:
    known = [card for card in observation.deck.listed() if card != UNSEEN]
    worth_drawing = [
        (i, card) for i, card in enumerate(observation.deck.listed()) if i == 0 or card != UNSEEN
    ]
    items = tuple(_down(card, f"deck:{index}") for index, card in worth_drawing)
    note = f"You know {len(known)} card{'' if len(known) == 1 else 's'} at the bottom." if known else ""
    return Zone(
        id="deck", kind="pile", label="Deck", layout=Layout(area="deck", size="small"), items=items,
        count=observation.deck.count, note=note,
    )  # fmt: skip


def _discard(observation: State) -> Zone:
    items = tuple(_up(card) for card in observation.discard.listed())
    layout = Layout(area="discard", size="small")
    return Zone(id="discard", kind="pile", label="Discard", layout=layout, items=items, count=len(items))


@remembered
def _tower(observation: State) -> Zone:
    cards = observation.tower.listed()
    items = []
    if cards:
        worth = values.tower_value(cards[0])
        role = role_of(cards[0], "tower")
        items.append(_up(cards[0], badge=str(worth), flags=("top",), note=role))
    items += [_down(card, f"tower:{index}") for index, card in enumerate(cards) if index]
    return Zone(
        id="tower", kind="pile", label="Tower", owner=1, layout=Layout(area="tower", size="large"),
        items=tuple(items), count=len(cards), limit=values.tower_limit(observation), backdrop="keep",
    )  # fmt: skip


PLACES = tuple(Slot(id=each, label=place_words(place)) for place, each in enumerate(PLACE_NAMES))


def _army(observation: State, army: int) -> Zone:
    name = ARMY_NAMES[army]
    places = [2 * army, 2 * army + 1]
    order = places if name == "right" else places[::-1]
    items = []
    for place in places:
        card = observation.enemy[place]
        if card == EMPTY:
            continue
        if not observation.face_up[place]:
            items.append(_down(card, f"{PLACE_NAMES[place]}:down", at=PLACE_NAMES[place]))
            continue
        flags = ("shielded",) if defence.is_shielded(observation, place) else ()
        note = (
            f"You need {values.defence_cost(observation, place)} to beat it. {role_of(card, 'enemy')}".strip()
        )
        items.append(
            _up(
                card,
                at=PLACE_NAMES[place],
                badge=str(values.enemy_value(observation, place)),
                flags=flags,
                note=note,
            )
        )
    slots = tuple([PLACES[place] for place in order])
    return Zone(
        id=name, kind="slots", label=f"{ARMY_WORDS[army]} army",
        layout=Layout(area=name, direction="column" if name == "top" else "row"),
        items=tuple(items), slots=slots, count=len(items), limit=2,
    )  # fmt: skip


@remembered
def _advantages(observation: State) -> Zone:
    items = tuple(
        _up(card, note=role_of(card, "advantage")) for card in observation.advantages.listed()[::-1]
    )
    return Zone(
        id="advantages", kind="row", label="Advantages", owner=1,
        layout=Layout(area="advantages", size="small"), items=items, count=len(items), limit=ADVANTAGES,
    )  # fmt: skip


def _hand(observation: State) -> Zone:
    borrowed = observation.borrowed.listed()
    items = []
    for card in observation.hand.listed()[::-1]:
        flags = ("borrowed",) if card in borrowed else ()
        items.append(_up(card, flags=flags, note=role_of(card, "hand")))
    return Zone(
        id="hand", kind="fan", label="Your hand", owner=1, layout=Layout(area="hand"),
        items=tuple(items), count=len(items), limit=values.hand_limit(observation),
    )  # fmt: skip


@remembered
def _aside(observation: State) -> Zone:
    items = tuple(_up(card) for card in observation.aside.listed())
    layout = Layout(area="aside", size="small")
    return Zone(
        id="aside", kind="pile", label="Out of the game", layout=layout, items=items, count=len(items)
    )


# --- The end -----------------------------------------------------------------


def result(observation: State, outcome: Outcome) -> Result:
    """Say how the game ended."""
    if outcome.winners:
        cards = f"{observation.tower.count} tower card{'' if observation.tower.count == 1 else 's'}"
        text = f"Morning comes in round {observation.round} with {cards} left."
        return Result(outcome=outcome, headline="The tower stands.", text=text)
    if observation.tower.count == 0:
        left = f"{observation.deck.count} card{'' if observation.deck.count == 1 else 's'}"
        text = f"The tower's last card fell in round {observation.round}, with {left} left in the deck."
        return Result(outcome=outcome, headline="The tower has fallen.", text=text)
    text = (
        f"Nothing could change after round {observation.round}."
        if observation.still >= 2
        else f"Round {observation.round} was the last."
    )
    return Result(outcome=outcome, headline="The siege never ended.", text=text)
