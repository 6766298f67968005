"""Hold the games that `bartizan new` copies; each is a whole game, called My Game."""
