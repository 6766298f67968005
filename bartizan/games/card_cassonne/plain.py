"""Give the rules as plain Python, for everything that reads and writes texts and scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bartizan.engine.rule import interpreted

if TYPE_CHECKING:
    from bartizan.engine import piles
    from bartizan.games.card_cassonne import areas, layout, rules
else:
    from bartizan.engine import piles as compiled_piles
    from bartizan.games.card_cassonne import areas as compiled_areas
    from bartizan.games.card_cassonne import layout as compiled_layout
    from bartizan.games.card_cassonne import rules as compiled_rules

    areas, layout, rules = map(interpreted, (compiled_areas, compiled_layout, compiled_rules))
    piles = interpreted(compiled_piles)

__all__ = ["areas", "layout", "piles", "rules"]
