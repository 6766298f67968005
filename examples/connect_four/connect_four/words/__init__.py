"""All words of Connect Four."""
