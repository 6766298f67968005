"""Serve tables over HTTP and WebSocket: a table is its move log."""
