"""Connect Four, in the public domain: four in a line, discs that fall."""

from bartizan.engine.game import Game

LINE = " ".join(f"M{at} {at - 11} a11 11 0 1 1 -.1 0 Z" for at in (15, 38, 62, 85))

game = Game(
    name="connect-four",
    package=__name__,
    min_seats=2,
    max_seats=2,
    chance=False,
    emblem=LINE,
    rules_in=("rules", "outcome", "phases"),
    words_in=("words.verbs",),
)
