"""Make random options, positions and games of Card Barrage for the comparisons."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tests.card_barrage.reference_board import (
    CHOICES,
    NOTHING,
    SUITED,
    UNTOLD,
    WILD,
    Place,
    Player,
    Position,
    Table,
    fresh,
    full_options,
    value_of,
)
from tests.card_barrage.reference_moves import write_target
from tests.card_barrage.reference_rules import Shuffle, legal_moves, play, start


def shuffling(rng: random.Random) -> Shuffle:
    return lambda side, cards: rng.sample(cards, len(cards))


def random_options(rng: random.Random) -> dict[str, Any]:
    """Choose about half of the options anew, written as people write them."""
    options: dict[str, Any] = {
        key: rng.choice(values) for key, values in CHOICES.items() if rng.random() < 0.5
    }
    for key in ("castle_trigger_wins", "upgrade_must_be_higher"):
        if rng.random() < 0.4:
            options[key] = rng.choice([True, False])
    if options.get("companion", "off") != "off":  # cards are thrown at one table only
        options.pop("throws", None)
    numbers = {
        "decks": [1, 2, 3, 4],
        "target": [1, 3, 5, 8, 15],
        "solo_hit_below": [2, 6, 9, 12, 14],
        "hand_limit": [4, 5, 6, 7],
        "turn_cap": [1, 2, 5, 10, 20],
    }
    return options | {key: rng.choice(values) for key, values in numbers.items() if rng.random() < 0.4}


def random_position(rng: random.Random, table: Table) -> Position:
    """Make a turn in which much can happen: broken walls, few cards, high scores."""
    cards = rng.sample(SUITED * table.decks, 52 * table.decks)
    hidden = [UNTOLD] * 52 * table.decks if table.untold else cards
    now = Position(table, [])
    castles = [WILD] * table.wild_castles
    while len(castles) < table.seats:
        one = next(card for card in cards if value_of(card) == 1)
        cards.remove(one)
        castles.append(UNTOLD if table.untold else one)
    for seat, castle in enumerate(castles, 1):
        broken = rng.choice([0.1, 0.4, 0.8, 1])
        walls = [NOTHING if rng.random() < broken else cards.pop() for _ in range(table.walls)]
        hand = [] if table.is_simulacrum(seat) else [hidden.pop() for _ in range(rng.choice([0, 1, 2, 3, 4]))]
        player = Player(hand=hand, walls=walls, castle=castle)
        player.moved = {slot for slot in player.standing() if rng.random() < 0.3}
        if table.options["perfect_slot"] == "lost":
            player.lost = {slot for slot in player.empty() if rng.random() < 0.4}
        now.players.append(player)
    scorers = {table.scorer(seat) for seat in range(1, table.seats + 1)}
    for seat in scorers:
        count = rng.choice([0, 1, 2, 2, 3, 5])
        now.at(seat).pile = [cards.pop() for _ in range(min(count, len(cards)))]
        now.at(seat).points = min(count + rng.choice([0, 0, 2]), max(0, table.options["target"] - 1))
        now.at(seat).points = max(now.at(seat).points, len(now.at(seat).pile))
    for side in range(1, table.sides + 1):
        for pile in (now.at(side).deck, now.at(side).discard):
            pile += [hidden.pop() for _ in range(min(len(hidden), len(cards), rng.choice([0, 0, 1, 2, 4])))]
    if table.untold:
        hidden = [UNTOLD] * (52 * table.decks - len([card for card in now.cards() if card != WILD]))
    now.aside = [*hidden, *[WILD] * (2 * table.decks - table.wild_castles)]
    begin_somewhere(rng, now)
    return now


def begin_somewhere(rng: random.Random, now: Position) -> None:
    """Choose whose turn it is, and how far it is."""
    table = now.table
    now.first, now.active = rng.randint(1, table.seats), rng.randint(1, table.seats)
    now.round = rng.randint(1, table.options["turn_cap"])
    now.ending = rng.random() < 0.2
    storms = table.options["castle_trigger_wins"] and table.options["castle_trigger"] != "off"
    if now.ending and storms and rng.random() < 0.5:
        now.stormed = {rng.randint(1, table.sides)}
    now.to_move = now.active
    if table.is_simulacrum(now.active):
        now.phase, now.to_move = "reveal", 1
        return
    now.built, now.upgraded = rng.random() < 0.1, rng.random() < 0.1
    now.attacked = rng.random() < 0.05 and not now.built


def random_report(rng: random.Random, now: Position) -> str:
    """Write a report that is legal, but not of those listed where that is possible."""
    targets: list[Place] = []
    for seat in now.table.enemies(now.active):
        targets += [(seat, slot) for slot in [*now.at(seat).standing(), 0]]
    chosen = rng.sample(targets, rng.choice([0, 1, 2, 2, 2]) if len(targets) > 1 else 1)
    hits = {place: place[1] > 0 and rng.random() < 0.5 for place in chosen}
    others = [place for place in targets if place[1] and place not in chosen]
    moved = rng.sample(others, min(len(others), rng.choice([0, 1, 2])))
    return write_report(rng.choice(now.at(now.active).hand), hits, moved)


def write_report(card: str, targets: Mapping[Place, bool], moved: list[Place]) -> str:
    """Write a report in canonical form: by seat and slot, the castle last."""
    words = [f"report {card} {'hit' if targets else 'miss'}"]
    for place in sorted(targets, key=lambda place: (place[0], place[1] or 99)):
        words += [write_target(place), *(["perfect"] if targets[place] else [])]
    words += ["moved", *(write_target(place) for place in sorted(moved))] if moved else []
    return " ".join(words)


def random_move(rng: random.Random, now: Position) -> str:
    """Choose a legal move with an even hand for the kinds of move, unlisted reports among them."""
    legal = legal_moves(now)
    kind = rng.choice(sorted({move.split()[0] for move in legal}))
    if kind == "report" and rng.random() < 0.5:
        return random_report(rng, now)
    return rng.choice([move for move in legal if move.split()[0] == kind])


def own_trace(
    rng: random.Random, games: int, options: Mapping[str, Any] | None = None, people: int = 2
) -> Iterator[str]:
    """Play random games with this implementation and write them as a trace."""
    table, shuffle = Table(people, full_options(options)), shuffling(rng)
    for game in range(games):
        now, ply = start(fresh(table, rng), shuffle), 0
        while now.phase != "over":
            move = random_move(rng, now)
            line = {"game_no": game, "ply": ply, "position": now.write(), "legal": legal_moves(now)}
            head = {"options": table.options, "seats": people} if ply == 0 else {}
            yield json.dumps({**head, **line, "move": move})
            now, ply = play(now, move, shuffle), ply + 1
        scores = [1 if seat in now.winner else -1 for seat in range(1, table.seats + 1)]
        result = {"winner": now.spoken_winner(), "returns": scores}
        yield json.dumps({"game_no": game, "position": now.write(), "result": result})


def checked(now: Position) -> None:
    """Assert what holds between any two moves."""
    table = now.table
    if table.untold:
        assert len(now.cards()) == len(table.cards)
        named = Counter(card for card in now.cards() if card != UNTOLD)
        assert named <= Counter(table.cards)
    else:
        assert Counter(now.cards()) == Counter(table.cards)
    for seat, player in enumerate(now.players, 1):
        assert len(player.walls) == table.walls
        assert player.moved <= set(player.standing())
        assert player.lost <= set(player.empty())
        assert len(player.pile) <= player.points or table.options["castle_hit_empty"] != "point"
        assert not (table.is_simulacrum(seat) and player.hand)
        for key in ("deck", "discard", "pile"):
            assert table.starts_pile(key, seat) or not getattr(player, key)
    assert (now.phase == "turn") <= (not now.gives and not now.scored and not now.open)
    assert not (now.built and now.attacked)
