"""Make tables of any game for the tests: random options, random play, random positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bartizan.engine import registry
from bartizan.engine.game import Game, GameState
from bartizan.engine.options import OptionSpec, Written
from bartizan.engine.record import Array
from bartizan.engine.rng import stream
from bartizan.lab.simulate import simulate
from bartizan.match import Match
from tests.corpus import line_of, sample

GAMES = registry.names()


def random_value(spec: OptionSpec, dice: random.Random) -> Written:
    """Return some value of an option; small figures come up as often as the whole range."""
    if spec.kind == "bool":
        return dice.random() < 0.5
    if spec.kind in ("choice", "text"):
        return dice.choice(spec.values)
    assert spec.kind == "int"
    assert spec.low is not None
    assert spec.high is not None
    near = dice.randint(spec.low, min(spec.low + 8, spec.high))
    return dice.choice([spec.low, spec.high, near, dice.randint(spec.low, spec.high), spec.default])


def random_options(game: Game, dice: random.Random, seats: int) -> dict[str, object]:
    """Return a choice of options: each is left out, at its default or anything else."""
    for _ in range(100):
        chosen = [spec for spec in game.options if dice.random() < 0.5]
        given: dict[str, object] = {spec.key: random_value(spec, dice) for spec in chosen}
        if game.option_set.goes_together(given, seats):
            return given
    raise AssertionError(f"{game.title} takes hardly any options")


def seat_counts(game: Game) -> range:
    """Return every number of seats that the game allows."""
    return range(game.min_seats, game.max_seats + 1)


def dealt(name: str, number: int) -> tuple[Match, random.Random]:
    """Return the table `number` of a game, dealt with random options, and dice to go on with."""
    game = registry.get(name)
    dice = random.Random(f"{name}/{number}")
    counts = seat_counts(game)
    seats = counts[number % len(counts)]  # every number of seats comes up
    seed = f"{stream('5eed', name, number):x}"
    return Match(game, random_options(game, dice, seats), seats, seed), dice


def played(name: str, number: int) -> Iterator[Match]:
    """Yield a table at each ply to its end, as the corpus has it, whatever was done to it meanwhile."""
    match, _ = dealt(name, number)
    yield match
    line = line_of(name, number)
    for ply, move in enumerate(line):
        if match.last_ply != ply or match.moves != [each.text for each in line[:ply]]:
            match, _ = dealt(name, number)
            for each in line[:ply]:
                match.push(each)
        match.push(move)
        yield match


def every_ply(name: str, games: int, plies: int | None = None) -> Iterator[Match]:
    """Yield tables of some games at each ply, fewer games where they are long: about `plies` in all."""
    plies = sample(400, 1_000) if plies is None else plies
    for number in range(games):
        for match in played(name, number):
            plies -= 1
            yield match
        if plies <= 0:
            return


def positions(
    name: str, games: int, chance: float, first: int = 0, most: int | None = None
) -> Iterator[tuple[Match, random.Random]]:
    """Yield tables of some games at randomly chosen plies, up to `most` in all, and dice to go on with."""
    left = sample(60, 160) if most is None else most
    for number in range(first, first + games):
        dice = random.Random(f"{name}/{number}/positions")
        for match in played(name, number):
            share = chance if match.ply < 30 or match.is_over else chance / 10
            if dice.random() < share:
                left -= 1
                yield match, dice
            if left == 0:
                return


def finished(name: str, number: int) -> Match:
    """Return a table whose game has been played to its end."""
    *_, last = played(name, number)
    return last


def legal_of(game: Game, game_state: GameState) -> list[int]:
    """Return the legal actions of a state that lies on no table."""
    out = np.zeros(game.max_legal, np.int32)
    return [int(action) for action in out[: game.array_rules.legal_actions(game_state.cells, out)]]


def some_ids(game: Game, dice: random.Random, most: int) -> list[int]:
    """Return up to so many different ids of a game's actions, legal or not; a game may have only a few."""
    size = game.actions.size
    return dice.sample(range(size), min(size, most))


def live_of(match: Match, array: Array | None = None) -> GameState:
    """Return a state in the form on which rules run: the table's present one, or one given as an array."""
    game_state = match.game_state()
    if array is not None:
        game_state.load(array.tobytes())
    return game_state


def hides_by_swaps(match: Match) -> bool:
    """Say whether hiding exchanges cards, so that what comes of it depends on how they lay."""
    return match.game.name == "card-cassonne" and match.options["board"] != "unbounded"


def digests(name: str, games: int) -> list[str]:
    """Return the state's hash after every ply of some games, as this process plays them."""
    return [match.digest() for number in range(games) for match in played(name, number)]


def simulated(name: str) -> str:
    """Return what a small batch of games came to, without the time that it took."""
    report = simulate(name, 8, ["greedy"] * registry.get(name).min_seats, "abc")
    return repr((report.wins, report.draws, report.unfinished, report.plies, report.rounds))


def only_plain_numbers(name: str) -> None:
    """Make interpreted rules refuse NumPy's integers, which overflow where Python's do not."""
    game = registry.get(name)

    def checked(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(s: Any, action: int) -> Any:
            assert type(action) is int, f"{function.__name__} got {type(action)}"
            return function(s, action)

        return call

    game.rules.apply = checked(game.rules.apply)  # type: ignore[attr-defined]
    game.rules.why_not = checked(game.rules.why_not)  # type: ignore[attr-defined]
    game.heuristics.action_score = checked(game.heuristics.action_score)
