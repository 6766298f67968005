"""Computer players: random, greedy, and tree searches, all generic."""
