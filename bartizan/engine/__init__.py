"""The engine: what every game is made of.  It knows no game."""
