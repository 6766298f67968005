"""One who asks for too much keeps nobody else out, and nothing that is thrown at the server fills the log."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import re
import resource
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bartizan.tables.limits import Limits
from tests.server.serving import ROOT, Client, Serving
from tests.server.test_socket import closed
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio

LIMITS: dict[str, float] = {
    "program_pause": 0.01,
    "sockets_per_table": 8,
    "sockets_per_seat": 4,
    "onlookers_per_address": 5,
    "sockets_per_address": 12,
    "sockets": 30,
    # So slow that nothing comes back while a test runs, however busy the machine is.
    **dict.fromkeys(
        (f"{what}_per_second_per_address" for what in ("tables", "replays", "lessons", "throws", "pushes")),
        0.0001,
    ),
    "table_burst_per_address": 40,
    "replay_burst_per_address": 3,
    "lesson_burst_per_address": 3,
    "throw_burst_per_address": 3,
    "analysis_burst_per_address": 3,
    "push_burst_per_address": 3,
    "request_burst": 200,
    "head_seconds": 0.6,
    "body_seconds": 0.9,
}


def come_from(address: str) -> dict[str, str]:
    return {"X-Forwarded-For": address, "Host": "games.example.org"}


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    hosting = {"public_url": "https://games.example.org", "proxies": ["127.0.0.1"]}
    with Serving("tests.server.duel", tmp_path_factory.mktemp("gate") / "data", LIMITS, hosting) as serving:
        yield serving
        assert serving.stop() == 0
        assert serving.errors.read_text() == ""  # whatever was thrown at it


@pytest.mark.parametrize(
    ("path", "body", "most", "fine"),
    [
        ("/api/tables", {"game": "duel"}, 40, 201),
        ("/api/replay", {"record": "abc\n"}, 3, 200),
        ("/api/games/alcazar/lessons/no", {}, 3, 404),
        ("/api/throws/path", {"method": "no", "release": {}}, 3, 400),
        ("/api/tables/none/push", {}, 3, 404),
    ],
)
def test_who_asks_too_much_keeps_out_itself_alone(
    gate: Serving, path: str, body: object, most: int, fine: int
) -> None:
    """The limit was for all together: one client denied everybody."""
    greedy = [gate.request("POST", path, body, come_from("203.0.113.1")) for _ in range(most + 10)]
    assert [status for status, _, _ in greedy].count(fine) == most
    assert greedy[-1][0] == 429
    assert "your network" in json.loads(greedy[-1][2])["sentence"]
    # Neither whoever comes from elsewhere is refused, nor one who claims to.
    assert gate.request("POST", path, body, come_from("203.0.113.2"))[0] == fine
    assert gate.request("POST", path, body, come_from("198.51.100.9, 203.0.113.1"))[0] == 429


def test_a_long_record_is_refused_before_it_is_played(alcazar: Serving) -> None:
    moves = "\n".join(f"{ply}. no move at all" for ply in range(1, 3002))
    record = f'game = "alcazar"\nseed = "1"\n\n{moves}\n'
    status, problem = alcazar.json("POST", "/api/replay", {"record": record})
    assert (status, problem["code"]) == (400, "corrupt_record")
    assert "3001 plies; 3000" in problem["sentence"]  # it had been the first move that cannot be played


async def test_onlookers_leave_room_for_those_who_play(gate: Serving) -> None:
    links = gate.table()
    table, seats, watch = links["table"], links["seats"], links["spectator"]

    async def refused(key: str, address: str) -> str:
        async with gate.sit(table, key, headers={"X-Forwarded-For": address}) as client:
            answer = await client.hear()
            assert (answer["type"], answer["code"]) == ("error", "too_many")
            assert await closed(client) == 1013
            return str(answer["sentence"])

    async with AsyncExitStack() as stack:

        async def come(key: str, address: str) -> None:
            client = gate.sit(table, key, headers={"X-Forwarded-For": address})
            await (await stack.enter_async_context(client)).hello()

        for number in range(8):
            await come(watch, f"192.0.2.{number // 5}")
            if number == 4:
                assert "from your network" in await refused(watch, "192.0.2.0")
        assert "spectators" in await refused(watch, "192.0.2.9")
        for seat in seats:  # the two who play had been locked out
            await come(seat, "192.0.2.9")
        for _ in range(3):
            await come(seats[0], "192.0.2.9")
        assert "windows" in await refused(seats[0], "192.0.2.9")


async def test_sockets_are_counted(gate: Serving) -> None:
    """The limit was not enforced: 1,500 of 5 opened."""
    tables = [gate.table() for _ in range(5)]
    async with AsyncExitStack() as stack:

        async def come(number: int, address: str) -> Client:
            links = tables[number % 5]
            headers = {"X-Forwarded-For": address}
            key = links["seats"][number // 5 % 2]
            return await stack.enter_async_context(gate.sit(links["table"], key, headers=headers))

        for number in range(12):
            await (await come(number, "192.0.2.1")).hello()
        thirteenth = await come(12, "192.0.2.1")
        assert "from your network" in (await thirteenth.hear())["sentence"]
        assert await closed(thirteenth) == 1013
        for number in range(12, 30):  # each seat at most four times, which is another limit
            await come(number, f"192.0.2.{number}")
        late = await come(30, "192.0.2.200")
        assert "full" in (await late.hear())["sentence"]
    async with gate.sit(tables[0]["table"], tables[0]["seats"][0]) as client:  # and they are given back
        await client.hello()


def shout(gate: Serving, data: bytes) -> bytes:
    """Send bytes and return what comes until the server closes."""
    with socket.create_connection(("127.0.0.1", gate.port), timeout=PATIENCE) as raw:
        with contextlib.suppress(OSError):
            raw.sendall(data)
        answer = b""
        with contextlib.suppress(OSError):
            while more := raw.recv(65536):
                answer += more
        return answer


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
    ],
)
def test_what_is_half_said_is_not_waited_for(gate: Serving, half: bytes) -> None:
    """2,000 of them lived for 60 s."""
    answer = shout(gate, half)
    assert b"HTTP/1.1 408" in answer
    assert answer.endswith(b'"sentence":"The request took too long."}')


@pytest.mark.parametrize(
    "nonsense",
    [b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01" + bytes(200),
     b"GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"x: y" * 30_000],
)  # fmt: skip
def test_what_is_no_http_is_answered_in_words(gate: Serving, nonsense: bytes) -> None:
    answer = shout(gate, nonsense)
    assert answer.startswith(b"HTTP/1.1 40"), answer
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["sentence"]
    assert b"x-content-type-options" in answer


async def test_text_that_is_none_ends_its_socket_without_a_line_in_the_log(gate: Serving) -> None:
    """It wrote a traceback of 475 bytes."""
    links = gate.table()
    for head in (b"\x81\x82", b"\xf1\x80", b"\x83\x80"):  # no UTF-8, bits that mean nothing, no kind of frame
        async with gate.sit(links["table"], links["seats"][0]) as client:
            await client.hello()
            client.socket.transport.write(head + bytes(4) + b"\xff\xfe"[: head[1] & 2])
            assert await closed(client) in (1002, 1007)


async def test_thousands_of_hostile_messages(gate: Serving) -> None:
    """A part of what `python -m tests.server.hostile` does a million times."""
    from tests.server.hostile import attack

    figures = await attack(gate, 2000, random.Random(4))
    assert figures["messages"] >= 2000
    assert figures["grown_mib"] < 60
    assert gate.request("GET", "/api/games")[0] == 200


def test_at_the_limit_of_files_it_says_so_and_goes_on(tmp_path: Path) -> None:
    """Nothing was logged."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limits = {"head_seconds": 30.0}
    with Serving("tests.server.duel", tmp_path / "data", limits, files=200) as serving:
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)
        with contextlib.ExitStack() as stack:
            held = [
                stack.enter_context(socket.create_connection(("127.0.0.1", serving.port))) for _ in range(100)
            ]
            held[-1].settimeout(PATIENCE)
            assert b"503" in held[-1].recv(100)
        for _ in range(50):
            with contextlib.suppress(OSError, http.client.HTTPException):
                if serving.request("GET", "/api/games")[0] == 200:
                    break
        else:
            pytest.fail("It does not answer any more.")
        assert serving.stop() == 0
    said = serving.errors.read_text().splitlines()
    assert 1 <= len(said) <= 5
    assert "72 connections are open, as many as the limit of open files allows" in said[0]


def test_addresses_that_are_remembered_are_bounded() -> None:
    from bartizan.tables.limits import Buckets

    buckets = Buckets(0.0, 1, most=10)
    assert buckets.take("a")
    assert not buckets.take("a")
    assert all(buckets.take(str(number)) for number in range(100))
    assert len(buckets._buckets) == 10
    assert all(buckets.take("") for _ in range(100))  # this machine is not counted


def test_the_page_for_hosts_tells_the_limits_as_they_are() -> None:
    limits = Limits()
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for what, figures in {
        "requests": (limits.request_burst, limits.requests_per_second),
        "new tables": (
            *(limits.table_burst_per_address, limits.tables_per_second_per_address),
            *(limits.table_burst, limits.tables_per_second),
        ),
        "records replayed": (limits.replay_burst_per_address, limits.replays_per_second_per_address),
        "tries in lessons": (limits.lesson_burst_per_address, limits.lessons_per_second_per_address),
        "throws at the range": (limits.throw_burst_per_address, limits.throws_per_second_per_address),
        "sockets at tables": (limits.sockets_per_address, limits.sockets),
        "spectators at one table": (limits.onlookers_per_address, limits.sockets_per_table),
        "connections": (limits.connections_per_address,),
        "time for a request to send its headers, all of it": (limits.head_seconds, limits.body_seconds),
        "messages of one socket": (limits.message_burst, limits.messages_per_second, limits.message_bytes),
        "tables whose computer players keep what they searched": (
            limits.thinking_tables,
            limits.thinking_watched,
        ),
    }.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| {what} |"))
        assert all(f"{figure:g}" in re.findall(r"[\d.]+", row) for figure in figures), row
