"""Wait for work that several callers share."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

T = TypeVar("T")


async def shared(work: asyncio.Future[T]) -> T:
    """Return the result of work; if this wait is cancelled, the work continues and may fail silently."""
    work.add_done_callback(_hear)
    return await asyncio.shield(work)


def _hear(work: asyncio.Future[Any]) -> None:
    if not work.cancelled():
        work.exception()  # asyncio reports an exception that no one has retrieved
