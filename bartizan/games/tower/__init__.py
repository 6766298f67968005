"""Tower, a card game of building, attacking and defending with a deck of five suits."""

from bartizan.engine.game import Game

game = Game(
    name="tower",
    package=__name__,
    min_seats=2,
    max_seats=6,
    rules_in=(
        "rules",
        "build",
        "draw",
        "battle",
        "arrivals",
        "listing",
        "determinization",
        "outcome",
        "phases",
    ),
    words_in=("words.building", "words.battle", "words.mending", "words.look", "words.story", "words.touch"),
)
