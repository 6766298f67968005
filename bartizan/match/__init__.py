"""One game being played: the only thing that faces use."""

from bartizan.match.match import CheckedMove, Match
from bartizan.match.record import GameRecord

__all__ = ["CheckedMove", "GameRecord", "Match"]
