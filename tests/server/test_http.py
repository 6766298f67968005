from __future__ import annotations

import datetime
import http.client
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.engine import registry
from bartizan.engine.settlement import Settlement
from bartizan.match import Match
from bartizan.server.static import Client
from bartizan.tables.messages import Analysed
from tests.server.serving import ROOT, Serving
from tests.server.test_ending import finish

pytestmark = pytest.mark.anyio


def test_games_and_rules_are_told_in_full(alcazar: Serving) -> None:
    status, listed = alcazar.json("GET", "/api/games")
    games = listed["games"]
    assert (status, listed["broken"]) == (200, [])
    assert [game["name"] for game in games] == registry.names()
    for game in games:  # no two levels are described alike
        assert len({level["about"] for level in game["levels"]}) == len(game["levels"])
    refused = {option["key"]: option["refused"] for option in games[3]["options"] if option.get("refused")}
    assert refused == {"setup.king_file": ["f"], "setup.wizard_file": ["b"]}
    told = next(game for game in games if game["name"] == "alcazar")
    game = registry.get("alcazar")
    assert [option["key"] for option in told["options"]] == [spec.key for spec in game.options]
    assert all(option["sentence"] for option in told["options"])
    assert told["players"] == list(game.players())
    status, rules = alcazar.json("GET", "/api/games/alcazar/rules")
    assert status == 200
    assert [clause["id"] for clause in rules["clauses"]] == [clause.id for clause in game.clauses.all()]
    assert any(clause.get("ruling") for clause in rules["clauses"])


@pytest.mark.parametrize(
    ("wanted", "status", "code", "words"),
    [
        ({}, 400, "bad_request", "game"),
        ([], 400, "bad_request", "a table of keys"),
        (b"{", 400, "bad_request", ""),
        (b"\xff", 400, "bad_request", ""),
        (b"[" * 100_000, 400, "bad_request", ""),
        ({"game": 7}, 400, "bad_request", "game is a whole number; it must be a text"),
        ({"game": "alcasar"}, 404, "unknown_game", "'alcazar'"),
        ({"game": "alcazar", "options": {"havok": True}}, 400, "unknown_option", "havoc"),
        ({"game": "alcazar", "options": {"havoc": "maybe"}}, 400, "unknown_option", "true or false"),
        ({"game": "alcazar", "options": {"havoc": [1]}}, 400, "bad_request", "options"),
        ({"game": "alcazar", "seats": 2}, 400, "bad_seats", "1"),
        ({"game": "alcazar", "seats": 0}, 400, "bad_request", "seats"),
        ({"game": "alcazar", "seed": "xyz"}, 400, "bad_seed", "xyz"),
        ({"game": "alcazar", "players": ["gredy"]}, 400, "unknown_player", "'greedy'"),
        ({"game": "alcazar", "players": ["person", "person"]}, 400, "bad_request", "2 for 1 seat"),
        ({"game": "alcazar", "deal": "old"}, 400, "bad_request", "old"),
        ({"game": "alcazar", "deal": "day", "date": "soon"}, 400, "bad_request", "soon"),
        ({"game": "alcazar", "deal": "day", "date": "2999-01-01"}, 400, "bad_request", "2999-01-01"),
        ({"game": "alcazar", "deal": "day", "seed": "1"}, 400, "bad_request", "seed"),
        ({"game": "alcazar", "date": "2026-01-01"}, 400, "bad_request", "day"),
        ({"game": "alcazar", "deal": "same"}, 400, "bad_request", "same_as"),
        ({"game": "alcazar", "deal": "same", "same_as": "nope"}, 403, "bad_token", "same_as"),
        ({"game": "alcazar", "same_as": "nope"}, 400, "bad_request", "same"),
        ({"game": "alcazar", "palyers": ["person"]}, 400, "bad_request", "there is no key 'palyers'"),
    ],
)
def test_a_bad_wish_is_one_sentence(
    alcazar: Serving, wanted: object, status: int, code: str, words: str
) -> None:
    found, _, data = alcazar.request("POST", "/api/tables", wanted)
    problem = json.loads(data)
    assert (found, problem["code"]) == (status, code), problem
    assert words in problem["sentence"]
    assert "Traceback" not in problem["sentence"]
    assert "\n" not in problem["sentence"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("GET", "/api/games/chess/rules", 404),
        ("DELETE", "/api/tables", 405),
        ("GET", "/api/tables/nowhere/record", 404),
        ("PUT", "/", 405),
        ("GET", "/%00", 404),
        ("GET", "/t/../../etc/passwd", 404),
        ("GET", "/assets/%2e%2e/%2e%2e/run.py", 404),
        ("GET", "/assets/..%2f..%2frun.py", 404),
        ("GET", "/" + "x" * 5000, 404),
    ],
)
def test_what_is_not_there(alcazar: Serving, method: str, path: str, status: int) -> None:
    found, headers, data = alcazar.request(method, path)
    assert found == status
    assert b"Traceback" not in data
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "Can't read the request: it is empty."),
        (b"{", "Can't read the request: it isn't complete JSON."),
        (b"\xff", "Can't read the request: it isn't complete JSON."),
        (b"[]", "Can't read the request: it is a list; it must be a table of keys."),
        (b'{"game": "alcazar", "players": []}', "'players' names 0 for 1 seat."),
    ],
)
def test_a_malformed_request_gets_a_plain_sentence(alcazar: Serving, body: bytes, sentence: str) -> None:
    status, _, data = alcazar.request("POST", "/api/tables", body)
    assert (status, json.loads(data)["sentence"]) == (400, sentence)


def test_a_wrong_method_is_named(alcazar: Serving) -> None:
    status, _, data = alcazar.request("PUT", "/api/tables")
    assert (status, json.loads(data)["sentence"]) == (405, "PUT isn't possible at this address.")


def test_a_request_too_large_is_refused(alcazar: Serving) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", alcazar.port, timeout=20)
    connection.putrequest("POST", "/api/replay")
    connection.putheader("content-type", "application/json")
    connection.putheader("content-length", "2000000")
    connection.endheaders()  # refused for what it announces, before a byte of it is sent
    answer = connection.getresponse()
    assert answer.status == 413
    assert json.loads(answer.read())["sentence"] == "The request is too large."
    connection.close()


async def dealt(serving: Serving, **wanted: object) -> str:
    """Return what a seat is shown of a new table, without what is its own: the cards."""
    links = serving.table("alcazar", **wanted)
    async with serving.sit(links["table"], links["seats"][0]) as client:
        return json.dumps((await client.hello())["scene"]["zones"])


async def test_the_deal_of_the_day_is_the_same_for_everybody(alcazar: Serving, duel: Serving) -> None:
    async def deal(**more: object) -> str:
        return await dealt(alcazar, deal="day", **more)

    today = datetime.datetime.now(datetime.UTC).date()
    if await deal() != await deal(date=today.isoformat()):
        today = datetime.datetime.now(datetime.UTC).date()  # midnight, just now
        assert await deal() == await deal(date=today.isoformat())
    yesterday = (today - datetime.timedelta(days=1)).isoformat()
    # The same whichever way the same options are said; another for other options and other days.
    assert await deal(date=yesterday) == await deal(date=yesterday, options={"havoc": False})
    others = {await deal(), await deal(date=yesterday), await deal(date=yesterday, options={"havoc": True})}
    assert len(others) == 3
    status, problem = duel.json("POST", "/api/tables", {"game": "duel", "deal": "day"})
    assert (status, problem["code"]) == (403, "not_allowed")
    assert duel.table("duel", deal="day", players=["person", "greedy"])["seed_hash"]


async def test_the_same_deal_again(alcazar: Serving, duel: Serving) -> None:
    first = alcazar.table("alcazar", options={"havoc": True})
    again = alcazar.table("alcazar", deal="same", same_as=first["seats"][0])
    shown = []
    for links in (first, again):
        async with alcazar.sit(links["table"], links["seats"][0]) as client:
            shown.append((await client.hello())["scene"]["zones"])
    assert shown[0] == shown[1]
    assert again["seats"] != first["seats"]
    body = {"game": "alcazar", "deal": "same", "same_as": first["spectator"]}
    assert alcazar.json("POST", "/api/tables", body)[0] == 403  # a spectator would see what the seat cannot
    # Where several play, the same deal would tell every hand: only after the end.
    running = duel.table()
    body = {"game": "duel", "deal": "same", "same_as": running["seats"][0]}
    assert duel.json("POST", "/api/tables", body)[1]["code"] == "not_allowed"


async def test_records_hide_the_seed_until_the_end_and_replay_after_it(alcazar: Serving) -> None:
    links = alcazar.table("alcazar", seed="5eed5eed5eed5eed")
    running = ""
    path = f"/api/tables/{links['table']}/record"

    def record(token: str) -> str:
        status, headers, data = alcazar.request("GET", path, key=token)
        assert status == 200
        assert headers["content-type"] == "text/plain; charset=utf-8"
        return data.decode()

    async with alcazar.sit(links["table"], links["seats"][0]) as client:
        sync = await client.hello()
        while "result" not in sync["scene"]:
            await client.send("move", version=sync["version"], move=sync["scene"]["choices"][-1]["action"])
            sync = await client.until("sync", version=sync["version"] + 1)
            if sync["version"] == 3:
                running = record(links["seats"][0])
                assert running == record(links["spectator"])
    assert links["seed_hash"] in running
    assert "5eed5eed" not in running
    assert alcazar.request("GET", path, key="wrong")[0] == 403
    status, problem = alcazar.json("POST", "/api/replay", {"record": running})
    assert (status, problem["code"]) == (400, "corrupt_record")

    finished = record(links["spectator"])
    assert 'seed = "5eed5eed5eed5eed"' in finished
    for seat in (0, 1):
        status, told = alcazar.json("POST", "/api/replay", {"record": finished, "seat": seat})
        assert status == 200
        assert told["plies"] == sync["version"]
        assert [scene["status"]["ply"] for scene in told["scenes"]] == list(range(sync["version"] + 1))
        assert {scene["seat"] for scene in told["scenes"]} == {seat}
        assert told["setting"] == client.opened["setting"]
        assert told["scenes"][-1]["result"] == sync["scene"]["result"]
    assert alcazar.json("POST", "/api/replay", {"record": finished, "seat": 2})[0] == 403


def test_the_hands_of_a_game_that_somebody_resigned_can_be_seen(alcazar: Serving) -> None:
    match = Match("tower", seats=2)
    running = match.record(secret_seed=True).text()
    resigned = match.record(secret_seed=True, settlement=Settlement(reason="resignation", loser=1)).text()
    assert alcazar.json("POST", "/api/replay", {"record": running, "seat": 2})[0] == 403
    status, told = alcazar.json("POST", "/api/replay", {"record": resigned, "seat": 2})
    assert (status, told["scenes"][0]["seat"]) == (200, 2)


@pytest.mark.parametrize(
    "record", ["", "nonsense", "game = 'alcazar'\n\n1. end\n", "1. end", "\x00", "a = [[[["]
)
def test_a_record_that_is_none_is_one_sentence(alcazar: Serving, record: str) -> None:
    status, problem = alcazar.json("POST", "/api/replay", {"record": record})
    assert status == 400, problem
    assert problem["code"] in ("corrupt_record", "unknown_game")


def test_a_key_in_an_address_is_refused(duel: Serving) -> None:
    """Proxies write addresses into their logs: whoever sends a key in one hears of it, however good it is."""
    links = duel.table()
    path = f"/api/tables/{links['table']}/record"
    for key in ("", links["seats"][0]):
        status, problem = duel.json("GET", f"{path}?token={links['seats'][0]}", key=key)
        assert (status, problem["code"]) == (400, "bad_request")
        assert "Authorization: Bearer" in problem["sentence"]
    status, _, data = duel.request("GET", path, headers={"authorization": "Basic eDp5"})
    assert status == 400
    assert b"Bearer" in data


async def test_who_has_a_link_may_look_back_over_http(duel: Serving) -> None:
    links = duel.table()
    table = links["table"]
    path = f"/api/tables/{table}/analysis"
    status, told = duel.json("GET", path, key=links["spectator"])
    assert (status, told["code"]) == (403, "not_allowed")
    async with duel.sit(table, links["seats"][0]) as one, duel.sit(table, links["seats"][1]) as two:
        await one.hello()
        await finish(one, two)
    for token in (links["spectator"], *links["seats"]):
        status, headers, data = duel.request("GET", path, key=token)
        assert status == 200
        assert headers["cache-control"] == "no-store"
        assert msgspec.json.decode(data, type=Analysed).analysis is not None
    assert duel.json("GET", path, key="nonsense")[0] == 403


def test_strangers_pages_may_read_nothing_and_change_nothing(alcazar: Serving) -> None:
    here = f"http://127.0.0.1:{alcazar.port}"
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"127.0.0.1.evil.example:{alcazar.port}"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": here.replace("http", "ftp")},
    ):
        status, _, data = alcazar.request("POST", "/api/tables", {"game": "alcazar"}, headers)
        assert status in (400, 403), (headers, data)
    assert alcazar.request("GET", "/api/games", headers={"Host": "evil.example"})[0] == 403
    for headers in (
        {"Origin": here},
        {"Host": f"localhost:{alcazar.port}"},
        {"Host": "[::1]:80"},
        {},
    ):
        assert alcazar.request("POST", "/api/tables", {"game": "alcazar"}, headers)[0] == 201


def built(folder: Path) -> Client:
    (folder / "assets").mkdir()
    for name, content in {
        "index.html": "<!doctype html>the page",
        "assets/app-Bx3kf9Qz.js": "let x",
        "assets/plain.js": "let y",
        "icon.svg": "<svg/>",
    }.items():
        (folder / name).write_text(content)
        (folder / f"{name}.br").write_text("br " + content)
        (folder / f"{name}.gz").write_text("gz " + content)
    return Client(folder)


def ask(client: Client, path: str, **headers: str) -> Any:
    class Asked:
        pass

    asked: Any = Asked()
    asked.headers = {key.replace("_", "-"): value for key, value in headers.items()}
    return client.answer(path, asked)


def test_the_client_is_handed_out_compressed_and_kept(tmp_path: Path) -> None:
    client = built(tmp_path)
    for page in ("/", "/t/abc123", "/rules/alcazar", "/replay", "/range", "/you", "/play/alcazar"):
        answer = ask(client, page)
        assert (answer.content, answer.status_code) == (b"<!doctype html>the page", None)
        assert answer.headers["cache-control"] == "no-cache"
    assert ask(client, "/assets/app-Bx3kf9Qz.js").headers["cache-control"].endswith("immutable")
    assert ask(client, "/assets/plain.js").headers["cache-control"] == "no-cache"
    for accepted, start in {
        "gzip, deflate, br": b"br ",
        "gzip": b"gz ",
        "br;q=0, gzip;q=0.5": b"gz ",
        "*": b"br ",
        "identity": b"let",
        "br;q=0.0, gzip;q=0": b"let",
        "": b"let",
    }.items():
        answer = ask(client, "/assets/plain.js", accept_encoding=accepted)
        assert answer.content.startswith(start), accepted
        assert answer.headers["vary"] == "accept-encoding"
        again = ask(
            client, "/assets/plain.js", accept_encoding=accepted, if_none_match=answer.headers["etag"]
        )
        assert (again.status_code, again.content) == (304, b"")
    for missing in ("/index.html.br", "/t/", "/x", "//", "/assets/", "/../run.py", "/rules/a/b"):
        assert ask(client, missing).status_code == 404
    (tmp_path / "index.html").write_text("a newer page")  # whose compressed forms are another's
    assert ask(Client(tmp_path), "/", accept_encoding="br").content in (
        b"a newer page",
        b"br <!doctype html>the page",
    )


def test_without_a_client_there_is_a_readable_page(tmp_path: Path) -> None:
    answer = ask(Client(tmp_path / "none"), "/")
    assert answer.status_code == 503
    assert b"make play" in answer.content


def test_every_answer_has_the_strict_headers(alcazar: Serving) -> None:
    for path in ("/", "/t/abc", "/api/games", "/nothing", "/api/tables/x/record"):
        _, headers, _ = alcazar.request("GET", path)
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert policy["script-src"] == policy["connect-src"] == "'self'"
        assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    status, headers, data = alcazar.request("HEAD", "/")
    assert data == b""
    assert status in (200, 503)


def test_the_schema_is_json_and_no_page_from_elsewhere(alcazar: Serving) -> None:
    """Litestar's own pages need scripts from other hosts, which the server forbids: they stay blank."""
    for path in ("/api/openapi", "/api/openapi/openapi.json"):
        status, _, data = alcazar.request("GET", path)
        assert status == 200
        assert "/api/tables" in json.loads(data)["paths"]
    for page in ("swagger", "redoc", "elements", "rapidoc"):
        status, _, data = alcazar.request("GET", f"/api/openapi/{page}")
        assert status == 404
        assert b"https://" not in data


def test_the_published_schema_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bartizan.server.openapi"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    schemas = json.loads(done.stdout)["components"]["schemas"]
    assert {
        "Scene",
        "Setting",
        "Choice",
        "Refusal",
        "Opened",
        "Sync",
        "Move",
        "ClientMessage",
        "ServerMessage",
    } <= set(schemas)
    kept = (ROOT / "web" / "openapi.json").read_text(encoding="utf-8")
    assert kept == done.stdout, "web/openapi.json is stale: run make generated"
