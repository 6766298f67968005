"""Draw Castle Danger's table: the board as a seat sees it, numbers and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from bartizan.engine.bits import count
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    Choice,
    Fact,
    Item,
    Layout,
    Livery,
    Result,
    Scene,
    Setting,
    Slot,
    Status,
    Theme,
    Zone,
)
from bartizan.games.castle_danger import game, phases, rules
from bartizan.games.castle_danger.board import BLUE, COLUMNS, ROWS, half_of, name
from bartizan.games.castle_danger.options import Options, PieceLimits
from bartizan.games.castle_danger.phases import PHASES
from bartizan.games.castle_danger.position import COLOURS, FLAMES, sign_at
from bartizan.games.castle_danger.state import END, State, Winner
from bartizan.games.castle_danger.words.art import ART
from bartizan.games.castle_danger.words.lines import lines_of
from bartizan.games.castle_danger.words.names import (
    A_WALL,
    COLOUR_NAMES,
    ROLES,
    UNIT_NAMES,
    flame_phrase,
    ground,
    moves,
    unit_at,
    unit_phrase,
    unit_token,
    upper,
)
from bartizan.games.castle_danger.words.story import is_third_occurrence
from bartizan.games.castle_danger.words.touch import paths_of

AREAS = {"wide": ("board side",), "narrow": ("side", "board")}
THEME = Theme(
    table="#4a4d57",
    grounds={"sand": "sand", "grass": "green", "river": "blue", "portal": "purple"},
    art=ART,
    bare=("#", *FLAMES),
    liveries=(
        Livery(name="Blue", colour="blue", shape="round"),
        Livery(name="Red", colour="red", shape="square"),
    ),
)


def setting(options: Options, seats: int) -> Setting:
    """Return the table's look and the players' names."""
    return Setting(seat_names=COLOUR_NAMES, theme=THEME, areas=AREAS)


# --- Figures and prompts -----------------------------------------------------


def status(observation: State, seat: int, ply: int) -> Status:
    """Return the game's progress and the prompt."""
    over = observation.winner != Winner.NONE
    return Status(
        ply=ply,
        seat=0 if over else observation.to_move + 1,
        phase="over" if over else "",
        prompt=PHASES.prompt(
            phases.phase_of(observation), observation, seat, seat == observation.to_move + 1
        ),
        round=observation.turn,
        facts=_facts(observation),
    )


def _facts(observation: State) -> tuple[Fact, ...]:
    limit = observation.options.turn_limit
    units = [count(rules.units(observation) & rules.half(colour)) for colour in range(len(COLOURS))]
    facts = [
        Fact(label="Turn", value=f"{observation.turn} of {limit}" if limit else str(observation.turn)),
        Fact(label="Moves left", value=str(observation.moves_left)),
        Fact(
            label="Units", value=", ".join(f"{who} {n}" for who, n in zip(COLOUR_NAMES, units, strict=True))
        ),
    ]
    if observation.winner == Winner.NONE and rules.why_no_addition(observation) == 0:
        cost = rules.price(observation)
        facts.append(Fact(label="New piece", value=moves(cost) if cost else "free"))
    return tuple(facts)


# --- The table ---------------------------------------------------------------


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the table as a seat sees it, with its own side at the bottom."""
    lines = lines_of(observation)
    zones = [_board(observation, seat, {line.item: line.label for line in lines}), _moves_left(observation)]
    if observation.options.piece_limits == PieceLimits.TABLETOP:
        zones += [_box(observation, colour) for colour in range(len(COLOURS))]
        zones.append(_walls_left(observation))
    return Scene(
        seat=seat,
        status=status,
        zones=tuple(zones),
        choices=_choices(observation, actions),
        lines=lines,
        paths=paths_of(observation) if actions else {},
    )


def _choices(observation: State, actions: Sequence[int]) -> tuple[Choice, ...]:
    """Offer the legal actions; ending the turn asks for confirmation while other moves remain."""
    choices = game.vocabulary.choices(observation, actions)
    if len(choices) < 2:
        return choices
    left = f"{moves(observation.moves_left)} {'is' if observation.moves_left == 1 else 'are'} left."
    return tuple(replace(one, confirm=left) if one.action == END.first else one for one in choices)


TOP_DOWN = tuple(row * COLUMNS + column for row in range(ROWS - 1, -1, -1) for column in range(COLUMNS))
BOTTOM_UP = TOP_DOWN[::-1]  # as Red looks at it
SLOTS = {
    order: tuple(Slot(id=name(at), label=name(at), kind=ground(at)) for at in order)
    for order in (TOP_DOWN, BOTTOM_UP)
}


def _board(observation: State, seat: int, aims: dict[str, str]) -> Zone:
    order = BOTTOM_UP if seat == 2 else TOP_DOWN
    there = rules.pieces(observation) | rules.flames(observation)
    return Zone(
        id="board",
        kind="grid",
        label="Board",
        layout=Layout(area="board", size="large", columns=COLUMNS, rows=ROWS),
        slots=SLOTS[order],
        items=tuple([_item(observation, at, aims) for at in order if there >> at & 1]),
    )


def _item(observation: State, at: int, aims: dict[str, str]) -> Item:
    """Return what is on a square; a Cannon says what it can hit."""
    letter = unit_at(observation, at)
    if letter:
        unit = _unit(letter, at, observation.serials[at], bool(observation.fired >> at & 1))
        return replace(unit, note=f"{unit.note} {aims[unit.id]}") if unit.id in aims else unit
    return _obstacle(sign_at(observation, at), at)


@lru_cache(4096)
def _unit(letter: str, at: int, serial: int, fired: bool) -> Item:
    """Return a unit on a square."""
    what = unit_phrase(letter, at)
    return Item(
        id=unit_token(letter, at, serial),
        face=letter if half_of(at) == BLUE else letter.lower(),
        label=f"{what}, fired" if fired else what,
        at=name(at),
        owner=half_of(at) + 1,
        flags=("fired",) if fired else (),
        note=ROLES[letter],
    )


@lru_cache(4096)
def _obstacle(sign: str, at: int) -> Item:
    """Return a wall or Fire on a square."""
    owner = FLAMES.index(sign) + 1 if sign in FLAMES else 0
    note = "" if not owner else f"Nothing can move here until {COLOUR_NAMES[owner - 1]}'s next turn begins."
    label = flame_phrase(owner - 1) if owner else A_WALL
    return Item(id=sign + name(at), face=sign, label=upper(label), at=name(at), owner=owner, note=note)


def _moves_left(observation: State) -> Zone:
    return Zone(
        id="moves",
        kind="counter",
        label="Moves left",
        owner=observation.to_move + 1,
        layout=Layout(area="side", size="small"),
        count=observation.moves_left,
        limit=max(observation.moves_left, rules.moves_of_turn(observation)),
    )


def _box(observation: State, colour: int) -> Zone:
    """Show how many pieces of each kind a colour has left in the box (CD-Q23: `piece_limits`)."""
    mine = rules.half(colour)
    left = {
        "W": rules.WIZARDS - count(observation.wizards & mine),
        "B": rules.BUILDERS - count(observation.builders & mine),
        "C": rules.CANNONS - count(observation.cannons & mine),
    }
    items = tuple(
        Item(
            id=f"{COLOURS[colour]}:{letter}",
            face=letter if colour == BLUE else letter.lower(),
            label=f"{number} {UNIT_NAMES[letter]}{'' if number == 1 else 's'} left",
            owner=colour + 1,
            badge=str(number),
        )
        for letter, number in left.items()
    )
    return Zone(
        id=f"box:{COLOURS[colour]}",
        kind="row",
        label=f"{COLOUR_NAMES[colour]}'s box",
        owner=colour + 1,
        layout=Layout(area="side", size="small"),
        items=items,
    )


def _walls_left(observation: State) -> Zone:
    return Zone(
        id="walls",
        kind="counter",
        label="Walls left",
        layout=Layout(area="side", size="small"),
        count=rules.WALLS - count(observation.walls),
        limit=rules.WALLS,
    )


# --- The end -----------------------------------------------------------------


def result(observation: State, outcome: Outcome) -> Result:
    """Say how the game ended."""
    if not outcome.winners:
        third = is_third_occurrence(observation)
        text = (
            f"A turn began with the same position for the third time, on turn {observation.turn}."
            if third
            else f"Turn {observation.turn} was the last, and both Kings survived."
        )
        return Result(outcome=outcome, headline="Draw.", text=text)
    (winner,) = outcome.winners
    by_his_own = " by its own side" if observation.to_move + 1 != winner else ""
    text = f"{COLOUR_NAMES[2 - winner]}'s King was hit{by_his_own} on turn {observation.turn}."
    return Result(outcome=outcome, headline=f"{COLOUR_NAMES[winner - 1]} wins.", text=text)
