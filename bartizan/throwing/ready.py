"""Make physics ready: what is compiled at the first throw, or loaded, is done before anybody waits for it."""

from __future__ import annotations

from bartizan.throwing.hand import aim
from bartizan.throwing.release import METHODS
from bartizan.throwing.standard import standard_layout
from bartizan.throwing.throw import throw


def throw_once() -> None:
    """Aim and throw in every way."""
    layout = standard_layout()
    for method in METHODS:
        throw(layout, 1, aim(layout, 1, "2.wall3", method)).to_flown("")
