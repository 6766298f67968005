from __future__ import annotations

import random
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from bartizan.server.hosting import default_data_dir
from bartizan.server.run import bind
from bartizan.tables.errors import StartError
from tests.server.serving import Serving, refuse_to_start

pytestmark = pytest.mark.anyio


def test_a_port_in_use_names_the_next_free_one() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} .*is in use") as refused:
            bind("127.0.0.1", port)
        advised = int(str(refused.value).split("--port ")[1].rstrip("."))
        assert advised > port
        bind("127.0.0.1", advised).close()


@pytest.mark.parametrize("host", ["", "no.such.host.invalid", "203.0.113.7", "300.1.1.1", "a b", "é" * 80])
def test_a_bad_host_is_one_sentence(host: str) -> None:
    with pytest.raises(StartError, match=r"127\.0\.0\.1"):
        bind(host, 0)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_bad_port_is_one_sentence(port: int) -> None:
    with pytest.raises(StartError, match="1 to 65535"):
        bind("127.0.0.1", port)


def test_what_hinders_the_start_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, words in (
            ([port, str(tmp_path / "a")], "in use"),
            (["0", str(tmp_path / "file")], "data folder"),
        ):
            assert words in refuse_to_start(*arguments)


def test_the_data_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BARTIZAN_DATA", str(tmp_path / "here"))
    assert default_data_dir() == tmp_path / "here"
    monkeypatch.delenv("BARTIZAN_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert default_data_dir() == tmp_path / "bartizan"


async def test_no_key_and_no_seed_is_written_to_the_log(tmp_path: Path) -> None:
    """Whatever is thrown at it: standard error and the folder hold no token."""
    with Serving("tests.server.duel", tmp_path / "data") as serving:
        links = serving.table(seed="abcdef0123456789")
        tokens = [*links["seats"], links["spectator"]]
        for token in tokens:
            async with serving.sit(links["table"], token) as client:
                await client.hello()
                await client.socket.send("x" * 300_000)
            serving.request("GET", f"/api/tables/{links['table']}/record", key=token)
            serving.request("GET", f"/api/tables/{links['table']}/record?token={token}")
            serving.request("GET", f"/api/nothing?token={token}")
            serving.request("POST", f"/ws/{links['table']}?token={token}", b"{")
        assert serving.stop() == 0
    said = serving.errors.read_bytes()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir())
    for token in tokens:
        assert token.encode() not in said
        assert token.encode() not in kept
    assert b"abcdef0123456789" not in said
    assert b"abcdef0123456789" in kept  # the seed is there, or the table could not go on
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


async def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    """`kill -9` in the middle of Alcazar, again and again: every acknowledged move is there."""
    chance = random.Random(5)
    acknowledged = 0
    moves: list[str] = []
    links: dict[str, Any] = {}
    for _ in range(2):
        with Serving("bartizan.server.run", tmp_path / "data") as serving:
            links = links or serving.table("alcazar", seed="77")
            async with serving.sit(links["table"], links["seats"][0]) as client:
                sync = await client.hello()
                assert sync["version"] >= acknowledged
                assert [line["move"] for line in sync["scene"].get("log", [])] == moves[-12:]
                for _ in range(4):
                    choices = sync["scene"].get("choices")
                    if not choices:
                        break
                    choice = chance.choice(choices)
                    id_ = await client.send("move", version=sync["version"], move=choice["action"])
                    sync = await client.until("sync")
                    acknowledged = (await client.until("ack", id=id_))["version"]
                    moves.append(choice["text"])
                serving.kill()
    assert acknowledged > 3
    with Serving("bartizan.server.run", tmp_path / "data") as serving:
        path = f"/api/tables/{links['table']}/record"
        status, _, data = serving.request("GET", path, key=links["seats"][0])
        assert status == 200
        for number, move in enumerate(moves, 1):
            assert f"{number}. {move}\n" in data.decode()
        assert serving.stop() == 0
