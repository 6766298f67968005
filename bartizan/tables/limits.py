"""Limit what one connection, one table and the whole server may use."""

from __future__ import annotations

import os
import time
from collections import OrderedDict

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The server's limits; the defaults are far above what people need."""

    message_bytes: int = 16 * 1024
    messages_per_second: float = 40.0
    message_burst: float = 120.0
    faults_per_second: float = 0.5  # malformed or excess messages that are tolerated
    fault_burst: float = 40.0
    waiting_messages: int = 128  # received and not yet handled
    queued_messages: int = 128  # to be sent; a reader slower than this is dropped
    queued_bytes: int = 4 * 1024 * 1024
    enter_seconds: float = 5.0  # in which a new socket must send its key
    head_seconds: float = 5.0  # in which the head of a request must arrive
    body_seconds: float = 20.0  # and its body
    connections_per_address: int = 512  # of connections that don't come through a proxy
    sockets: int = 8192
    sockets_per_address: int = 256
    sockets_per_table: int = 256  # of spectators
    sockets_per_seat: int = 16
    onlookers_per_address: int = 64  # at one table
    requests_per_second: float = 50.0  # of one address, all kinds together
    request_burst: float = 1000.0
    tables_in_memory: int = 1024
    tables_kept: int = 1_000_000  # in total
    keep_unplayed_days: float = 30.0  # after which an unplayed table is deleted; 0: never
    tables_per_second: float = 20.0  # new ones, in total
    table_burst: float = 400.0
    tables_per_second_per_address: float = 0.2
    table_burst_per_address: float = 30.0
    replay_plies: int = 3000
    replays_per_second: float = 2.0  # records shown, in total
    replay_burst: float = 20.0
    replays_per_second_per_address: float = 0.2
    replay_burst_per_address: float = 6.0
    replays_waiting: int = 8
    throws_per_second: float = 20.0  # at the practice range, in total; paths count, too
    throw_burst: float = 120.0
    table_throws_per_second: float = 2.0  # by the people at one table; programs throw at their own pace
    table_throw_burst: float = 10.0
    say_per_second: float = 0.5  # lines of chat, from one connection
    say_burst: float = 6.0
    table_says_per_second: float = 2.0  # from everyone at a table
    table_say_burst: float = 20.0
    reports_per_second: float = 1 / 60  # from one seat
    report_burst: float = 3.0
    wishes_per_second: float = 0.2  # proposals and the like, from everyone at a table
    wish_burst: float = 20.0
    claim_after: float = 120.0  # seconds after which the others may claim an absent player's seat
    share_seconds: float = 15.0  # in which a player must reveal a share of the deal
    lessons_per_second: float = 30.0  # tries of all learners together
    lesson_burst: float = 200.0
    lessons_per_second_per_address: float = 5.0
    lesson_burst_per_address: float = 100.0
    throws_per_second_per_address: float = 5.0  # at the practice range
    throw_burst_per_address: float = 60.0
    analyses_per_second_per_address: float = 2.0  # requests for a review's progress; pages send one a second
    analysis_burst_per_address: float = 40.0
    pushes_per_second_per_address: float = 0.2  # switching notifications on and off, and asking about them
    push_burst_per_address: float = 30.0
    program_pause: float = 0.4  # seconds between a program's moves, for its opponents to watch
    thinking_after: float = 0.5  # seconds after which a program is shown as thinking; longer than its pause
    preparing_after: float = 0.4  # seconds before, and between, progress reports
    thinking_tables: int = 64  # tables of people whose programs keep their search trees
    thinking_watched: int = 8  # and tables of programs only
    thinking_threads: int = 0  # in which programs think; 0: one less than there are cores
    addresses: int = 8192  # that limits per address remember


def shared_out(limits: Limits, workers: int) -> Limits:
    """Return the limits for each of several processes on one machine."""
    threads = limits.thinking_threads or max(1, (os.cpu_count() or 2) - 1)
    return msgspec.structs.replace(limits, thinking_threads=max(1, threads // workers))


class Bucket:
    """Allow `rate` things a second in the long run, and `burst` at once."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._then = time.monotonic()

    def take(self) -> bool:
        """Take one if there is one; return whether there was."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address except the empty one (this machine); remembers `most` addresses."""

    def __init__(self, rate: float, burst: float, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()  # least recently used first

    def take(self, address: str) -> bool:
        """Take one for an address if there is one."""
        if not address:
            return True
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, self._burst)
            while len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()
