"""A table for siege games: one rule source a game, for playing, playtesting and training."""

__version__ = "0.1.0"
