"""Card-cassonne, a game of areas for two to four with two decks of cards, after Carcassonne."""

from bartizan.engine.game import Game

game = Game(
    name="card-cassonne",
    package=__name__,
    min_seats=2,
    max_seats=4,
    rules_in=("rules", "listing", "determinization", "outcome", "phases"),
    words_in=("words.verbs", "words.look", "words.story", "words.touch"),
)
