from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bartizan.tables.entries import KINDS, LABELS, REQUESTS
from tests.server.serving import Client, Serving
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


async def closed(client: Client) -> int:
    """Read until the server closes; return the close code."""
    try:
        async with asyncio.timeout(PATIENCE):
            while True:
                await client.socket.recv()
    except ConnectionClosed as closing:
        return closing.rcvd.code if closing.rcvd else 1006


def hand(sync: dict[str, object], seat: int) -> list[str]:
    scene = sync["scene"]
    assert isinstance(scene, dict)
    zone = next(zone for zone in scene["zones"] if zone["id"] == f"hand{seat}")
    return [item.get("face", "") for item in zone.get("items", [])]


def test_every_change_names_its_kind_of_entry() -> None:
    kinds = {request.__struct_config__.tag for request in REQUESTS}
    # A hint is asked for without a version; a flag falls, and a claim may adjourn the game.
    served = {"hint", "flag", "adjourn", "close", "void", "deal", "told", "join", "browser"}
    assert kinds == set(KINDS) - served


async def test_first_message_is_the_table_with_or_without_a_hello(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        silent = await client.hear()
        opened = client.opened
    async with duel.sit(links["table"], links["seats"][0]) as client:
        greeted = await client.hello()
        assert await client.hello() == greeted  # once more, and only that
        assert client.opened == opened
    assert silent == greeted
    assert silent["type"] == "sync"
    assert opened == {
        "type": "opened",
        "table": links["table"],
        "setting": {"game": "duel", "title": "Duel", "seats": 2, "seat_names": ["Seat 1", "Seat 2"]},
        "seed_hash": links["seed_hash"],
        "buttons": LABELS,
        "agreement": {"here": [1, 2]},
    }
    assert (silent["version"], "undo" in silent["allowed"]) == (0, False)


async def test_a_move_reaches_every_socket_of_the_table(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with (
        duel.sit(table, links["seats"][0]) as one,
        duel.sit(table, links["seats"][0]) as other_tab,
        duel.sit(table, links["seats"][1]) as two,
        duel.sit(table, links["spectator"]) as watcher,
    ):
        first = [await client.hello() for client in (one, other_tab, two, watcher)]
        card = hand(first[0], 1)[0]
        id_ = await one.send("move", version=0, move=f"play {card}")
        told = await one.until("sync")
        assert await one.until("ack", id=id_) == {"type": "ack", "id": id_, "version": 1}
        assert await other_tab.until("sync") == told
        for client, seat in ((two, 2), (watcher, 0)):
            sync = await client.until("sync")
            assert sync["version"] == 1
            assert sync["scene"]["seat"] == seat
            assert f"c{card}" in json.dumps(sync)
            assert "choices" not in sync["scene"]


async def test_a_seat_sees_its_own_hand_only(duel: Serving) -> None:
    links = duel.table()
    async with (
        duel.sit(links["table"], links["seats"][0]) as one,
        duel.sit(links["table"], links["seats"][1]) as two,
        duel.sit(links["table"], links["spectator"]) as watcher,
    ):
        a, b, c = await one.hello(), await two.hello(), await watcher.hello()
    assert all(hand(a, 1))
    assert not any(hand(a, 2))
    assert all(hand(b, 2))
    assert not any(hand(b, 1))
    assert not any(hand(c, 1) + hand(c, 2))


async def test_another_version_is_stale_and_the_same_id_is_played_once(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        cards = hand(await client.hello(), 1)
        for version in (1, 5):
            answer = await client.ask("move", version=version, move=f"play {cards[0]}")
            assert (answer["type"], answer["code"]) == ("error", "stale_version")
            assert "version 0" in answer["sentence"]
        assert (await client.ask("move", id="mine", version=0, move=f"play {cards[0]}"))["version"] == 1
        assert (await client.ask("move", version=0, move=f"play {cards[1]}"))["code"] == "stale_version"
        # Sent again, at an old version, even after something else happened: acknowledged, not played.
        assert (await client.ask("move", version=1, move=f"play {cards[1]}"))["version"] == 2
        for _ in range(2):
            assert (await client.ask("move", id="mine", version=0, move=f"play {cards[0]}")) == {
                "type": "ack",
                "id": "mine",
                "version": 1,
            }
        again = await client.ask("at", version=2)
        assert again["scene"]["status"]["ply"] == 2
    # And after a reconnection.
    async with duel.sit(links["table"], links["seats"][0]) as client:
        assert (await client.ask("move", id="mine", version=0, move=f"play {cards[0]}"))["version"] == 1
    # The same id at another seat is another message.
    async with duel.sit(links["table"], links["seats"][1]) as client:
        assert (await client.ask("move", id="mine", version=2, move="end"))["code"] == "not_your_turn"


async def test_what_is_not_possible_is_refused_with_its_reason(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        mine, theirs = hand(await one.hello(), 1), hand(await two.hello(), 2)
        refused = await one.ask("move", version=0, move="end")
        assert refused["type"] == "refused"
        assert refused["refusal"]["clause"] == "DUE-1"
        assert (await one.ask("move", version=0, move=f"play {theirs[0]}"))["refusal"]["clause"] == "DUE-2"
        assert (await one.ask("move", version=0, move=2**31 - 1))["refusal"]["clause"] == "DUE-2"
        assert (await one.ask("move", version=0, move="plya 3"))["code"] == "unknown_move"
        assert (await two.ask("move", version=0, move=f"play {theirs[0]}"))["code"] == "not_your_turn"
        assert (await one.ask("why", move="end"))["refusal"]["clause"] == "DUE-1"
        assert (await one.ask("why", items=["a", "b"]))["refusal"]["blockers"] == ["a", "b"]
        assert "This move is legal" in (await one.ask("why", move=f"play {mine[0]}"))["refusal"]["sentence"]
        assert (await two.ask("why", items=["a"]))["code"] == "not_your_turn"
        assert (await two.ask("hint"))["code"] == "not_your_turn"
        assert (await one.ask("at", version=9))["code"] == "stale_version"
        for kind in ("undo", "redo"):
            assert (await one.ask(kind, version=0))["code"] == "nothing_to_undo"
        assert (await one.ask("at", version=0))["version"] == 0  # nothing of all that was logged
        with pytest.raises(TimeoutError):
            await two.hear(0.2)


async def test_spectators_only_watch(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["spectator"]) as client:
        await client.hello()
        for kind in ("undo", "redo", "resign"):
            assert (await client.ask(kind, version=0))["code"] == "not_allowed"
        for move in ("end", 0, "nonsense"):
            assert (await client.ask("move", version=0, move=move))["code"] == "not_allowed"
        assert (await client.ask("hint"))["code"] == "not_allowed"
        assert (await client.ask("why", move="end"))["type"] == "error"
        assert (await client.ask("ping"))["type"] == "pong"
        assert (await client.ask("at", version=0))["scene"]["seat"] == 0


async def test_undo_within_ones_own_turn_only(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        cards = hand(await one.hello(), 1)
        await two.hello()
        await one.ask("move", version=0, move=f"play {cards[0]}")
        assert (await two.ask("undo", version=1))["code"] == "nothing_to_undo"
        await one.ask("undo", version=1)
        told = await two.until("sync", version=2)
        assert told["scene"]["status"]["ply"] == 0
        assert told["undos_used"] == 0
        assert (await two.ask("redo", version=2))["code"] == "nothing_to_undo"
        await one.ask("redo", version=2)
        async with duel.sit(table, links["seats"][0]) as other_tab:
            sync = await other_tab.hello()
            assert (sync["version"], sync["undos_used"], sync["allowed"]["undo"]) == (3, 1, "")
            assert "redo" not in sync["allowed"]
        await one.ask("move", version=3, move="end")
        assert (await one.ask("undo", version=4))["code"] == "nothing_to_undo"
        assert (await two.ask("undo", version=4))["code"] == "nothing_to_undo"
        # Looking back shows every version as it was.
        plies = [(await one.ask("at", version=at))["scene"]["status"]["ply"] for at in range(5)]
        assert plies == [0, 1, 0, 1, 2]


async def test_a_hint_is_counted_and_everyone_hears_of_it(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        first = await one.hello()
        await two.hello()
        id_ = await one.send("hint")
        sync = await one.until("sync")
        assert (sync["version"], sync["hints_used"]) == (1, 1)
        hint = (await one.until("hint", id=id_))["hints"][0]
        assert (await two.until("sync", version=1))["hints"] == [1, 0]
        # A move that was on its way when the hint was counted is not stale: the game is the same.
        assert (await one.ask("move", version=first["version"], move=hint["action"]))["version"] == 2
        assert (await two.until("sync"))["hints_used"] == 0


async def test_a_reconnection_hears_only_the_version_if_nothing_happened(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as one:
        cards = hand(await one.hello(), 1)
        await one.ask("move", version=0, move=f"bury {cards[0]}")
    async with duel.sit(links["table"], links["seats"][0]) as one:
        await one.send("hello", version=1)
        assert await one.hear() == {"type": "tick", "version": 1}
    async with duel.sit(links["table"], links["seats"][0]) as one:
        await one.send("hello", version=0)
        assert (await one.hear())["type"] == "sync"
    async with duel.sit(links["table"], links["seats"][0]) as one:
        await one.send("hello", version=77)  # from a table that this is not
        assert (await one.hear())["type"] == "sync"


async def test_resigning_ends_a_game_of_two(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        cards = hand(await one.hello(), 1)
        await two.hello()
        assert (await two.ask("resign", version=0))["version"] == 1
        sync = await one.until("sync")
        assert sync["scene"]["result"]["outcome"] == {"winners": [1], "returns": [1.0, -1.0]}
        assert sync["scene"]["status"]["seat"] == 0
        assert "choices" not in sync["scene"]
        assert (await one.ask("move", version=1, move=f"play {cards[0]}"))["code"] == "game_over"
        assert (await one.ask("resign", version=1))["code"] == "game_over"
        assert (await one.ask("undo", version=1))["code"] == "nothing_to_undo"
    status, _, data = duel.request("GET", f"/api/tables/{table}/record", key=links["spectator"])
    assert status == 200
    assert links["seed_hash"].encode() not in data  # the seed itself, now that it is over


async def test_who_resigns_among_three_is_replaced_by_a_program(duel: Serving) -> None:
    links = duel.table(seats=3)
    table = links["table"]
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        await one.hello()
        await two.hello()
        await one.ask("resign", version=0)
        while (sync := await two.until("sync"))["scene"]["status"]["seat"] != 2:
            pass
        assert sync["version"] >= 2
        assert "result" not in sync["scene"]
        assert (await one.ask("move", version=sync["version"], move="end"))["code"] == "not_allowed"


async def test_programs_move_by_themselves(duel: Serving) -> None:
    links = duel.table(players=["person", "greedy"])
    assert links["seats"][1] == ""
    async with duel.sit(links["table"], links["seats"][0]) as client:
        sync = await client.hello()
        while "result" not in sync["scene"]:
            if sync["scene"]["status"]["seat"] == 1:
                choice = sync["scene"]["choices"][-1]
                await client.send("move", version=sync["version"], move=choice["action"])
            sync = await client.until("sync")
        assert sync["scene"]["status"]["seat"] == 0
    watched = duel.table(players=["random", "greedy"])
    async with duel.sit(watched["table"], watched["seats"][1]) as client:
        sync = await client.hello()
        assert all(hand(sync, 2))
        assert (await client.ask("move", version=0, move="end"))["code"] == "not_allowed"
        sync = await client.hello()  # the programs may have ended the game meanwhile
        while "result" not in sync["scene"]:
            assert "choices" not in sync["scene"]
            sync = await client.until("sync")


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "null",
        "[]",
        '"move"',
        "{}",
        '{"type":"move"}',
        '{"type":"nothing","id":"a"}',
        '{"type":"move","id":"","version":0,"move":"end"}',
        '{"type":"move","id":"a","version":-1,"move":"end"}',
        '{"type":"move","id":"a","version":0,"move":true}',
        '{"type":"move","id":"a","version":0,"move":1.5}',
        '{"type":"move","id":"a","version":99999999999999999999,"move":1}',
        '{"type":"move","id":"a","version":0,"move":-1}',
        '{"type":"move","id":"a","version":0,"move":"' + "x" * 401 + '"}',
        '{"type":"move","id":7,"version":0,"move":"end"}',
        '{"type":"why","id":"a","items":[1]}',
        '{"type":"hello","version":"x"}',
        "[" * 9000,
        '{"a":' * 2500,
        '{"type":"ping","id":"\\ud800"}',
        "\x00",
        "x" * 16385,
        "é" * 10000,
        "x" * 200_000,
        b'{"type":"ping","id":"a"}',
        b"\xff\xfe",
    ],
    ids=lambda frame: repr(frame[:40]),
)
async def test_what_cannot_be_read_is_answered_and_the_table_goes_on(
    duel: Serving, frame: str | bytes
) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        await client.hello()
        await client.socket.send(frame)
        answer = await client.hear()
        assert answer["type"] == "error"
        assert answer["code"] == "bad_request"
        assert answer["sentence"].endswith(".")
        assert "Traceback" not in answer["sentence"]
        assert (await client.ask("ping"))["type"] == "pong"


async def test_an_id_is_named_where_it_can_be_read(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        await client.hello()
        await client.socket.send('{"type":"move","id":"mine","version":"x"}')
        assert (await client.hear())["id"] == "mine"


async def test_a_frame_beyond_all_measure_ends_only_its_socket(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        await client.hello()
        with contextlib.suppress(ConnectionClosed):  # already while it is being sent
            await client.socket.send("x" * 2_000_000)
        assert await closed(client) == 1009
    async with duel.sit(links["table"], links["seats"][0]) as client:
        await client.hello()


async def test_a_flood_is_slowed_and_then_ended(duel: Serving) -> None:
    links = duel.table()
    async with (
        duel.sit(links["table"], links["seats"][1]) as client,
        duel.sit(links["table"], links["seats"][0]) as other,
    ):
        await client.hello()
        cards = hand(await other.hello(), 1)
        for number in range(400):
            await client.socket.send(json.dumps({"type": "why", "id": f"{number}", "items": []}))
        answers = []
        code = 0
        try:
            while True:
                answers.append(await client.hear())
        except ConnectionClosed as closing:
            code = closing.rcvd.code if closing.rcvd else 0
        assert code == 4429
        codes = [answer.get("code") for answer in answers]
        assert "too_many" in codes
        assert len(answers) < 250  # most of the flood was not even answered
        assert (await other.ask("move", version=0, move=f"play {cards[0]}"))["type"] == "ack"


async def test_nonsense_without_end_is_ended(duel: Serving) -> None:
    links = duel.table()
    async with duel.sit(links["table"], links["seats"][0]) as client:
        for _ in range(100):
            await client.socket.send("nonsense")
        assert await closed(client) == 4429


async def test_a_wrong_key_or_table_is_told_and_closed(duel: Serving) -> None:
    links, other = duel.table(), duel.table()
    for table, token, code, close in (
        (links["table"], "", "bad_token", 4403),
        (links["table"], "x" * 32, "bad_token", 4403),
        (links["table"], other["seats"][0], "bad_token", 4403),
        (links["table"], "\xff\x00", "bad_token", 4403),
        ("nowhere", links["seats"][0], "unknown_table", 4404),
    ):
        async with duel.sit(table, token) as client:
            answer = await client.hear()
            assert (answer["type"], answer["code"]) == ("error", code)
            assert await closed(client) == close


@pytest.mark.parametrize(
    "first",
    ['{"type":"hello"}', "{", "", "[]", '{"type":"enter"}', '{"type":"enter","key":7}', b"\x00", "é" * 9000],
)
async def test_the_first_message_gives_the_key(duel: Serving, first: str | bytes) -> None:
    links = duel.table()
    async with connect(f"ws://127.0.0.1:{duel.port}/ws/{links['table']}?token={links['seats'][0]}") as socket:
        await socket.send(first)
        client = Client(socket)
        answer = await client.hear()
        assert answer["code"] == "bad_token"
        assert "enter" in answer["sentence"]
        assert await closed(client) == 4403
    async with duel.sit(links["table"], links["seats"][0]) as client:
        await client.hello()
        await client.socket.send(json.dumps({"type": "enter", "key": links["seats"][1]}))  # and it stays so
        assert (await client.until("error"))["code"] == "bad_request"


async def test_who_does_not_say_a_key_is_not_waited_for(tmp_path: Path) -> None:
    with Serving("tests.server.duel", tmp_path / "data", {"enter_seconds": 0.2}) as serving:
        links = serving.table()
        async with connect(f"ws://127.0.0.1:{serving.port}/ws/{links['table']}") as socket:
            client = Client(socket)
            assert (await client.hear())["code"] == "too_many"
            assert await closed(client) == 1013  # a slow line may try again


async def test_other_pages_and_other_names_are_kept_out(duel: Serving) -> None:
    links = duel.table()
    table, token = links["table"], links["seats"][0]
    here = f"http://127.0.0.1:{duel.port}"
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{duel.port + 1}", "file://", ""):
        with pytest.raises(InvalidStatus) as refused:
            async with duel.sit(table, token, origin=origin):
                pass
        assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus):
        async with duel.sit(table, token, additional_headers={"Host": f"evil.example:{duel.port}"}):
            pass
    async with duel.sit(table, token, origin=here) as client:
        await client.hello()


async def test_a_table_takes_a_bounded_number_of_onlookers(duel: Serving) -> None:
    links = duel.table()
    async with AsyncExitStack() as stack:
        for _ in range(8):
            watcher = await stack.enter_async_context(duel.sit(links["table"], links["spectator"]))
            await watcher.hello()
        client = await stack.enter_async_context(duel.sit(links["table"], links["spectator"]))
        assert (await client.hear())["code"] == "too_many"
        assert await closed(client) == 1013


async def test_a_reader_who_takes_nothing_is_dropped_and_others_play_on(tmp_path: Path) -> None:
    limits: dict[str, float] = {
        "queued_messages": 10,
        "waiting_messages": 100_000,
        "message_burst": 100_000,
        "fault_burst": 100_000,
    }
    with Serving("tests.server.duel", tmp_path / "data", limits) as serving:
        links = serving.table()
        raw = _raw_socket(serving, links["table"], links["seats"][1])
        asked = json.dumps({"type": "at", "id": "a", "version": 0}).encode()
        raw.sendall((b"\x81" + bytes([0x80 | len(asked)]) + bytes(4) + asked) * 10_000)  # and reads no answer
        async with serving.sit(links["table"], links["seats"][0]) as client:
            cards = hand(await client.hello(), 1)
            while _connected(serving.port, raw.getsockname()[1]):
                await asyncio.sleep(0.05)
            assert (await client.ask("move", version=0, move=f"play {cards[0]}"))["version"] == 1
        raw.close()
        assert serving.stop() == 0


def _raw_socket(serving: Serving, table: str, token: str) -> socket.socket:
    """Open a WebSocket by hand that answers nothing and reads only when told to."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", serving.port))
    raw.sendall(
        f"GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1:{serving.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    entering = json.dumps({"type": "enter", "key": token}).encode()
    raw.sendall(b"\x81" + bytes([0x80 | len(entering)]) + bytes(4) + entering)
    return raw


def _connected(here: int, there: int) -> bool:
    """Return whether the server still holds a connection from a port (its side, as the kernel tells it)."""
    wanted = (f":{here:04X}", f":{there:04X}")
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(wanted[0]) and fields[2].endswith(wanted[1]):
            return fields[3] == "01"
    return False


async def test_silent_sockets_are_given_up(duel: Serving) -> None:
    links = duel.table()
    raw = _raw_socket(duel, links["table"], links["seats"][1])
    loop = asyncio.get_running_loop()
    begin = loop.time()
    raw.settimeout(PATIENCE)
    while await loop.run_in_executor(None, raw.recv, 65536):
        pass  # it answers no ping
    assert loop.time() - begin > 6
    raw.close()


async def test_who_is_here_is_told_when_it_changes(duel: Serving) -> None:
    links = duel.table()
    table, (first, second) = links["table"], links["seats"]
    async with duel.sit(table, first) as one:
        await one.send("hello")
        assert await one.until("present") == {"type": "present", "seats": [1]}
        async with duel.sit(table, second) as two:
            await two.send("hello")
            assert (await one.until("present"))["seats"] == [1, 2]
            assert (await two.until("present"))["seats"] == [1, 2]
            async with duel.sit(table, links["spectator"]) as watcher:
                await watcher.send("hello")
                assert (await watcher.until("present"))["seats"] == [1, 2]
            async with duel.sit(table, second) as twice:  # a seat is here as long as one of its pages is
                await twice.send("hello")
                assert (await twice.until("present"))["seats"] == [1, 2]
        assert (await one.until("present"))["seats"] == [1]
