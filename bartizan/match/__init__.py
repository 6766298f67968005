"""One game being played: the only thing that faces use."""

from bartizan.match.history import CheckedMove
from bartizan.match.match import Match
from bartizan.match.record import GameRecord

__all__ = ["CheckedMove", "GameRecord", "Match"]
