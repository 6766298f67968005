"""Connect Four, in the public domain: four in a line, discs that fall."""

from bartizan.engine.game import Game

game = Game(name="connect-four", package=__name__, min_seats=2, max_seats=2, chance=False)
