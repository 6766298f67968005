"""Draw Tower's table for a seat: towers, attacks in flight, hands, piles and the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import (
    PRINTED_RANKS,
    Fact,
    Item,
    Layout,
    Livery,
    Result,
    Scene,
    Setting,
    Status,
    Suit,
    Theme,
    Zone,
)
from bartizan.games.tower import game, values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.options import Options
from bartizan.games.tower.phases import PHASES
from bartizan.games.tower.sides import DRAWN, flight, hand, own_side, tower
from bartizan.games.tower.state import Phase, Standing, State
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import COLOURS, SUIT_NAMES, seat_name, upper
from bartizan.games.tower.words.wheel import AID

SUIT_COLOURS = ("grey", "orange", "red", "blue", "green")
THEME = Theme(
    table="#46407a",
    suits={
        letter: Suit(name=name, shape=name, colour=colour)
        for letter, name, colour in zip(JANKEN.suits, SUIT_NAMES, SUIT_COLOURS, strict=True)
    },
    ranks=PRINTED_RANKS,
    liveries=tuple(
        Livery(name=name, colour=name.lower(), shape="square" if seat % 2 else "round")
        for seat, name in enumerate(COLOURS)
    ),
)
PILES = Layout(area="piles", size="small")
OTHER_PILES = Layout(area="piles", size="tiny")  # no one draws from these
BUILDING_STEPS = ("Put down", "Take", "Lay the tower?")
BATTLE_STEPS = ("Attacks arrive", "Plays", "Draw")
WINDOW_STEP = "Last defence"


def setting(options: Options, seats: int) -> Setting:
    """Return the table's look, the seat names and the suit table."""
    return Setting(seat_names=COLOURS[:seats], theme=THEME, areas=_areas(seats), aids=(AID,))


def _areas(seats: int) -> dict[str, tuple[str, ...]]:
    """Return where the zones go: opponents first, then attacks in flight, then the seat's own side."""
    sides = [f"other{number}" for number in range(1, seats)]
    if len(sides) == 1:  # two towers face each other
        wide = ["own flight flight other1", "own piles piles other1", "hand hand hand hand"]
        narrow = ["other1 own", "flight flight", "piles piles", "hand hand"]
        middles = ["flight"] * 6, ["hand"] * 3 + ["piles"] * 3
        low = [_row(["own"] * 2 + middle + ["other1"], 10) for middle in middles]
        return {"wide": tuple(wide), "narrow": tuple(narrow), "low": tuple(low)}
    width = 6 if len(sides) == 2 else len(sides)
    third = width // 3
    middle = ["own"] * third + ["flight"] * (width - 2 * third) + ["piles"] * third
    top = [side for side in sides for _ in range(width // len(sides))]
    wide = [" ".join(top), " ".join(middle), _row(["hand"], width)]
    width = 3 if len(sides) % 2 else 2
    narrow = [_row(sides[first : first + width], width) for first in range(0, len(sides), width)]
    narrow += [_row(["flight"], width), _row(["own", "piles"], width), _row(["hand"], width)]
    towers = [name for name in ["own", *sides] for _ in range(2)]
    middle = ["flight"] * ((seats + 1) // 2) + ["hand"] * (seats - 1)
    low = [" ".join(towers), _row([*middle, "piles"], 2 * seats)]
    return {"wide": tuple(wide), "narrow": tuple(narrow), "low": tuple(low)}


def _row(names: Sequence[str], width: int) -> str:
    """Return a row of `width` cells; the last name fills the rest."""
    return " ".join([*names, *[names[-1]] * (width - len(names))])


# --- Numbers and prompts -----------------------------------------------------


def status(observation: State, seat: int, ply: int) -> Status:
    """Return the game's progress and the prompt."""
    over = observation.phase == Phase.OVER
    steps, step = _steps(observation)
    return Status(
        ply=ply,
        seat=0 if over else observation.to_move,
        phase=PHASES[observation.phase].name,
        prompt=PHASES.prompt(observation.phase, observation, seat, seat == observation.to_move),
        round=_round(observation),
        facts=_facts(observation),
        steps=steps,
        step=step,
    )


def _round(observation: State) -> int:
    """Return the current round."""
    turns = [player.turns for player in observation.players[: observation.seats]]
    left = [
        player.turns for player in observation.players[: observation.seats] if player.standing != Standing.OUT
    ]
    return min(observation.options.turn_cap, (min(left) if left else max(turns)) + 1)


def _steps(observation: State) -> tuple[tuple[str, ...], int]:
    """Return the steps of a turn and the current one (TWR-18)."""
    building = {Phase.EXCHANGE: 0, Phase.SOURCE: 1, Phase.LAY: 2}
    if observation.phase in building:
        return BUILDING_STEPS, building[Phase(observation.phase)]
    battle = {Phase.DEFEND: 0, Phase.ARRIVAL: 0, Phase.BATTLE: 1, Phase.DRAW: 2}
    if observation.phase not in battle:
        return (), 0
    if observation.options.defence_window:
        return (WINDOW_STEP, *BATTLE_STEPS), battle[Phase(observation.phase)] + (
            observation.phase != Phase.DEFEND
        )
    return BATTLE_STEPS, battle[Phase(observation.phase)]


def _facts(observation: State) -> tuple[Fact, ...]:
    facts = [Fact(label="Turn", value=str(_round(observation)))]
    if observation.phase == Phase.BATTLE:
        player = observation.players[observation.active - 1]
        sent, most = values.count_sent(observation, observation.active), values.attack_limit(player)
        facts.append(Fact(label="Sent", value=f"{sent}/{most}", note="attacks this turn"))
        facts.append(
            Fact(label="Deflected", value=f"{observation.deflected}/{values.deflection_limit(player)}")
        )
        facts.append(
            Fact(label="Repaired", value=f"{observation.mended}/1", note="levels restored this turn")
        )
    return tuple(facts)


# --- The table ---------------------------------------------------------------


def scene(observation: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the table as a seat sees it."""
    tokens = Look(observation)
    own = own_side(observation.seats, seat)
    zones = [
        draw(observation, other, seat, tokens)
        for other in _others(observation.seats, seat)
        for draw in (tower, hand)
    ]
    zones += [flight(observation, seat, tokens), tower(observation, own, seat, tokens)]
    zones += [
        _deck(observation),
        _discard(observation, tokens),
        _rubble(observation),
        _spent(observation, tokens),
    ]
    if observation.aside.count:
        zones.append(_pile_of_backs("aside", "Out of the game", observation.aside.count))
    zones.append(hand(observation, own, seat, tokens))
    return Scene(
        seat=seat,
        status=status,
        zones=tuple(zones),
        choices=game.vocabulary.choices(observation, actions, tokens),
    )


def _others(seats: int, seat: int) -> list[int]:
    """Return every seat except the one at the bottom, in turn order after it."""
    own = own_side(seats, seat)
    return [(own - 1 + step) % seats + 1 for step in range(1, seats)]


def _deck(observation: State) -> Zone:
    return _pile_of_backs("deck", "Draw pile", observation.deck.count)


def _pile_of_backs(name: str, label: str, count: int) -> Zone:
    items = (Item(id=f"{name}:0", back="card", label="face-down cards"),) if count else ()
    layout = PILES if name == "deck" else OTHER_PILES
    return Zone(id=name, kind="pile", label=label, layout=layout, items=items, count=count)


@lru_cache(DRAWN)
def _face_up(card: int, token: str) -> Item:
    return Item(id=token, face=JANKEN.text(card), label=JANKEN.name(card))


def _discard(observation: State, tokens: Look) -> Zone:
    items = tuple(map(_face_up, observation.discard.listed(), tokens.discard))
    return Zone(id="discard", kind="pile", label="Discard pile", layout=PILES, items=items, count=len(items))


def _rubble(observation: State) -> Zone:
    return _pile_of_backs("rubble", "Rubble", observation.rubble.count + observation.buried.count)


def _spent(observation: State, tokens: Look) -> Zone:
    items = tuple(map(_face_up, observation.spent.listed(), tokens.spent))
    return Zone(
        id="spent",
        kind="pile",
        label="Set aside",
        layout=OTHER_PILES,
        items=items,
        count=len(items),
        note="These cards join the discard pile when the turn ends.",
    )


# --- The end -----------------------------------------------------------------


def result(observation: State, outcome: Outcome) -> Result:
    """Say how the game ended."""
    standing = [player.standing != Standing.OUT for player in observation.players[: observation.seats]]
    turn = _round(observation)
    if not any(standing):
        text = f"The last tower fell on turn {turn}, to an attack that was still in flight."
        return Result(outcome=outcome, headline="No one wins.", text=text)
    if not outcome.winners:
        text = f"The game stopped after turn {turn} with {sum(standing)} players left."
        return Result(outcome=outcome, headline="Draw.", text=text)
    who = seat_name(outcome.winners[0])
    if sum(standing) == 1:
        text = f"{upper(who)} was the last player standing, on turn {turn}."
    else:
        text = f"The game stopped after turn {turn}. {upper(who)} had the most levels standing."
    return Result(outcome=outcome, headline=f"{who} wins.", text=text)
