"""Derive the small parts of a short game, and keep each one under its module's name."""

from __future__ import annotations

import sys
import types
from collections import Counter
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from math import prod
from typing import Any

from bartizan.engine import levels, playtest
from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.options import OptionSet

# What `__init__.py` may have of `heuristics.py`.
OF_HEURISTICS = ("action_score", "evaluate", "TUNING", "PLAYER_LEVELS", "POLICY")


class NoOptions(OptionSet, frozen=True, kw_only=True):
    """The options of a game that has none."""


def kept(game: ShortGame, name: str, make: Callable[[], types.ModuleType]) -> types.ModuleType:
    """Return a derived part; it is made once and then found like any other module."""
    full = f"{game.home.__name__}.{name}"
    if full not in sys.modules:
        module = make()
        module.__name__ = full
        module.__file__ = game.home.__file__
        module.__spec__ = ModuleSpec(full, None, origin=game.home.__file__)
        sys.modules[full] = module
    return sys.modules[full]


def make_state(game: ShortGame) -> types.ModuleType:
    """Return a module with ``State``, ``ACTIONS`` and ``MAX_LEGAL``."""
    module = types.ModuleType("state")
    most = getattr(game.home, "MAX_LEGAL", game.actions.size + 1)
    vars(module).update({"State": game.state, "ACTIONS": game.actions, "MAX_LEGAL": most})
    return module


def make_options(game: ShortGame) -> types.ModuleType:
    """Return a module with ``Options``: the game's own, or none."""
    module = types.ModuleType("options")
    vars(module)["Options"] = getattr(game.home, "Options", NoOptions)
    return module


def make_heuristics(game: ShortGame) -> types.ModuleType:
    """Return the game's heuristics: its own scores, or the defaults.

    If the game counts points, they give an ``evaluate`` of unfinished games.
    """
    module = types.ModuleType("heuristics")
    given: dict[str, Any] = {name: value for name, value in vars(levels).items() if not name.startswith("_")}
    own = vars(game.home)
    scores = {f"score_{verb}" for verb in game.actions.verbs} & set(own)
    if scores:
        by_verb = {name.removeprefix("score_"): own[name] for name in scores}
        given["action_score"] = game.actions.dispatch(
            game.home, "action_score", by_verb, hooks={}, otherwise=0
        )
    if "points" in own and "evaluate" not in own:
        lines = [
            "best, mine = -1, 0",
            "for other in range(s.seats):",
            "    if other + 1 == seat:",
            "        mine = points(s, other + 1)",
            "    elif points(s, other + 1) > best:",
            "        best = points(s, other + 1)",
            "return (mine - best) / (abs(mine - best) + 4.0) if s.seats > 1 else 0.0",
        ]
        given["evaluate"] = game.made("evaluate(s, seat)", lines, points=own["points"])
    given |= {name: own[name] for name in OF_HEURISTICS if name in own}
    vars(module).update(given)
    return module


def _cards(game: ShortGame) -> dict[str, Any]:
    """Return how the cards of a deck are measured: those in hands, and those that actions name."""
    hands = [zone for zone in game.zones if zone.sees == "owner" and zone.per_seat]
    if game.deck is None or not hands:
        return {}
    held = []
    for zone in hands:
        piles = max(1, zone.places)
        held += [f"for i in range((seat - 1) * {piles}, seat * {piles}):"]
        held += [
            f"    for k in range(s.{zone.name}[i].count):",
            f"        marks[s.{zone.name}[i].cards[k]] = 1",
        ]
    played = [f"number = action % {game.actions.size}"]
    for block in game.actions.blocks:
        if "card" in block.fields:
            radices = list(block.fields.values())
            at = list(block.fields).index("card")
            played.append(f"if {block.first} <= number < {block.end}:")
            played.append(
                f"    return (number - {block.first}) // {prod(radices[at + 1 :])} % {radices[at]} + 1"
            )
    return {
        "PIECES": tuple(game.deck.text(card) for card in range(game.deck.kinds)),
        "PIECE": "card",
        "DERIVED": True,
        "mark_held": game.made("mark_held(s, seat, marks)", held),
        "pieces_played": game.made("pieces_played(s, action)", [*played, "return 0"]),
    }


def make_playtest(game: ShortGame) -> types.ModuleType:
    """Return what playtests count: what the game defines, and all cards on a table."""
    module = types.ModuleType("playtest")
    given = {name: value for name, value in vars(playtest).items() if not name.startswith("_")}
    own = {name: value for name, value in vars(game.home).items() if name in given}
    if not isinstance(own.get("PIECES"), tuple | list):
        own.pop("PIECES", None)  # a game may call something else so
        given |= _cards(game)

    def all_cards(view: Any) -> Counter[int]:
        """Count every card on a table."""
        return Counter(
            int(card) for zone in game.zones for pile in zone.piles_of(view) for card in pile.listed()
        )

    counted = {"all_cards": all_cards} if game.deck is not None else {}
    vars(module).update({**given, **own, **counted})
    return module
