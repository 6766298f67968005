"""The table in a terminal: draws any Scene and takes typed moves; it knows no game."""
