"""Draw Card-cassonne's table for a seat: the layout with its areas, hands, numbers and the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.cards import POKER
from bartizan.engine.outcome import Outcome
from bartizan.engine.remembered import remembered
from bartizan.engine.scene import (
    POKER_SUITS,
    PRINTED_RANKS,
    Fact,
    Item,
    Layout,
    Livery,
    Region,
    Result,
    ResultLine,
    Scene,
    Setting,
    Slot,
    Status,
    Theme,
    Zone,
)
from bartizan.games.card_cassonne import areas, cells, game, rules
from bartizan.games.card_cassonne.options import BOARD_RADIX, CARDS, End, Options
from bartizan.games.card_cassonne.phases import PHASES
from bartizan.games.card_cassonne.rules import FACE_POINTS
from bartizan.games.card_cassonne.state import State
from bartizan.games.card_cassonne.words.look import Look
from bartizan.games.card_cassonne.words.names import (
    SEATS,
    area_name,
    card_place,
    counted,
    has_region,
    place_name,
    region_id,
    token_id,
)

AREAS: dict[str, tuple[str, ...]] = {
    "wide": ("layout seats", "layout piles", "layout hand"),
    "narrow": ("seats seats", "layout layout", "hand piles"),
}
TOKENS = "①②③④"  # by seat
LIVERIES = tuple(
    Livery(name=name, colour=name.lower(), shape="square" if seat % 2 else "round")
    for seat, name in enumerate(SEATS)
)
THEME = Theme(
    table="#3b5d3a",
    suits=POKER_SUITS,
    ranks=PRINTED_RANKS,
    liveries=LIVERIES,
)


def setting(options: Options, seats: int) -> Setting:
    """Return the table's look and the seat names."""
    return Setting(seat_names=SEATS[:seats], theme=THEME, areas=AREAS)


# --- Figures and prompts -----------------------------------------------------


def status(observation: State, seat: int, ply: int) -> Status:
    """Return the game's progress and the prompt."""
    return Status(
        ply=ply,
        seat=observation.to_move,
        phase=PHASES[observation.phase].name,
        prompt=PHASES.prompt(observation.phase, observation, seat, seat == observation.to_move),
        round=rules.rounds(observation),
        facts=_facts(observation),
    )


def _facts(observation: State) -> tuple[Fact, ...]:
    rounds = (CARDS - 1 - observation.aside.count) // observation.seats
    rounds -= observation.options.hand if observation.options.end == End.DECK_EMPTY_ROUND else 0
    last = f" of {rounds}" if not observation.options.board and rounds >= rules.rounds(observation) else ""
    return (
        Fact(label="Round", value=f"{rules.rounds(observation)}{last}"),
        Fact(label="Deck", value=str(observation.deck.count)),
    )


# --- The table ---------------------------------------------------------------


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the table as `seat` sees it."""
    survey = Look(observation)
    zones = [_layout(observation)]
    for other in range(1, observation.seats + 1):
        zones += _seat(survey, other, seat)
    zones += [
        _pile("deck", "Deck", observation.deck.count),
        _pile("aside", "Set aside", observation.aside.count),
    ]
    return Scene(
        seat=seat,
        status=status,
        zones=tuple(zones),
        choices=game.vocabulary.choices(observation, actions, survey),
    )


@remembered
def _layout(observation: State) -> Zone:
    """Return the map of the layout; free places next to a card can be touched."""
    survey = Look(observation)
    places = [card_place(observation, number) for number in range(observation.laid)]
    items = [
        Item(
            id=survey.ids[number],
            face=POKER.text(observation.face[number]),
            label=POKER.name(observation.face[number]),
            at=place,
            flags=("last",) if number == observation.last else (),
        )
        for number, place in enumerate(places)
    ]
    items += [
        Item(
            id=token_id(observation, number),
            face=TOKENS[observation.token[number] - 1],
            label=f"{SEATS[observation.token[number] - 1]}'s token",
            at=place,
            owner=observation.token[number],
        )
        for number, place in enumerate(places)
        if observation.token[number]
    ]
    slots = [Slot(id=place, label=place, kind="taken") for place in places]
    slots += [Slot(id=place, label=place, kind="open") for place in survey.places.values()]
    return Zone(
        id="layout", kind="map", label="Layout", layout=Layout(area="layout", size="large"),
        items=tuple(items),
        slots=tuple(slots),
        regions=_regions(survey),
        count=observation.laid,
        edge=_edge(observation),
        note=_size(observation),
    )  # fmt: skip


def _edge(observation: State) -> tuple[str, ...]:
    """Return the corners of a bounded table (CC-34)."""
    width, height = divmod(observation.options.board, BOARD_RADIX)
    if not width:
        return ()
    return place_name(-((width - 1) // 2), -((height - 1) // 2)), place_name(width // 2, height // 2)


def _size(observation: State) -> str:
    """Describe the size of a bounded table (CC-34)."""
    corners = _edge(observation)
    return f"The table extends from {corners[0]} to {corners[1]}." if corners else ""


def _regions(survey: Look) -> tuple[Region, ...]:
    """Return the land of each area with several cards or a token."""
    observation = survey.observation
    regions = []
    for area in survey.areas:
        if not has_region(observation, area):
            continue
        owners = survey.token_seats(area)
        worth = areas.worth_of(observation.size[area])
        regions.append(
            Region(
                id=region_id(observation, area),
                cells=tuple(card_place(observation, number) for number in survey.members[area]),
                owners=owners,
                value=worth,
                ready=areas.is_partially_complete(observation, area),
                label=_spoken(observation, area, len(owners)),
                figures=(
                    Fact(label="cards", value=str(observation.size[area])),
                    Fact(label="empty", value=str(observation.spaces[area])),
                    Fact(label="worth", value=str(worth), note="for each token"),
                ),
            )
        )
    return tuple(regions)


def _spoken(observation: State, area: int, claims: int) -> str:
    """Return how large and open an area is, and what it would score now (CC-17, CC-18, CC-26)."""
    if areas.is_complete(observation, area):
        state = "complete"
    else:
        state = counted(observation.spaces[area], "empty place")
    worth = f"worth {areas.worth_of(observation.size[area])}"
    each = " for each token" if claims != 1 else ""
    when = " now" if areas.is_partially_complete(observation, area) else ", too open to score yet"
    cards = counted(observation.size[area], "card")
    return f"area of {cards}, {area_name(observation, area)}, {state}, {worth}{each}{when}"


def _seat(survey: Look, other: int, seat: int) -> list[Zone]:
    """Return a seat's points, supply and hand; the hand of another shows backs."""
    observation, player = survey.observation, survey.observation.players[other - 1]
    own = other == seat
    whose = "Your" if own else f"{SEATS[other - 1]}'s"
    figures = Layout(area="seats", size="small")
    if own:
        hand = player.hand
        items = tuple(
            Item(id=name, face=POKER.text(hand.cards[slot]), label=POKER.name(hand.cards[slot]))
            for slot, name in enumerate(survey.hand_ids(seat))
        )
    else:
        items = tuple(
            Item(id=f"hand:{other}:{slot}", back="card", label="face-down card")
            for slot in range(player.hand.count)
        )
    return [
        Zone(
            id=f"score:{other}", kind="counter", label=f"{whose} points", brief="points", owner=other,
            layout=figures, count=player.score,
        ),
        Zone(
            id=f"supply:{other}", kind="counter", label=f"{whose} tokens", brief="tokens", owner=other,
            layout=figures, count=player.supply, limit=observation.options.tokens,
        ),
        Zone(
            id=f"hand:{other}", kind="fan", label=f"{whose} hand", brief="" if own else "cards", owner=other,
            layout=Layout(area="hand") if own else figures, items=items, count=player.hand.count,
            limit=observation.options.hand,
        ),
    ]  # fmt: skip


def _pile(name: str, label: str, count: int) -> Zone:
    """Return a face-down pile."""
    items = (Item(id=f"{name}:0", back="card", label="face-down card"),) if count else ()
    where = Layout(area="piles", size="small")
    return Zone(id=name, kind="pile", label=label, layout=where, items=items, count=count)


# --- The end -----------------------------------------------------------------


def result(observation: State, outcome: Outcome) -> Result:
    """Say how the game ended and where the points come from."""
    names = [SEATS[seat - 1] for seat in outcome.winners]
    if len(names) == 1:
        headline = f"{names[0]} wins."
    else:
        shared = "All" if len(names) == observation.seats else " and ".join(names)
        headline = f"{shared} share the victory."
    points = ", ".join(f"{name} has {each}" for name, each in zip(SEATS, outcome.points, strict=False))
    return Result(
        outcome=outcome, headline=headline, text=f"{points}.", items=tuple(_result_lines(observation))
    )


def _result_lines(observation: State) -> list[ResultLine]:
    """Return where the points come from: two lines for each seat's whole game, then the final scoring."""
    final = _final_lines(observation)
    lines = []
    for seat in range(1, observation.seats + 1):
        player = observation.players[seat - 1]
        closing = sum(line.points for line in final if line.seat == seat)
        played = player.score - player.from_completing - closing
        lines.append(ResultLine(label="Areas scored", seat=seat, points=played))
        lines.append(ResultLine(label="Areas completed", seat=seat, points=player.from_completing))
    return lines + final


def _final_lines(observation: State) -> list[ResultLine]:
    """Return the final scoring: the last areas if they count (CC-Q19), then tokens on face cards (CC-32)."""
    lines = []
    for number in range(observation.laid):
        if observation.closing[number]:
            area = observation.area[number]
            worth = areas.worth_of(observation.size[area])
            lines.append(
                ResultLine(
                    label=f"Token in {area_name(observation, area)}",
                    seat=observation.closing[number],
                    points=worth,
                )
            )
    for number in range(observation.laid):
        if observation.token[number] and cells.is_face_card(observation.face[number]):
            card = f"{POKER.name(observation.face[number])} at {card_place(observation, number)}"
            lines.append(
                ResultLine(label=f"Token on the {card}", seat=observation.token[number], points=FACE_POINTS)
            )
    return lines
