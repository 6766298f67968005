"""Show programs the options of their table: groups of numbers that follow those of a game's observation.

    option                  numbers
    true or false           1 or 0
    one of some values      one number for each value: 1 for the chosen one, 0 for the others
    a whole number          how far it is above its least value, in base 128, most significant digit first:
                            a single number if the range has at most 128 values
    a text such as ``9x7``  the whole numbers in it, 0 for those that it lacks

Different values therefore have different numbers, which fit int8. Divide by a group's bound for 0 to 1.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import Game, GameState
from bartizan.engine.observation import MOST, Group, ObservationLayout, group
from bartizan.engine.options import OptionSpec

PREFIX = "options."  # begins the names of these groups
BASE = MOST + 1


def observed_layout(game: Game, observe_options: bool) -> ObservationLayout:
    """Return the groups of a game's observation, followed by its options if `observe_options`."""
    own: ObservationLayout = game.observer.OBSERVATION
    if not observe_options:
        return own
    return ObservationLayout(**{each.name: each for each in own}, **option_groups(game))


def option_groups(game: Game) -> dict[str, Group]:
    """Return a group for each option of a game, in their order."""
    return {PREFIX + spec.key: _group(spec) for spec in _specs(game)}


def option_numbers(game: Game, game_state: GameState) -> NDArray[np.int8]:
    """Return the numbers of a table's options, for all groups one after the other."""
    specs, view = _specs(game), game_state.view()
    numbers = [each for spec in specs for each in _numbers(spec, attrgetter(spec.key)(view.options))]
    return np.array(numbers, np.int8)


def _specs(game: Game) -> tuple[OptionSpec, ...]:
    """Return the options that states hold: all of them, or none."""
    return game.options if "options" in game.state._specs else ()


def _range(spec: OptionSpec) -> tuple[int, int]:
    """Return the least and greatest number of an option that is a whole number, once it is settled."""
    return cast(int, spec.low), cast(int, spec.high)


def _digits(number: int, count: int) -> list[int]:
    return [number // BASE**place % BASE for place in reversed(range(count))]


def _texts(spec: OptionSpec) -> int:
    """Return how many whole numbers a text has at most, as its examples show."""
    return max(1, *(len(re.findall(r"\d+", str(value))) for value in (spec.default, *spec.values)))


def _group(spec: OptionSpec) -> Group:
    if spec.kind == "bool":
        return group(1, meaning=spec.sentence)
    if spec.kind == "choice":
        return group(len(spec.values), meaning=f"{', '.join(map(str, spec.values))}: {spec.sentence}")
    if spec.kind == "text":
        return group(_texts(spec), high=MOST, meaning=f"the numbers in the text: {spec.sentence}")
    low, high = _range(spec)
    count = next(places for places in range(1, 9) if high - low < BASE**places)
    least = f"above {low}: " if low else ""
    digits = "" if count == 1 else f"in base {BASE}: " if not low else f"in base {BASE}, "
    return group(count, high=min(high - low, MOST), meaning=f"{digits}{least}{spec.sentence}")


def _numbers(spec: OptionSpec, number: int) -> list[int]:
    if spec.kind == "bool":
        return [int(number)]
    if spec.kind == "choice":
        return [int(number == each) for each in range(len(spec.values))]
    if spec.kind == "text":
        found = [min(int(each), MOST) for each in re.findall(r"\d+", str(spec.write(number)))]
        return [*found, *[0] * _texts(spec)][: _texts(spec)]
    return _digits(int(number) - _range(spec)[0], _group(spec).size)
