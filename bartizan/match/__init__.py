"""One game being played: the only thing that faces use."""

from bartizan.match.match import Match
from bartizan.match.record import Record

__all__ = ["Match", "Record"]
