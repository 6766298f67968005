"""Derive the rules that a short game does not write: set-up, turns, determinization, the outcome."""

from __future__ import annotations

import types
from typing import Any

from bartizan.engine.actions import Block
from bartizan.engine.assembly import asking
from bartizan.engine.defaults.short import ShortGame, each_pile
from bartizan.engine.piles import insert_sorted, pop, push
from bartizan.engine.record import table
from bartizan.engine.rng import shuffle
from bartizan.engine.rule import rule
from bartizan.engine.table import CardZone, pass_turn, size_of, sort_pile


@rule
def resume(s: Any) -> None:
    """Do nothing: a loaded position waits for its player."""


@rule
def turn_of(s: Any) -> int:
    """Return the seat whose decision it is, 0 when the game is over."""
    return s.to_move if s.ended == 0 else 0


@rule
def rounds(s: Any) -> int:
    """Return the current or last round, from 1: every seat decides once in each."""
    return (s.ply if s.ended == 0 or s.ply == 0 else s.ply - 1) // s.seats + 1


@rule
def ended_by(s: Any) -> int:
    """Return the clause that ended the game, 0 while it runs."""
    return s.ended


@rule
def after_action(s: Any, verb: int) -> None:
    """Count the decision, and pass the turn."""
    s.ply += 1
    pass_turn(s)


def make_rules(game: ShortGame) -> types.ModuleType:
    """Return a module with every rule that the engine calls; the game's own rules come first."""
    module = types.ModuleType("defaults")
    own = vars(game.home)
    has_won = _has_won(game)
    given = {"turn_of": turn_of, "has_won": has_won, **own}
    parts: dict[str, Any] = {
        "resume": resume,
        "turn_of": turn_of,
        "rounds": rounds,
        "has_won": has_won,
        "ended_by": ended_by,
        "after_action": after_action,
        "setup": _setup(game),
        "determinize": _determinize(game),
        "returns": _returns(game, given["turn_of"], given["has_won"]),
    }
    for block in game.actions.blocks:
        if (listing := _listing(game, block)) is not None:
            parts[f"list_{block.name}"] = listing
    vars(module).update(parts)
    return module


def make_counting_rules(game: ShortGame, noted: str) -> types.ModuleType:
    """Return the set-up and what follows an action, as rules that take `noted` last."""
    module = types.ModuleType("counting_defaults")
    counting = game.made(f"after_action(s, verb, {noted})", ["after(s, verb)"], after=after_action)
    vars(module).update(setup=_setup(game, f", {noted}"), after_action=counting)
    return module


def _listing(game: ShortGame, block: Block) -> Any:
    """List a verb whose first field is a card by going through the hand only, since hands are small.

    This requires a field called ``card`` and a single, sorted hand.
    """
    hands = [zone for zone in game.zones if zone.sees == "owner" and zone.per_seat and not zone.places]
    if len(hands) != 1 or not hands[0].sort or next(iter(block.fields), "") != "card":
        return None
    lines = [
        f"held = s.{hands[0].name}[s.to_move - 1]",
        "last = -1",
        "for k in range(held.count):",
        "    card = held.cards[k]",
        "    if card == last:",
        "        continue",
        "    last = card",
    ]
    lines += [*asking(block, "why_not", " " * 4, given=1), "return n"]
    why_not = getattr(game.home, f"why_not_{block.name}")
    return game.made(f"list_{block.name}(s, out, n)", lines, why_not=why_not)


def _setup(game: ShortGame, more: str = "") -> Any:
    """Clear the table, shuffle the deck, and deal by the game's own ``deal``, which may take `more`."""
    lines = ["s.ply, s.to_move, s.phase, s.winner, s.ended = 0, 1, 0, 0, 0"]
    for what in game.fields.values():
        if isinstance(what, CardZone):
            loop, pile, _ = each_pile(what)
            lines += [loop, f"    {pile}.count = 0"]
        elif game.state._specs[what.name].shape:
            lines += [f"for i in range({size_of(what)}):", f"    s.{what.name}[i] = 0"]
        else:
            lines.append(f"s.{what.name} = 0")
    names: dict[str, Any] = {"push": push, "shuffle": shuffle}
    if game.stock is not None and game.deck is not None:
        stock = f"s.{game.stock.name}"
        lines += [f"for card in range({game.deck.kinds}):"]
        lines += [f"    push({stock}, card)"] * game.deck.copies
        lines.append(f"shuffle(s, {stock})")
    if (deal := getattr(game.home, "deal", None)) is not None:
        lines.append(f"deal(s{more})")
        names["deal"] = deal
    return game.made(f"setup(s{more})", lines, **names)


def _determinize(game: ShortGame) -> Any:
    """Pool what a seat doesn't see, sort it so that nothing is left of its order, and deal it back."""
    stock = game.stock
    others = [zone for zone in game.zones if zone.is_hidden and zone is not stock]
    if stock is None:
        return game.made("determinize(s, seat)", [])
    lines = []
    for zone in others:
        loop, pile, index = each_pile(zone)
        lines += [loop, f"    if {_is_unseen(zone, index)}:", f"        for k in range({pile}.count):"]
        lines += [f"            push(s.{stock.name}, {pile}.cards[k])"]
    lines += [f"sort_pile(s.{stock.name})", f"shuffle(s, s.{stock.name})"]
    for zone in others:
        loop, pile, index = each_pile(zone)
        put = "insert_sorted" if zone.sort else "push"
        lines += [loop, f"    if {_is_unseen(zone, index)}:"]
        lines += [
            f"        held = {pile}.count",
            f"        {pile}.count = 0",
            "        for k in range(held):",
        ]
        lines += [f"            {put}({pile}, pop(s.{stock.name}))"]
    names = {"push": push, "pop": pop, "insert_sorted": insert_sorted, "sort_pile": sort_pile}
    return game.made("determinize(s, seat)", lines, shuffle=shuffle, **names)


def _is_unseen(zone: CardZone, index: str) -> str:
    """Return the condition, in generated code, under which `seat` does not see a pile's cards."""
    if zone.sees == "nobody":
        return "True"
    return f"{index} // {max(1, zone.places)} + 1 != seat"


def _has_won(game: ShortGame) -> Any:
    """Say whether a seat has won: it or a teammate is the winner."""
    lines = ["return s.ended != 0 and s.winner != 0 and TEAM[s.winner - 1] == TEAM[seat - 1]"]
    return game.made("has_won(s, seat)", lines, TEAM=table(game.teams))


def _returns(game: ShortGame, turn: Any, won: Any) -> Any:
    """Return 1 for a single winner or team, less for a shared victory, -1 for the others, 0 for a tie."""
    lines = [
        "if turn_of(s) != 0:",
        "    return 0.0",
        "winners = 0",
        "for other in range(s.seats):",
        "    if TEAM[other] == other + 1 and has_won(s, other + 1):",
        "        winners += 1",
        "if winners == 0:",
        "    return 0.0 if s.seats > 1 else -1.0",
        "return 2.0 / winners - 1.0 if has_won(s, seat) else -1.0",
    ]
    return game.made("returns(s, seat)", lines, turn_of=turn, has_won=won, TEAM=table(game.teams))
