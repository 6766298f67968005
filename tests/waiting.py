"""Wait in a test for what should come soon, as long as a busy machine may need."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 60.0  # seconds; what hasn't come by then doesn't come


async def until(holds: Callable[[], object]) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.005)
