"""Arrange Card Barrage's table: which zone goes where, as a person sees it.

Areas are named as they lie for who looks: ``own1`` is the own side's first fort, ``foe1`` the enemies'.
"""

from __future__ import annotations

from math import lcm

from bartizan.games.card_barrage import table
from bartizan.games.card_barrage.state import SOLO, Phase, State


def usual_areas(observation: State) -> dict[str, tuple[str, ...]]:
    """Return where things go for the first seat: enemies above, the own side below, piles between or last."""
    foes, own, piles = _area_names(observation, 1)
    hands = [["hand"]] + [["names"]] * table.is_untold(observation)
    wide = [*_with_piles(foes, piles, own), *hands]
    return _arranged(wide, [foes, own, *hands, *_pile_rows(observation, piles)], piles)


def areas_of(observation: State, seat: int) -> dict[str, tuple[str, ...]]:
    """Return where things go for a seat now.

    What names a real card that is asked for lies at the top, with the walls that it is for; piles come last
    where there is little room, unless the player must touch a scored card.
    """
    foes, own, piles = _area_names(observation, seat)
    hands = [["hand"]] + [["names"]] * table.is_untold(observation)
    first: list[list[str]] = []
    named = table.is_untold(observation) and is_named(observation)
    if named and observation.phase not in (Phase.TURN, Phase.EFFECT):  # a card for these walls is asked for
        asked = fort_area(observation, seat, observation.to_move)
        first, hands = [[asked], ["names"]], [["hand"]]
        foes, own = ([fort for fort in row if fort != asked] for row in (foes, own))
    sides = _pile_rows(observation, piles)
    if observation.phase == Phase.EFFECT:
        narrow = [*sides, foes, own, *hands]
    else:
        narrow = [*first, foes, own, *hands, *sides]
    return _arranged([*first, *_with_piles(foes, piles, own), *hands], narrow, piles)


def _area_names(observation: State, seat: int) -> tuple[list[str], list[str], list[str]]:
    """Return the areas of the enemies' forts, of the own side's, and of the piles, the own ones last."""
    home = _home(observation, seat)
    forts = [
        (table.side_of(observation, each), fort_area(observation, seat, each))
        for each in range(observation.castles)
    ]
    foes = [name for side, name in forts if side != home]
    piles = [f"piles{number}" for number in range(1, observation.sides)] + ["piles"]
    return foes, [name for side, name in forts if side == home], piles


def _home(observation: State, seat: int) -> int:
    """Return the side at the bottom of who looks; for a spectator the first."""
    return table.side_of(observation, seat - 1) if seat else 0


def fort_area(observation: State, seat: int, fort: int) -> str:
    """Return the area of a fort as a seat sees it: its own side's and the enemies' are counted apart."""
    home, side = _home(observation, seat), table.side_of(observation, fort)
    alike = [each for each in range(fort) if (table.side_of(observation, each) == home) == (side == home)]
    return f"{'own' if side == home else 'foe'}{len(alike) + 1}"


def pile_area(observation: State, seat: int, side: int) -> str:
    """Return the area of a side's piles as a seat sees it."""
    home = _home(observation, seat)
    return "piles" if side == home else f"piles{side + (side < home)}"


def _pile_rows(observation: State, piles: list[str]) -> list[list[str]]:
    """Return the rows of the piles: one where there is little in them, else one for each side."""
    few = table.is_untold(observation) and observation.seats != SOLO
    return [piles] if few else [[name] for name in piles]


def _with_piles(foes: list[str], piles: list[str], own: list[str]) -> list[list[str]]:
    """Return the rows of forts and piles of a wide table: piles beside a fort that is alone, else between."""
    if len(foes) == len(own) == 1 and len(piles) == 2:
        return [[*foes * 3, piles[0], piles[0]], [*own * 3, piles[1], piles[1]]]
    return [foes, piles, own]


def _arranged(wide: list[list[str]], narrow: list[list[str]], piles: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the areas of a wide table, and of a narrow one: but for the piles, one below another."""
    single = [part for row in narrow for part in ([row] if row == piles else [[name] for name in row])]
    return {"wide": _in_columns([row for row in wide if row]), "narrow": _in_columns(single)}


def _in_columns(rows: list[list[str]]) -> tuple[str, ...]:
    """Return rows of areas with as many columns each."""
    columns = lcm(*map(len, rows))
    return tuple(" ".join(name for name in row for _ in range(columns // len(row))) for row in rows)


def is_named(observation: State) -> bool:
    """Return whether a real card may be named now."""
    if observation.phase == Phase.TURN:
        return not (observation.attacked or (observation.built and observation.upgraded))
    return observation.phase in (Phase.WALLS, Phase.GIVE, Phase.EFFECT, Phase.REPLACE)
