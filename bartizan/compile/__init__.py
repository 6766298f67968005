"""Compile games ahead of time, in processes of their own where others must not wait for it."""
