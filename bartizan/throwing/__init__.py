"""Simulate thrown cards (air, bodies and contacts) and judge the result, for games with throws.

This package knows no game: it takes a `bartizan.engine.layout.TableLayout` and simulates a release on it.
"""
