"""The Lab: many games, honest figures."""
