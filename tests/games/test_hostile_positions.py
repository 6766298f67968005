"""Load positions that somebody has spoilt, in every game: they are refused, or can be played on.

Compiled rules check no index, so a position that no game can reach may write over memory.  The
interpreted record checks each index and each range: here it loads spoilt positions and plays on.
"""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError
from bartizan.engine.game import Game
from bartizan.engine.record import I32, cells_type
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.match import Match
from tests.corpus import sample
from tests.games.tables import GAMES, played

pytestmark = pytest.mark.parametrize("name", GAMES)

GAMES_PLAYED = sample(6, 12)
LONGEST = 80  # plies of them
SPOILT = sample(24, 160)  # positions of each
PLIES = 12  # played from one that is accepted
# What any value may be replaced by; texts and numbers of the position itself come on top.
STRANGE: tuple[Any, ...] = (
    *(-1, 0, 1, 2, 3, 7, 40, 200, 70_000, 10**30, 1.5, math.nan, True, False, None),
    *("", "-", "?", "~?", "none", "1", "7", "W", "*", "é", "draw"),
    *([], {}, [[]], [0], [-1], ["?"], ["-"], {"": 0}),
)  # fmt: skip


def written(name: str) -> Iterator[tuple[Match, list[dict[str, Any]]]]:
    """Yield played games, each with some of its positions, of as many phases as came up."""
    for number in range(GAMES_PLAYED):
        dice = random.Random(f"{name}/{number}/hostile")
        by_phase: dict[str, list[dict[str, Any]]] = {}
        for match in played(name, number):
            position = match.position()
            by_phase.setdefault(str(position.get("phase")), []).append(position)
            if match.ply >= LONGEST:
                break
        yield match, [dice.choice(found) for found in by_phase.values() for _ in range(3)]


# --- Spoiling ----------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a written position as its holder, a table or a list, and its key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def spoil(given: dict[str, Any], other: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a position with up to three things changed; `other` is one of the same game, at another ply."""
    spoilt = copy.deepcopy(given)
    for _ in range(dice.choice([1, 1, 2, 3])):
        differing = [
            key for key in other if other[key] != given.get(key) and not isinstance(other[key], dict)
        ]
        if differing and dice.random() < 0.6:  # each part could be right, only not beside the others
            key = dice.choice(differing)
            spoilt[key] = copy.deepcopy(other[key])
            continue
        every = list(places(spoilt))
        if every:
            spoil_one(*dice.choice(every), spoilt, dice)
    return spoilt


def spoil_one(holder: Any, key: Any, spoilt: dict[str, Any], dice: random.Random) -> None:
    """Change one thing: leave it out, double it, or put something else there."""
    value = holder[key]
    way = dice.choice(["drop", "double", "strange", "alike", "alike", "near", "many"])
    if way == "drop":
        del holder[key]
    elif way == "double" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way == "alike":
        found = [inside[at] for inside, at in places(spoilt) if type(inside[at]) is type(value)]
        holder[key] = copy.deepcopy(dice.choice(found))
    elif way == "near" and type(value) is bool:
        holder[key] = not value
    elif way == "near" and type(value) is int:
        holder[key] = value + dice.choice([-1, 1])
    elif way == "many" and isinstance(value, list) and value:
        holder[key] = copy.deepcopy(value) * dice.choice([2, 3, 100])
    else:
        holder[key] = copy.deepcopy(dice.choice(STRANGE))


# --- Playing on --------------------------------------------------------------


def legal_actions(game: Game, record: Any) -> list[int]:
    """Return the legal actions; a list that overflows is an `IndexError`."""
    out = cells_type(I32)([0] * game.max_legal)
    number = interpreted(game.rules).legal_actions(record, out)
    return [out[place] for place in range(number)]


def play_on(game: Game, record: Any, options: Any, seats: int, dice: random.Random) -> None:
    """Play random legal actions in the record; what comes of them is written, and can be loaded again."""
    rules = interpreted(game.rules)
    record.rng = stream("hostile", dice.getrandbits(32))
    rules.resume(record)
    for _ in range(PLIES):
        game.positions.write(record)
        if rules.turn_of(record) == 0:
            return
        legal = legal_actions(game, record)
        assert legal, "nobody can move, and the game is not over"
        action = dice.choice(legal)
        assert rules.why_not(record, action) == 0, f"action {action} is listed and refused"
        assert game.vocabulary.print_move(record, action)
        rules.apply(record, action)
    game.positions.read(game.positions.write(record), options, seats, "1")


def trouble(game: Game, given: dict[str, Any], options: Any, seats: int, number: int) -> str:
    """Load a position and play on; say what went wrong, or nothing."""
    try:
        record = game.positions.read(given, options, seats, "1")
    except BartizanError:
        return ""
    except Exception as error:  # noqa: BLE001 (whatever it is, it is a fault)
        return f"loading raised {error!r}"
    try:
        play_on(game, record, options, seats, random.Random(number))
    except Exception as error:  # noqa: BLE001 (above all what `Cells` raises)
        return f"playing on raised {error!r}"
    return ""


def test_a_spoilt_position_is_refused_or_can_be_played_on(name: str) -> None:
    game = registry.get(name)
    dice = random.Random(name)
    troubles: Counter[str] = Counter()
    for match, every in written(name):
        options = game.read_options(match.options, match.seats)
        for number in range(SPOILT):
            given = dice.choice(every)
            spoilt = spoil(given, dice.choice(every), dice)
            found = trouble(game, spoilt, options, match.seats, number)
            if found:
                changed = {key: value for key, value in spoilt.items() if given.get(key) != value}
                troubles[f"{found}: {changed!r:.300} with phase {spoilt.get('phase')!r}"] += 1
    assert not troubles, f"{troubles.total()} positions:\n" + "\n".join(list(troubles)[:12])
