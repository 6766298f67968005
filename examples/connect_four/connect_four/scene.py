"""Draw the rack."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.bits import count
from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
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
from connect_four import game, phases, rules
from connect_four.options import Options
from connect_four.outcome import rounds, turn_of
from connect_four.phases import PHASES
from connect_four.position import EMPTY, SIGNS, sign_at
from connect_four.state import COLUMNS, RED, ROWS, YELLOW, State, Winner
from connect_four.words.names import COLOURS, disc, place_name

# All discs are round, so what is stamped on them tells them apart for who sees no colours.
RING = "M50 6 A44 44 0 1 1 49.9 6 Z M50 22 A28 28 0 1 0 50.1 22 Z"
STAR = "M50 2 L62 38 98 50 62 62 50 98 38 62 2 50 38 38 Z"
THEME = Theme(
    table="slate",
    grounds={"rack": "blue"},
    art={SIGNS[RED]: RING, SIGNS[YELLOW]: STAR},
    liveries=(Livery(name="Red", colour="red"), Livery(name="Yellow", colour="yellow")),
)


def setting(options: Options, seats: int) -> Setting:
    """Return the rack's look, and what the two are called."""
    areas: dict[str, tuple[str, ...]] = {"wide": ("rack",), "narrow": ("rack",)}
    return Setting(seat_names=COLOURS, theme=THEME, areas=areas)


def status(observation: State, seat: int, ply: int) -> Status:
    """Return how far the game is and what the player to move is asked."""
    mover = turn_of(observation)
    phase = phases.phase_of(observation)
    return Status(
        ply=ply,
        seat=mover,
        phase=PHASES[phase].name,
        prompt=PHASES.prompt(phase, observation, seat, seat == mover),
        round=rounds(observation),
        facts=(Fact(label="Discs", value=f"{count(rules.taken(observation))} of {COLUMNS * ROWS}"),),
    )


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the rack as everybody sees it."""
    return Scene(
        seat=seat,
        status=status,
        zones=(_rack(observation),),
        choices=game.vocabulary.choices(observation, actions),
    )


def _rack(observation: State) -> Zone:
    places = [(column, row) for row in range(ROWS - 1, -1, -1) for column in range(COLUMNS)]
    return Zone(
        id="rack",
        kind="grid",
        label="Rack",
        layout=Layout(area="rack", size="large", columns=COLUMNS, rows=ROWS),
        slots=tuple(Slot(id=place_name(*at), label=place_name(*at), kind="rack") for at in places),
        items=tuple(_item(observation, *at) for at in places if sign_at(observation, *at) != EMPTY),
    )


def _item(observation: State, column: int, row: int) -> Item:
    sign = sign_at(observation, column, row)
    colour = SIGNS.index(sign)
    at = place_name(column, row)
    return Item(
        id=disc(colour, column, row), face=sign, label=f"{COLOURS[colour]}'s disc", at=at, owner=colour + 1
    )


def result(observation: State, outcome: Outcome) -> Result:
    """Tell how the game ended."""
    if observation.winner == Winner.DRAW:
        return Result(outcome=outcome, headline="The game is drawn.", text="The rack is full.")
    (winner,) = outcome.winners
    made = winner if not observation.options.misere else 3 - winner
    headline = f"{COLOURS[winner - 1]} wins."
    return Result(outcome=outcome, headline=headline, text=f"{COLOURS[made - 1]} made four in a line.")
