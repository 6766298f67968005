"""Players: random, greedy and, on the same generic footing, whatever searches."""
