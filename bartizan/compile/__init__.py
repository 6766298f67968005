"""Compile games ahead of time, in separate processes if others must not wait."""
