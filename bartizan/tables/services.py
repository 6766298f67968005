"""Hold what all tables of one server share."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

from bartizan.tables.calls import Calls
from bartizan.tables.flags import FlagWatch
from bartizan.tables.limits import Limits
from bartizan.tables.peers import Peers
from bartizan.tables.provider import GameProvider
from bartizan.tables.store import MoveLog
from bartizan.tables.thinking import ThinkingPool


@dataclass(frozen=True)
class Services:
    """The games, the disk, the pools and the limits."""

    games: GameProvider
    log: MoveLog
    pool: Executor  # for short work: loading a table, dealing, drawing earlier versions
    throwing: Executor  # for physics, so that many throws don't hold up the rest
    thinking: ThinkingPool
    limits: Limits
    watch: FlagWatch
    peers: Peers  # the other processes that serve these tables
    calls: Calls | None = None  # notifications, if the host has set them up
