"""Name Card Barrage's deck: values from 1 to 13 in four domains, and wild cards."""

from bartizan.engine.cards import ValuedDeck

TECH = ValuedDeck("kstv", ("knowledge", "science", "technology", "services"))
