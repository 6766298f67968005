"""The engine: everything that all games have in common. It knows no game."""
