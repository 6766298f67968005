"""Tower, a card game of building, attacking and defending with a deck of five suits."""

from bartizan.engine.game import Game

game = Game(name="tower", package=__name__, min_seats=2, max_seats=6)
