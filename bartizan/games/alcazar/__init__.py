"""Alcazar, a solitaire tower defence game by Julian Jimenez."""

from bartizan.engine.game import Game

game = Game(
    name="alcazar",
    package=__name__,
    min_seats=1,
    max_seats=1,
    rules_in=(
        "rules",
        "defence",
        "specials",
        "table",
        "listing",
        "determinization",
        "outcome",
        "phases",
    ),
    words_in=(
        "words.actions",
        "words.answers",
        "words.specials",
        "words.spelling",
        "words.look",
        "words.story",
        "words.touch",
    ),
)
