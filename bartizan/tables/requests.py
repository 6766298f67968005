"""Read client messages from a socket: requests for log entries, and everything else."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from bartizan.tables.entries import REQUESTS
from bartizan.tables.entries.base import Request
from bartizan.tables.messages import (
    AskHint,
    At,
    CloseChat,
    Enter,
    Hello,
    Introduce,
    Ping,
    ReportPerson,
    Say,
    Why,
)

Aside = Enter | Hello | Introduce | Say | CloseChat | ReportPerson | Why | AskHint | At | Ping
ClientMessage = Request | Aside
# What a frame may contain: each kind of request, without the base classes.
FRAME: Any = reduce(or_, REQUESTS, Aside)
decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(FRAME)
