"""Card Barrage, a game of thrown cards and castles for one to six by Ben Cheung."""

from bartizan.engine.game import Game

game = Game(name="card-barrage", package=__name__, min_seats=1, max_seats=6, throws=True)
