"""Make random options, positions and games of Card-cassonne for the comparisons."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tests.card_cassonne.reference_board import (
    CHOICES,
    DECK,
    STARTER,
    Cell,
    Player,
    Position,
    full_options,
    neighbours,
    position_faults,
    read_position,
)
from tests.card_cassonne.reference_rules import (
    area_of,
    areas,
    is_complete,
    last_scored,
    legal_moves,
    play,
    run_on,
    tokens_in,
)

BOARDS = ("3x3", "3x4", "4x3", "5x5", "6x5", "8x7")


def random_options(rng: random.Random, seats: int, short: bool = False) -> dict[str, Any]:
    """Choose about half of the options anew, written as people write them; `short` makes short games."""
    options: dict[str, Any] = {}
    for key, values in CHOICES.items():
        if rng.random() < 0.5:
            options[key] = rng.choice(values)
    for key in ("final_partial_scoring", "token_before_score"):
        if rng.random() < 0.4:
            options[key] = rng.choice([True, False])
    if rng.random() < 0.4:
        options["tokens"] = rng.choice([1, 2, 3, 20])
    if rng.random() < 0.4:
        options["complete_bonus"] = rng.randint(0, 5)
    if rng.random() < 0.3:
        options["hand"] = rng.choice([1, 2])
    if short or rng.random() < 0.4:
        each = rng.randint(5, 12) if short else rng.randint(5, 102 // seats)
        options["removed"] = len(DECK) - 1 - each * seats
    if rng.random() < 0.3:
        options["board"] = rng.choice(BOARDS)
    return options


def random_position(rng: random.Random, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Make a position in which much can happen: clumps of few suits, many tokens, short decks."""
    full = full_options(options)
    while True:
        position = scattered(rng, full, seats)
        written = position.write() | {"aside": sorted(position.aside)}
        if not position_faults(written, full, seats) and run_on(position, full).phase != "over":
            return written


def scattered(rng: random.Random, full: Mapping[str, Any], seats: int) -> Position:
    cards = rng.sample(DECK, len(DECK))
    board: dict[Cell, str] = {STARTER: cards.pop()}
    sticky = rng.choice([0.3, 0.7, 0.9])
    for _ in range(rng.randint(3, 40)):
        grow(rng, full, board, cards, sticky)
    now = Position(board, [Player([], full["tokens"], rng.randint(0, 60)) for _ in range(seats)])
    now.to_move, now.first = rng.randint(1, seats), rng.randint(1, seats)
    now.phase = rng.choice(["play", "play", "play", "token", "score"])
    give_tokens(rng, full, now)
    for seat, player in enumerate(now.players, 1):
        playing = seat == now.to_move and now.phase != "play"
        for _ in range(rng.choice([full["hand"], full["hand"], 1]) - playing):
            player.hand.append(cards.pop())
    length = rng.choice([0, 1, 2, 5, len(cards)])
    if full["end"] == "deck_empty_round" and now.to_move == now.first:
        length = max(length, 1)
    now.deck, now.aside = cards[:length], cards[length:]
    if now.phase != "play":
        now.last = rng.choice(list(board))
    if full["rescore_growth"] == "must_have_grown_by_2":
        for area in areas(now, full):
            if rng.random() < 0.6 and not is_complete(now, full, area):
                now.scored[min(area)] = max(1, len(area) - rng.randint(0, 3))
    return now


def grow(
    rng: random.Random, full: Mapping[str, Any], board: dict[Cell, str], cards: list[str], sticky: float
) -> None:
    """Lay a card beside another, often one of its suit."""
    beside = rng.choice(list(board))
    free = [cell for cell in neighbours(full, beside) if cell not in board]
    if not free:
        return
    cell = rng.choice(free)
    alike = [card for card in cards if card[1] == board[beside][1]]
    card = rng.choice(alike) if alike and rng.random() < sticky else rng.choice(cards)
    cards.remove(card)
    board[cell] = card


def give_tokens(rng: random.Random, full: Mapping[str, Any], now: Position) -> None:
    """Lay tokens down, not on complete areas where those have been scored by now."""
    for cell in rng.sample(list(now.board), rng.randint(0, len(now.board) // 2)):
        owner = rng.randint(1, now.seats)
        complete = is_complete(now, full, area_of(now, full, cell))
        if now.players[owner - 1].supply and not (
            complete and (full["token_before_score"] or now.phase != "play")
        ):
            now.tokens[cell] = owner
            now.players[owner - 1].supply -= 1


def own_trace(
    rng: random.Random, games: int, options: Mapping[str, Any] | None = None, seats: int = 2
) -> Iterator[str]:
    """Play random games with this implementation and write them as a trace."""
    full = full_options(options)
    for game in range(games):
        now, ply = read_position({}, full, seats, rng), 0
        while now.phase != "over":
            legal = legal_moves(now, full)
            move = rng.choice(legal)
            line = {"game_no": game, "ply": ply, "position": now.write(), "legal": legal, "move": move}
            yield json.dumps({"options": full, "seats": seats, **line} if ply == 0 else line)
            now, ply = play(now, full, move), ply + 1
        scores = [player.score for player in now.players]
        result = {"winner": str(now.write()["winner"]), "scores": scores}
        yield json.dumps({"game_no": game, "position": now.write(), "result": result})


def checked(now: Position, options: Mapping[str, Any]) -> None:
    """Assert what holds between any two moves."""
    assert Counter(now.cards()) == Counter(DECK)
    for seat, player in enumerate(now.players, 1):
        assert player.supply + list(now.tokens.values()).count(seat) == options["tokens"]
    for area in areas(now, options):
        assert last_scored(now, area) <= len(area)
        if is_complete(now, options, area) and options["token_before_score"] and now.phase != "token":
            assert not tokens_in(now, area)
