"""Draw Card Barrage's table as a person sees it: zones, numbers and the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    Choice,
    Fact,
    Item,
    Layout,
    Livery,
    Race,
    Racer,
    Result,
    Scene,
    Setting,
    Slot,
    Status,
    Suit,
    Theme,
    Zone,
)
from bartizan.games.card_barrage import deal, game, outcome, rules, table
from bartizan.games.card_barrage.arrangement import areas_of, fort_area, is_named, pile_area, usual_areas
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.options import Options
from bartizan.games.card_barrage.phases import PHASES
from bartizan.games.card_barrage.state import CASTLE, SOLO, WALLS, Phase, State
from bartizan.games.card_barrage.visibility import UNSEEN
from bartizan.games.card_barrage.words.look import Ids, Look
from bartizan.games.card_barrage.words.names import (
    COLOURS,
    keeper_name,
    keepers,
    many,
    place_name,
    seat_name,
    seats_of,
    side_name,
    spot,
    upper,
)
from bartizan.games.card_barrage.words.reports import extras_of, hits_something

BLANK = "?"  # the rank of a face that shows a domain alone

# Seats alternate between the sides: warm colours and round marks against cool colours and square ones.
THEME = Theme(
    table="#2b5f66",
    ranks={BLANK: ""},
    suits={
        "k": Suit(name="knowledge", shape="book", colour="blue"),
        "s": Suit(name="science", shape="beaker", colour="green"),
        "t": Suit(name="technology", shape="gear", colour="orange"),
        "v": Suit(name="services", shape="globe", colour="purple"),
    },
    liveries=(
        Livery(name="Red", colour="red", shape="round"),
        Livery(name="Blue", colour="blue", shape="square"),
        Livery(name="Orange", colour="orange", shape="round"),
        Livery(name="Green", colour="green", shape="square"),
        Livery(name="Yellow", colour="yellow", shape="round"),
        Livery(name="Purple", colour="purple", shape="square"),
    ),
)


def setting(options: Options, seats: int) -> Setting:
    """Return the table's look, the seat names, and whether a real table is used."""
    state = State()
    options.put_into(state.options)
    state.seats = seats
    deal.seat_everybody(state)
    return Setting(
        seat_names=COLOURS[:seats],
        theme=THEME,
        areas=usual_areas(state),
        real_table=bool(options.companion),
    )


# --- Numbers and prompts -----------------------------------------------------


def status(observation: State, seat: int, ply: int) -> Status:
    """Return the game's progress and the prompt."""
    asked = outcome.turn_of(observation)
    return Status(
        ply=ply,
        seat=asked,
        phase=PHASES[observation.phase].name,
        prompt=PHASES.prompt(observation.phase, observation, seat, seat == asked),
        round=observation.round,
        facts=_facts(observation),
    )


def _facts(observation: State) -> tuple[Fact, ...]:
    facts = [Fact(label="Round", value=f"{observation.round} of {observation.options.turn_cap}")]
    if observation.phase not in (Phase.WALLS, Phase.OVER):
        facts.append(_still_to_play(observation))
    if observation.phase != Phase.OVER:
        to_go = 3 - observation.score[table.keeper(observation, observation.active)].count % 3
        facts.append(Fact(label="Next effect", value=f"after {many(to_go, 'more card')}"))
    return tuple(facts)


def _still_to_play(observation: State) -> Fact:
    """Say whose turns are left in this round (CB-23), or what follows it."""
    last = observation.ending or table.most_points(observation) >= observation.options.target
    left = (observation.first - observation.active - 1) % observation.castles
    seats = [(observation.active + 1 + number) % observation.castles for number in range(left)]
    over = last or observation.round >= observation.options.turn_cap
    following = "the game ends" if over else f"round {observation.round + 1} begins"
    names = ", ".join(seat_name(observation, seat) for seat in seats)
    return Fact(label="Last round, next" if last else "Next", value=names or following)


def _race(observation: State) -> Race:
    """Return the race for points: a racer for each score pile (CB-24, CB-Q14)."""
    racers = tuple(
        Racer(
            label=upper(keeper_name(observation, keeper).removeprefix("the ")),
            value=observation.score[keeper].points,
            seat=_owner(observation, keeper),
        )
        for keeper in keepers(observation)
    )
    return Race(id="points", label="Points", goal=observation.options.target, racers=racers)


# --- The table ---------------------------------------------------------------


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the table as a person sees it, with their own seats at the bottom."""
    look = Look(observation)
    ids = look.ids
    untold = table.is_untold(observation)
    zones: list[Zone] = []
    for each in range(observation.castles):
        hand = [] if untold else [_hand(observation, seat, each, ids)]
        zones += [*hand, _fort(observation, seat, each, ids)]
    zones += [_pile(observation, seat, keeper, ids) for keeper in keepers(observation)]
    for side in range(0 if untold else observation.sides):
        zones += [_deck(observation, seat, side), _discard(observation, seat, side, ids)]
    zones += _namers(observation)
    areas = areas_of(observation, seat)
    return Scene(
        seat=seat,
        status=status,
        zones=tuple(zones),
        choices=_choices(observation, actions, look),
        races=(_race(observation),),
        areas={} if areas == usual_areas(observation) else areas,
        extras=extras_of(observation) if seat == status.seat else (),
    )


def _choices(observation: State, actions: Sequence[int], look: Look) -> tuple[Choice, ...]:
    """Return the choices; for on-screen throws, a throw of each card instead of its reports."""
    if table.is_thrown(observation):
        actions = [action for action in actions if not hits_something(action)]
    return game.vocabulary.choices(observation, actions, look)


def _namers(observation: State) -> list[Zone]:
    """Return what to touch to name a real card that is placed or given: its value, then its domain.

    It lies open where nothing else is asked, and in a pile to open where one may build or upgrade.
    """
    if not table.is_untold(observation) or not is_named(observation):
        return []
    values = tuple(
        Item(id=f"value:{value}", face=str(value), label=f"value {value}")
        for value in range(1, TECH.HIGHEST + 1)
    )
    domains = tuple(
        Item(id=f"domain:{letter}", face=f"{BLANK}{letter}", label=name)
        for letter, name in zip(TECH.domains, TECH.names, strict=True)
    )
    if observation.phase in (Phase.TURN, Phase.EFFECT):
        both = (*domains, *values)
        return [
            Zone(id="names", kind="pile", label="Name a card", layout=Layout(area="names"),
                 items=both, count=len(both))
        ]  # fmt: skip
    layout = Layout(area="names", size="normal")
    return [
        Zone(id="values", kind="row", label="Its value", layout=layout, items=values, count=len(values)),
        Zone(id="domains", kind="row", label="Its domain", layout=layout, items=domains, count=len(domains)),
    ]


def _is_held(observation: State, person: int, seat: int) -> bool:
    """Return whether a person holds a seat's hand here; other hands are shown with the piles."""
    return not table.is_untold(observation) and seat in seats_of(observation, person)


def _owner(observation: State, seat: int) -> int:
    """Return the person a seat belongs to; the simulacrum counts as the second."""
    return 2 if table.is_simulacrum(observation, seat) else table.person_of(observation, seat)


def _up(card: int, name: str, **more: object) -> Item:
    """Return a face-up card."""
    return Item(id=name, face=TECH.text(card), label=TECH.name(card), **more)  # type: ignore[arg-type]


def _hand(observation: State, person: int, seat: int, ids: Ids) -> Zone:
    hand = observation.hand[seat]
    held = _is_held(observation, person, seat)
    items = [
        Item(id=name, back="card", label="hidden card")
        if (card := hand.cards[place]) == UNSEEN
        else _up(card, name, note="" if held else "Everyone has seen this card.")
        for place, name in enumerate(ids.hands[seat])
    ]
    whose = (
        "Your hand"
        if seats_of(observation, person) == [seat]
        else f"{upper(seat_name(observation, seat))}'s hand"
    )
    side = pile_area(observation, person, table.side_of(observation, seat))
    return Zone(
        id=f"hand:{seat + 1}",
        kind="fan" if held else "pile",
        label=whose,
        owner=_owner(observation, seat),
        layout=Layout(area="hand" if held else side, size="normal" if held else "small"),
        items=tuple(items),
        count=hand.count,
        limit=observation.options.hand_limit,
    )


def _fort(observation: State, person: int, seat: int, ids: Ids) -> Zone:
    """Return the walls of a seat and, behind them, its castle."""
    items = [
        _wall(observation, seat, slot, ids) for slot in range(observation.slots) if (seat, slot) in ids.walls
    ]
    castle = Item(
        id=spot(seat, CASTLE),
        back="castle",
        peek=TECH.text(observation.castle[seat]),
        label=upper(place_name(observation, seat, CASTLE)),
        at=f"keep{seat + 1}",
        owner=_owner(observation, seat),
    )
    keep = Slot(id=f"keep{seat + 1}", label="castle")
    return Zone(
        id=f"fort:{seat + 1}",
        kind="slots",
        label=upper(seat_name(observation, seat)),
        owner=_owner(observation, seat),
        layout=Layout(area=fort_area(observation, person, seat)),
        items=(*items, castle),
        slots=(*(_slot(observation, seat, slot) for slot in range(observation.slots)), keep),
        count=len(items),
        limit=observation.slots,
    )


def _wall(observation: State, seat: int, slot: int, ids: Ids) -> Item:
    wall = seat * WALLS + slot
    moved = bool(observation.moved >> wall & 1)
    return _up(
        observation.wall[wall],
        ids.walls[seat, slot],
        at=spot(seat, slot),
        owner=_owner(observation, seat),
        flags=("moved",) if moved else (),
        note="This wall has been moved." if moved else "",
    )


def _slot(observation: State, seat: int, slot: int) -> Slot:
    lost = observation.lost >> seat * WALLS + slot & 1
    return Slot(id=spot(seat, slot), label=f"wall {slot + 1}", kind="lost" if lost else "")


def _deck(observation: State, person: int, side: int) -> Zone:
    count = observation.deck[side].count
    return Zone(
        id=f"deck:{side + 1}",
        kind="pile",
        label="Draw deck",
        note=f"belongs to {side_name(observation, side)}",
        owner=_owner(observation, side),
        layout=Layout(area=pile_area(observation, person, side), size="small"),
        items=(Item(id=f"deck{side + 1}:0", back="card", label="face-down card"),) if count else (),
        count=count,
    )


def _discard(observation: State, person: int, side: int, ids: Ids) -> Zone:
    return Zone(
        id=f"discard:{side + 1}",
        kind="pile",
        label="Discard pile",
        note=f"belongs to {side_name(observation, side)}",
        owner=_owner(observation, side),
        layout=Layout(area=pile_area(observation, person, side), size="small"),
        items=tuple(_up(card, name) for card, name in ids.discards[side]),
        count=observation.discard[side].count,
    )


def _pile(observation: State, person: int, keeper: int, ids: Ids) -> Zone:
    offered = (
        {observation.scored[place] for place in range(observation.newly)}
        if observation.phase == Phase.EFFECT
        else set()
    )
    items = [
        _up(card, name, flags=("scored",) if card in offered else ()) for card, name in ids.piles[keeper]
    ]
    items.sort(key=lambda item: "scored" not in item.flags)  # cards whose effect can be used are on top
    return Zone(
        id=f"pile:{keeper + 1}",
        kind="row" if offered and items and items[0].flags else "pile",
        label=upper(f"scored by {keeper_name(observation, keeper)}"),
        owner=_owner(observation, keeper),
        layout=Layout(
            area=pile_area(observation, person, table.side_of(observation, keeper)),
            size="normal" if offered else "small",
        ),
        items=tuple(items),
        count=observation.score[keeper].count,
    )


# --- The end -----------------------------------------------------------------


def result(observation: State, outcome: Outcome) -> Result:
    """Say how the game ended."""
    winners = [side for side in range(observation.sides) if observation.winners >> side & 1]
    points = [rules.figure_of(observation, side, 0) for side in range(observation.sides)]
    tie = _tie(observation, winners, points)
    text = f"{_points_told(points)} after round {observation.round}.{tie}"
    return Result(outcome=outcome, headline=_headline(observation, winners), text=text)


def _headline(observation: State, winners: list[int]) -> str:
    if len(winners) > 1:
        return "The victory is shared."
    if observation.seats == SOLO:
        return "You win." if winners == [0] else "The simulacrum wins."
    return f"{upper(side_name(observation, winners[0]))} wins."


def _points_told(points: Iterable[int]) -> str:
    return " to ".join(map(str, points)) + " points"


def _tie(observation: State, winners: list[int], points: list[int]) -> str:
    """Say what broke a tie, or beat the higher score."""
    best = [side for side, each in enumerate(points) if each == max(points)]
    if len(winners) == 1 and winners[0] not in best:
        return " Storming the castle decides the game."
    return " The scored cards break the tie." if len(winners) == 1 and len(best) > 1 else ""
