"""Notation: moves by a grammar and positions by a codec, each written and read by one description."""

from bartizan.engine.notation.codec import PositionReader
from bartizan.engine.notation.text import complete, fits, squeeze, unknown_move, words_of

__all__ = ["PositionReader", "complete", "fits", "squeeze", "unknown_move", "words_of"]
