"""Card Barrage, a game of thrown cards and castles for one to six by Ben Cheung."""

from bartizan.engine.game import Game

game = Game(
    name="card-barrage",
    package=__name__,
    min_seats=1,
    max_seats=6,
    throws=True,
    rules_in=(
        "turn",
        "rules",
        "attack",
        "aftermath",
        "effects",
        "solo",
        "listing",
        "determinization",
        "outcome",
        "phases",
    ),
    words_in=(
        "words.walls",
        "words.reports",
        "words.effects",
        "words.answers",
        "words.grammar",
        "words.look",
        "words.story",
        "words.touch",
    ),
)
