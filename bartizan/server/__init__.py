"""Serve tables over HTTP and WebSocket, and the browser client with them."""
