"""Derive every part that a short game doesn't write itself, from its annotated state.

A game may be one module beside its ``clauses.toml``. A file in its folder replaces exactly one of these
parts.
"""

from bartizan.engine.defaults.observe import make_observer
from bartizan.engine.defaults.parts import kept, make_heuristics, make_options, make_playtest, make_state
from bartizan.engine.defaults.phases import make_phases
from bartizan.engine.defaults.position import make_position
from bartizan.engine.defaults.rules import make_counting_rules, make_rules
from bartizan.engine.defaults.scene import make_scene
from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.defaults.visibility import make_visibility
from bartizan.engine.defaults.words import make_words

__all__ = [
    "ShortGame",
    "kept",
    "make_counting_rules",
    "make_heuristics",
    "make_observer",
    "make_options",
    "make_phases",
    "make_playtest",
    "make_position",
    "make_rules",
    "make_scene",
    "make_visibility",
    "make_state",
    "make_words",
]
