"""Derive what a seat can't know: the cards of zones that it doesn't see."""

from __future__ import annotations

import types

from bartizan.engine.defaults.short import ShortGame, each_pile
from bartizan.engine.table import UNSEEN


def make_visibility(game: ShortGame) -> types.ModuleType:
    """Return a module with ``blank``, and whether anything is ever hidden."""
    module = types.ModuleType("visibility")
    lines = ["s.rng = 0"]
    for zone in game.zones:
        loop, pile, index = each_pile(zone)
        lines += [loop, f"    for k in range({zone.capacity}):"]
        unseen = {
            "all": f"k >= {pile}.count",  # the array still holds taken cards above the top of a pile
            "owner": f"{index} // {max(1, zone.places)} + 1 != seat or k >= {pile}.count",
            "nobody": "True",
        }[zone.sees]
        lines += [f"        if {unseen}:", f"            {pile}.cards[k] = {UNSEEN}"]
    hidden = any(zone.is_hidden for zone in game.zones)
    vars(module).update({"blank": game.made("blank(s, seat)", lines), "PERFECT_INFORMATION": not hidden})
    return module
