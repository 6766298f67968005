"""Wait for work that others wait for too."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def shared(work: asyncio.Future[T]) -> T:
    """Return what work comes to; it goes on where this wait is cancelled, and may then fail unheard."""
    work.add_done_callback(_hear)
    return await asyncio.shield(work)


def _hear(work: asyncio.Future[Any]) -> None:
    if not work.cancelled():
        work.exception()  # asyncio reports one that nobody has looked at
