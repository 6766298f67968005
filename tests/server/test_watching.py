"""Who runs a server learns how it is; nobody else does, and no line tells a key."""

from __future__ import annotations

import json
import logging
import socket
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bartizan.server.logs import OFTEN, JsonLines, Sentences, Sparing
from bartizan.server.run import listen
from bartizan.server.watching import Measures
from bartizan.tables.errors import StartError
from bartizan.tables.limits import Limits
from tests.server.serving import Serving
from tests.server.test_socket import closed

pytestmark = pytest.mark.anyio


async def test_a_server_tells_how_it_is_and_stops_in_good_order(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    hosting = {
        "public_url": "https://games.example.org",
        "proxies": ["127.0.0.1"],
        "metrics": f"127.0.0.1:{port}",
        "log": "json",
        "log_requests": True,
    }
    with Serving("tests.server.duel", tmp_path / "data", {}, hosting) as serving:
        for path in ("live", "ready"):
            code, _, data = serving.request("GET", f"/health/{path}", headers={"Host": "10.1.2.3"})
            assert (code, json.loads(data)) == (200, {"status": path})
        links = serving.table()
        key = links["seats"][0]
        serving.request("GET", f"/api/tables/{links['table']}/record", key=key)
        serving.request("GET", f"/api/tables/{links['table']}/record?token={key}")
        assert serving.request("GET", "/metrics")[0] == 403
        operator = (tmp_path / "data" / "operator.key").read_text().strip()
        status, headers, data = serving.request("GET", "/metrics", key=operator)
        assert status == 200
        assert headers["content-type"].startswith("text/plain; version=0.0.4")
        async with serving.sit(links["table"], key) as client:
            await client.hello()
            beside = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read()
            found = {
                (sample.name, *sorted(sample.labels.values())): sample.value
                for family in text_string_to_metric_families(beside.decode())
                for sample in family.samples
            }
            assert found["bartizan_sockets",] == 1
            assert found["bartizan_tables_in_memory",] == 1
            assert found["bartizan_connections",] >= 1
            assert found["bartizan_limit", "sockets"] == Limits().sockets
            asked = {labels[1:] for labels in found if labels[0] == "bartizan_request_seconds_count"}
            assert {("/health/ready", "200", "GET"), ("/api/tables", "201", "POST")} <= asked, asked
            routes = {one for one, *_ in asked if "record" in one}
            assert routes == {"/api/tables/{table}/record"}, asked
            assert found["process_open_fds",] > 5
            assert key.encode() not in data + beside
            assert links["table"].encode() not in data + beside
            serving.process.terminate()
            assert await closed(client) == 1012  # a client tries again
        assert serving.stop() == 0
    lines = [json.loads(line) for line in serving.errors.read_text().splitlines()]
    told = [line for line in lines if line["logger"] == "bartizan.requests"]
    assert {"method": "POST", "route": "/api/tables", "status": 201}.items() <= told[2].items()
    assert all(line["address"] == "127.0.0.1" and line["milliseconds"] >= 0 for line in told)
    for secret in (key, links["table"], operator):
        assert secret not in serving.errors.read_text()


@pytest.mark.parametrize("hosting", [{"proxies": ["127.0.0.1"]}, {"allow_hosts": ["games.example.org"]}])
def test_a_server_behind_a_proxy_asks_for_the_hosts_key(tmp_path: Path, hosting: dict[str, Any]) -> None:
    """It listens only on this machine, but a proxy in front of it lets others in."""
    with Serving("tests.server.duel", tmp_path / "data", {}, hosting) as serving:
        assert serving.request("GET", "/metrics")[0] == 403
        operator = (tmp_path / "data" / "operator.key").read_text().strip()
        assert serving.request("GET", "/metrics", key=operator)[0] == 200


def test_a_log_is_not_flooded() -> None:
    sparing = Sparing()

    def passes(name: str, text: str, level: int = logging.ERROR) -> bool:
        return sparing.filter(logging.LogRecord(name, level, "", 0, text, (), None))

    assert not passes("uvicorn.error", "Invalid HTTP request received.", logging.WARNING)
    assert sum(passes("bartizan.server", "the same") for _ in range(100)) == OFTEN
    assert passes("bartizan.server", "another")
    for number in range(1000):  # what is remembered is bounded
        passes("bartizan.server", f"one of many {number}")
    assert len(sparing._kinds) < 300


def test_a_line_of_json_hides_what_could_be_a_key() -> None:
    try:
        raise ValueError("bad AAAAAAAAAAAAAAAAAAAAAAAA")
    except ValueError as error:
        fault = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "key %s\nline", ("B" * 30,), fault)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["message"] == "key … line"
    assert "AAAA" not in line


def test_a_log_names_the_kind_of_an_error() -> None:
    def told(text: str) -> str:
        return Sentences().format(logging.LogRecord("x", logging.ERROR, "", 0, text, (), None))

    assert told("unexpected ZeroDivisionError: no") == "ERROR x: unexpected ZeroDivisionError: no"
    assert told("unexpected StaleKeyException") == "ERROR x: unexpected StaleKeyException"
    for key in ("A1b2C3d4E5f6G7h8Error", "Error" * 5 + "s", "join-AAAAAAAAAAAAAAError"):
        assert told(f"key {key}") == "ERROR x: key …"


@pytest.mark.parametrize(
    "where", ["9100", ":9100", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:x", "203.0.113.7:9100"]
)
def test_where_measurements_cannot_be_told(where: str) -> None:
    from bartizan.server.admission import Admission
    from bartizan.server.site import Site

    with pytest.raises(StartError, match="--metrics"):
        listen(Measures(Admission(Limits(), Site()), Limits()), where)
