"""Define Tower's deck: thirteen ranks in five suits, and Jokers."""

from bartizan.engine.cards import RankedDeck

JANKEN = RankedDeck("rpswl", ("rock", "paper", "scissors", "water", "lizard"))
