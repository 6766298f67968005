"""Make random options, positions and games of Tower for the comparisons."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.tower.reference_moves import legal_moves
from tests.tower.reference_rules import Dice, play, run_on, start
from tests.tower.reference_table import (
    CHOICES,
    DAMAGED,
    DEFAULTS,
    GONE,
    JOKER,
    LEVELS,
    SUITS,
    Attack,
    Player,
    Position,
    complete,
    deck_of,
    full_options,
    position_faults,
    suit_of,
)


def random_options(rng: random.Random) -> dict[str, Any]:
    """Choose about half of the options anew, written as people write them."""
    options: dict[str, Any] = {}
    for key, values in CHOICES.items():
        if rng.random() < 0.5:
            value = rng.choice(values)
            options[key] = ("yes" if value else "no") if isinstance(DEFAULTS[key], bool) else value
    if rng.random() < 0.3:
        options["build_cap"] = rng.choice([1, 2, 5, 15])
    if rng.random() < 0.3:
        options["turn_cap"] = rng.choice([10, 25, 60])
    return options


def random_position(rng: random.Random, options: Mapping[str, Any], seats: int) -> Position:
    """Make a position in which much can happen: broken towers, attacks in flight, thin piles."""
    full = full_options(options, seats)
    while True:
        position = scattered(rng, full, seats)
        if not position_faults(position, full):
            position = run_on(position, full, Dice(rng))
            if position.phase != "over":
                return position


def scattered(rng: random.Random, full: Mapping[str, Any], seats: int) -> Position:
    cards = deck_of(full)
    rng.shuffle(cards)
    if seats > 2 and rng.random() < 0.15:
        return last_stand(rng, cards, seats)
    ruin = rng.choice([0.1, 0.4, 0.75])
    players = [random_player(rng, cards, full, ruin) for _ in range(seats)]
    position = Position(players, rng.randint(1, seats))
    builders = [seat for seat in position.seats if position.of(seat).tower is not None]
    for seat in builders if len(builders) > 1 else []:
        for _ in range(rng.choice([0, 1, 2])):
            card = cards.pop() if cards else ""
            if card:
                at = rng.choice([other for other in builders if other != seat])
                position.attacks.append(Attack(seat, at, card + rng.choice(SUITS) * (card == JOKER)))
    rng.shuffle(position.attacks)
    set_phase(rng, position, full, cards)
    cut = [rng.randint(0, len(cards)) for _ in range(2)]
    position.discard, position.rubble = cards[: min(cut)], cards[min(cut) : max(cut)]
    position.deck = cards[max(cut) :]
    if rng.random() < 0.4:  # a pile about to run out
        position.rubble += position.deck[2:]
        del position.deck[2:]
    return position


def last_stand(rng: random.Random, cards: list[str], seats: int) -> Position:
    """Make a position in which the attacks of a dead player can leave one seat alone (TWR-63)."""
    players = [Player([], dict.fromkeys(LEVELS, GONE), rng.randint(0, 9)) for _ in range(seats)]
    position = Position(players, 1, "arrival", deck=cards)
    dead, *others = rng.sample(list(position.seats), seats)
    position.to_move = dead
    for seat in others[:2]:
        player = position.of(seat)
        player.hand = [cards.pop() for _ in range(rng.randint(0, 3))]
        for level in rng.sample(list(LEVELS), rng.choice([1, 1, 2])):
            card = next(card for card in cards if suit_of(card) == LEVELS[level])
            cards.remove(card)
            player.tower = {**(player.tower or {}), level: card + DAMAGED * (rng.random() < 0.7)}
    for seat in [dead, dead, *rng.sample(list(position.seats), 2)]:
        at = rng.choice([other for other in others[:2] if other != seat])
        card = cards.pop()
        position.attacks.append(Attack(seat, at, card + rng.choice(SUITS) * (card == JOKER)))
    return position


def random_player(rng: random.Random, cards: list[str], full: Mapping[str, Any], ruin: float) -> Player:
    turns = rng.randint(0, min(20, full["turn_cap"] - 1))
    if rng.random() < 0.15:
        latest = min(full["build_cap"], full["turn_cap"]) - 1
        return Player([cards.pop() for _ in range(5)], None, rng.randint(0, latest))
    tower = dict.fromkeys(LEVELS, GONE)
    for level, suit in LEVELS.items():
        fitting = [card for card in cards if suit_of(card) == suit]
        if fitting and rng.random() > ruin * 0.7:
            cards.remove(fitting[0])
            tower[level] = fitting[0] + (DAMAGED if rng.random() < ruin else "")
    player = Player([], tower, turns)
    if not player.out:
        player.hand = [cards.pop() for _ in range(rng.randint(0, min(full["hand"] + 2, len(cards))))]
    return player


def set_phase(rng: random.Random, position: Position, full: Mapping[str, Any], cards: list[str]) -> None:
    """Choose a phase that the mover can be in."""
    mover = position.mover
    if mover.tower is None:
        position.phase = "exchange"
        if rng.random() < 0.4:
            position.phase = "source"
            position.spent = [mover.hand.pop()]
        elif complete(mover.hand) and rng.random() < 0.5:
            position.phase = "lay"
        return
    own = len(position.attacks_from(position.to_move))
    if mover.out or own > full["plays"] or rng.random() < 0.5:
        position.phase = "arrival"
        others = [seat for seat in position.seats if seat != position.to_move and position.attacks_from(seat)]
        if full["defence_window"] == "any_time" and others and mover.stands:
            position.phase, position.arriving = "defend", rng.choice(others)
            position.deflected = rng.choice([0, 0, 1])
        return
    position.phase = "battle"
    if own == 0 and rng.random() < 0.5:
        position.mended = position.plays_left < full["plays"] and rng.random() < 0.5
    position.plays_left = rng.randint(0, full["plays"] - own)
    spare = full["plays"] - own - position.plays_left
    if spare:
        position.deflected = rng.randint(0, spare)
        position.mended = position.deflected < spare and rng.random() < 0.5
    if rng.random() < 0.2 and cards:
        position.phase, position.deflected, position.mended, position.plays_left = "draw", 0, False, 0
        position.draws_left = rng.randint(0, max(0, min(3, mover.hand_limit(full) - len(mover.hand))))
        position.draws_must = rng.randint(0, position.draws_left)
        position.spent = [cards.pop()]


def own_trace(
    rng: random.Random, games: int, seats: int, options: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """Play random games with this implementation and write them as a trace."""
    full = full_options(options, seats)
    for number in range(games):
        yield from game_from(rng, start(full, seats, rng), full, number)


def game_from(
    rng: random.Random, position: Position, full: Mapping[str, Any], number: int, most: int | None = None
) -> Iterator[str]:
    """Play on at random to the end, or for so many plies, and write it as a trace."""
    ply = 0
    while position.phase != "over" and (most is None or ply < most):
        legal = legal_moves(position, full)
        move = rng.choice(legal)
        line = {"game_no": number, "ply": ply, "position": position.write(), "legal": legal, "move": move}
        if ply == 0:
            line = {"options": dict(full), "seats": len(position.players), **line}
        if ply == 0 and most is not None:
            line["start"] = "a position of its own"
        yield json.dumps(line)
        position, ply = play(position, full, move, Dice(rng)), ply + 1
    if position.phase == "over":
        winner = position.winner
        scores = [int(seat == winner) for seat in position.seats]
        result = {"winner": winner, "scores": scores}
        yield json.dumps({"game_no": number, "position": position.write(), "result": result})
