"""Notation: moves by a grammar and positions by a codec, each with one description for both directions."""

from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.notation.text import complete, fits, squeeze, unknown_move, words_of

__all__ = ["PositionReader", "complete", "fits", "squeeze", "unknown_move", "words_of"]
