"""Derive what programs observe: every zone, board and number, with seats counted from the observer."""

from __future__ import annotations

import types
from typing import Any

from bartizan.engine.defaults.short import ShortGame, each_pile
from bartizan.engine.observation import (
    Group,
    ObservationLayout,
    TokenLayout,
    group,
    put_cards,
    put_figure,
    put_verb,
)
from bartizan.engine.table import CardZone, Counter, Grid


def make_observer(game: ShortGame) -> types.ModuleType:
    """Return a module with ``OBSERVATION``, ``observe``, ``TOKENS`` and ``tokens``."""
    module = types.ModuleType("observe")
    groups: dict[str, Group] = {}
    lines = ["own = seat - 1 if seat > 0 else 0"]
    for what in game.fields.values():
        if isinstance(what, CardZone):
            lines += _zone(game, what, groups)
        elif isinstance(what, Grid):
            lines += _grid(what, groups)
        else:
            lines += _counter(game, what, groups)
    groups["phase"] = group(len(game.phases), meaning=f"the phase: {', '.join(game.phases)}")
    lines.append("out[FIRST_phase + s.phase] = 1")
    groups["to_move"] = group(game.max_seats, meaning="who decides, the observer first")
    lines += ["if s.ended == 0:", "    out[FIRST_to_move + (s.to_move - 1 - own + s.seats) % s.seats] = 1"]
    layout = ObservationLayout(**groups)
    firsts = {f"FIRST_{name}": layout.first(name) for name in layout.names}
    tokens, told = _tokens(game)
    vars(module).update(
        {
            "OBSERVATION": layout,
            "TOKENS": tokens,
            "tokens": told,
            "observe": game.made(
                "observe(s, seat, out)", lines, put_cards=put_cards, put_figure=put_figure, **firsts
            ),
        }
    )
    return module


def _zone(game: ShortGame, zone: CardZone, groups: dict[str, Group]) -> list[str]:
    kinds = game.deck.kinds if game.deck else 1
    seats, places = max(1, zone.per_seat), max(1, zone.places)
    lines: list[str] = []
    if zone.sees == "owner":
        groups[zone.name] = group(places, kinds, high=127, private=True, meaning=f"own {zone.label}, by card")
        lines += ["if seat > 0:", f"    for j in range({places}):"]
        lines += [f"        p = s.{zone.name}[own * {places} + j]"]
        lines += [f"        put_cards(out, FIRST_{zone.name} + j * {kinds}, {kinds}, p.cards, p.count)"]
    if zone.sees == "all":
        meaning = f"{zone.label}, by card" + (", the observer's first" if zone.per_seat else "")
        groups[zone.name] = group(seats, places, kinds, high=127, meaning=meaning)
        loop, pile, index = each_pile(zone)
        lines += [loop, f"    at = {_relative(zone, index)}"]
        lines += [
            f"    put_cards(out, FIRST_{zone.name} + at * {kinds}, {kinds}, {pile}.cards, {pile}.count)"
        ]
    if zone.is_hidden:
        count = f"{zone.name}_count"
        groups[count] = group(seats, places, high=127, meaning=f"how many cards: {zone.label}")
        loop, pile, index = each_pile(zone)
        lines += [loop, f"    put_figure(out, FIRST_{count} + {_relative(zone, index)}, {pile}.count)"]
    return lines


def _relative(what: CardZone | Counter, index: str) -> str:
    """Return, in generated code, the index of a pile or number, with seats counted from the observer."""
    if not what.per_seat:
        return index
    places = max(1, what.places)
    return f"({index} // {places} - own + s.seats) % s.seats * {places} + {index} % {places}"


def _grid(grid: Grid, groups: dict[str, Group]) -> list[str]:
    owned = len(grid.pieces) * grid.seats
    meaning = f"{grid.label}: {', '.join(grid.pieces)} of each seat, the observer first"
    if grid.neutral:
        meaning += f"; {', '.join(grid.neutral)}"
    groups[grid.name] = group(grid.most, grid.rows, grid.columns, meaning=meaning)
    return [
        f"for i in range({grid.squares}):",
        f"    piece = s.{grid.name}[i] - 1",
        f"    if 0 <= piece < {owned}:",
        f"        seen = (piece % {grid.seats} - own + {grid.seats}) % {grid.seats}",
        f"        piece = piece // {grid.seats} * {grid.seats} + seen",
        "    if piece >= 0:",
        f"        out[FIRST_{grid.name} + piece * {grid.squares} + i] = 1",
    ]


def _counter(game: ShortGame, counter: Counter, groups: dict[str, Group]) -> list[str]:
    name, length = counter.name, max(1, counter.length)
    if counter.is_seat:
        groups[name] = group(game.max_seats, length, meaning=f"{counter.label}, the observer first")
        return [
            f"for i in range({length}):",
            f"    if s.{name}[i] > 0:",
            f"        at = (s.{name}[i] - 1 - own + s.seats) % s.seats",
            f"        out[FIRST_{name} + at * {length} + i] = 1",
        ]
    groups[name] = group(length, low=-127, high=127, meaning=counter.label)
    if not counter.length:
        return [f"put_figure(out, FIRST_{name}, s.{name})"]
    return [
        f"for i in range({length}):",
        f"    put_figure(out, FIRST_{name} + {_relative(counter, 'i')}, s.{name}[i])",
    ]


def _tokens(game: ShortGame) -> tuple[TokenLayout, Any]:
    """Return the layout of tokens, with a family for each field of verbs, and the rule that writes them."""
    families: dict[str, int] = {}
    for block in game.actions.blocks:
        for field, radix in block.fields.items():
            families[field] = max(radix, families.get(field, 0))
    width = 1 + max(len(block.fields) for block in game.actions.blocks)
    layout = TokenLayout(width=width, verb=len(game.actions.blocks), **families)
    by_verb = {}
    for block in game.actions.blocks:
        arguments = ", ".join(["s", *block.fields, "out"])
        lines = [f"out[{at}] = {layout.first(field)} + {field}" for at, field in enumerate(block.fields, 1)]
        by_verb[block.name] = game.made(f"tokens_of_{block.name}({arguments})", lines)
    rule = game.actions.dispatch(
        game.home, "tokens", by_verb, hooks={"before": put_verb}, otherwise=None, more=("out",)
    )
    return layout, rule
