"""Bound what one connection, one table and the whole server may use."""

from __future__ import annotations

import time

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much the server takes; the defaults are far above what people do."""

    message_bytes: int = 16 * 1024
    messages_per_second: float = 40.0
    message_burst: float = 120.0
    faults_per_second: float = 0.5  # malformed or excess messages that are put up with
    fault_burst: float = 40.0
    waiting_messages: int = 128  # received and not yet dealt with
    queued_messages: int = 128  # to be sent; a reader slower than this is dropped
    queued_bytes: int = 4 * 1024 * 1024
    enter_seconds: float = 5.0  # that a new socket has to say its key
    sockets: int = 8192
    sockets_per_table: int = 256
    tables_in_memory: int = 1024
    tables_per_second: float = 4.0
    table_burst: float = 60.0
    replay_plies: int = 3000
    throws_per_second: float = 20.0  # at the range, of all who practise together; paths are counted, too
    throw_burst: float = 120.0
    table_throws_per_second: float = 2.0  # of the people at one table; programs throw at their own pace
    table_throw_burst: float = 10.0
    say_per_second: float = 0.5  # lines of chat, of one connection
    say_burst: float = 6.0
    table_says_per_second: float = 2.0  # of all at a table
    table_say_burst: float = 20.0
    wishes_per_second: float = 0.2  # favours asked and the like, of all at a table
    wish_burst: float = 20.0
    claim_after: float = 120.0  # seconds after which the others may decide about the seat of who has left
    share_seconds: float = 15.0  # that somebody has to show a share of the deal
    lessons_per_second: float = 30.0  # tries of all learners together
    lesson_burst: float = 200.0
    program_pause: float = 0.4  # seconds that a program lets its opponents watch
    thinking_after: float = 0.5  # seconds after which a program is said to think; longer than its pause
    preparing_after: float = 0.4  # seconds after which it is told what a table waits for, and how often
    thinking_tables: int = 64  # tables whose programs remember what they thought


class Bucket:
    """Allow `rate` things a second in the long run, and `burst` at once."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._then = time.monotonic()

    def take(self) -> bool:
        """Take one if there is one."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
