"""A socket is given up only when its client is silent, not while the server is slow to read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from bartizan.server.protocols import OpenConnections, behind
from bartizan.server.site import Site
from bartizan.tables.limits import Limits
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio
PING, PONG = 0.1, 0.3


@contextlib.asynccontextmanager
async def serving(app: Any) -> AsyncIterator[str]:
    """Serve an application that pings often; yield its address."""
    _, sockets = behind(OpenConnections(Limits(), Site(), 100))
    config = uvicorn.Config(
        app,
        port=0,
        ws=sockets,
        ws_ping_interval=PING,
        ws_ping_timeout=PONG,
        log_config=None,
        lifespan="off",
        loop="none",
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"ws://127.0.0.1:{port}/"
    server.should_exit = True
    await task


async def echo(receive: Any, send: Any) -> None:
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


async def test_a_client_is_not_given_up_while_the_server_reads_nothing() -> None:
    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        await asyncio.sleep(4 * PONG)  # the second message waits, and the answers to pings behind it
        await echo(receive, send)

    async with serving(slow) as address, connect(address, ping_interval=None) as socket:
        await socket.send("first")
        await socket.send("second")
        assert await asyncio.wait_for(socket.recv(), PATIENCE) == "second"


async def test_a_silent_client_is_given_up() -> None:
    async def open_(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await echo(receive, send)

    async with serving(open_) as address, connect(address, ping_interval=None) as socket:
        socket.transport.pause_reading()
        await asyncio.sleep(PING + PONG + 2)
        socket.transport.resume_reading()
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket.recv(), PATIENCE)
