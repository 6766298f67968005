"""Throw a card: air, bodies and contacts, and what came of it, for games in which something is thrown.

This room knows no game: it gets a `bartizan.engine.layout.TableLayout` and says what a release does on it.
"""
