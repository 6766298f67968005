"""Castle Danger, a game of walls and cannons for two by Matt Worden."""

from bartizan.engine.game import Game
from bartizan.games.castle_danger.words.art import KING

game = Game(
    name="castle-danger",
    package=__name__,
    min_seats=2,
    max_seats=2,
    chance=False,
    emblem=KING,
    rules_in=("rules", "listing", "outcome", "phases"),
    words_in=("words.verbs", "words.story", "words.touch"),
)
