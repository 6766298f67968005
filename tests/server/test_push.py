"""Notifications as clients turn them on and off over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.tables.webpush import FILE, make_keys
from tests.server.serving import Serving, refuse_to_start
from tests.tables.pushing import Browser

DAYS = {"kind": "days", "seconds": 86_400}
PHONE = Browser("phone")
WISH = msgspec.to_builtins(PHONE.wish())


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose host has made keys."""
    data = tmp_path_factory.mktemp("calling") / "data"
    data.mkdir()
    make_keys(data, "mailto:host@example.org")
    with Serving("tests.server.duel", data, {"table_burst": 1000}) as serving:
        yield serving
        assert serving.stop() == 0


def create(serving: Serving, clock: object = DAYS) -> tuple[str, list[str]]:
    wanted = {"game": "duel", "here": "everyone", "clock": clock}
    status, links = serving.json("POST", "/api/tables", wanted)
    assert status == 201, links
    return f"/api/tables/{links['table']}/push", [links["spectator"], *links["seats"]]


def test_a_player_turns_them_on_and_off(calling: Serving) -> None:
    path, (spectator, one, two) = create(calling)
    status, state = calling.json("POST", path, {"endpoint": PHONE.endpoint}, key=one)
    assert (status, sorted(state)) == (200, ["key"])
    assert calling.json("POST", path, WISH, key=one) == (200, state | {"on": True})
    assert calling.json("POST", path, {"endpoint": PHONE.endpoint}, key=one)[1] == state | {"on": True}
    assert calling.json("POST", path, {"endpoint": PHONE.endpoint}, key=two)[1] == state
    assert calling.json("POST", path, WISH | {"on": False}, key=one) == (200, state)
    assert calling.json("POST", path, {}, key=spectator) == (200, {})
    assert calling.json("POST", path, WISH, key=spectator)[0] == 403


@pytest.mark.parametrize(
    "odd",
    [
        {"on": "yes"},
        {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "https://fcm.googleapis.com/" + "x" * 2000},
        {"endpoint": 5},
        {"p256dh": "x"},
        {"p256dh": "x" * 101},
        {"auth": ""},
        {"auth": "x" * 41},
        {"auth": "\ud800"},
    ],
)
def test_what_is_no_subscription_is_refused(calling: Serving, odd: dict[str, Any]) -> None:
    path, (_, one, _) = create(calling)
    status, told = calling.json("POST", path, WISH | odd, key=one)
    assert status == 400, told
    assert told["sentence"]
    assert calling.json("POST", path, {"endpoint": PHONE.endpoint}, key=one)[1].get("on") is None


def test_keys_are_needed_and_travel_in_the_header(calling: Serving) -> None:
    path, (_, one, _) = create(calling)
    assert calling.json("POST", path, WISH)[0] == 403
    assert calling.json("POST", path, WISH, key="x" * 32)[0] == 403
    assert calling.json("POST", f"{path}?token={one}", WISH)[0] == 400
    assert calling.json("POST", "/api/tables/none/push", WISH, key=one)[0] == 404


def test_without_keys_nothing_is_offered(duel: Serving) -> None:
    path, (_, one, _) = create(duel)
    assert duel.json("POST", path, WISH, key=one) == (200, {})


def test_a_server_does_not_start_with_keys_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{}")
    assert "isn't what `bartizan tables push-keys` writes" in refuse_to_start("0", str(tmp_path))
