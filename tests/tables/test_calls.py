"""Notifications by Web Push: to whom, when, and what the push services and the log learn."""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from bartizan.tables import calls as calling
from bartizan.tables.agreement import DAY, ClockRule
from bartizan.tables.calls import Calls
from bartizan.tables.errors import BadRequest, NotAllowed, StartError, UnknownTable
from bartizan.tables.limits import Limits
from bartizan.tables.messages import NewTable, PushWish
from bartizan.tables.registry import TableRegistry, hash_token
from bartizan.tables.storage.archive import write_archive
from bartizan.tables.storage.sqlite import SqliteLog
from bartizan.tables.store import KEY_PUSHES, PushRow
from bartizan.tables.webpush import FILE, PushKeys, make_keys, packed, padded, read_keys, sealed, unpacked
from tests.tables.conftest import Open
from tests.tables.duel import DuelProvider
from tests.tables.pushing import AUTH, Browser, PushService
from tests.tables.sessions import connected
from tests.tables.stores import row
from tests.tables.test_people import Guest
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.anyio
DAYS = ClockRule(kind="days", seconds=3 * DAY)
PHONE = Browser("phone")
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "SETTLING", 0.05)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> PushKeys:
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder, "mailto:host@example.org")
    made = read_keys(folder)
    assert made is not None
    return made


@asynccontextmanager
async def calling_tables(
    folder: Path, keys: PushKeys, service: PushService
) -> AsyncIterator[tuple[TableRegistry, SqliteLog]]:
    log, games = SqliteLog.open(folder), DuelProvider()
    calls = Calls(log, games, keys, service.transport)
    tables = TableRegistry(log, games, Limits(table_burst=1000, program_pause=0), calls=calls)
    try:
        yield tables, log
    finally:
        tables.close()
        await calls.close()
        log.close()


async def seated(tables: TableRegistry, **wanted: Any) -> tuple[list[Guest], list[str]]:
    """Return the players of a new table, who have come, and their keys."""
    wished: dict[str, Any] = {"game": "duel", "here": "everyone", "clock": DAYS, **wanted}
    links = await tables.create(NewTable(**wished))
    held = list(filter(None, links.seats))
    return [await Guest(*await tables.open(links.table, key)).come() for key in held], held


async def turn_on(tables: TableRegistry, guest: Guest, key: str, browser: Browser = PHONE) -> None:
    assert tables.calls is not None
    state = await tables.calls.settle(guest.table.row, guest.seat, hash_token(key), browser.wish())
    assert state.on
    assert state.key


async def sent(tables: TableRegistry) -> None:
    """Wait until nothing is on its way."""
    assert tables.calls is not None
    while waiting := tuple(tables.calls._calling.values()):
        await asyncio.wait(waiting)
        await asyncio.sleep(0)


async def asked(service: PushService) -> None:
    """Wait until the push service is asked for the first time."""
    await until(lambda: service.requests)


# Encryption and signature ---------------------------------------------------------------------------------


def test_the_example_of_rfc_8291() -> None:
    message = sealed(
        b"When I grow up, I want to be a watermelon",
        p256dh=POINT,
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        salt=unpacked("DGv6ra1nlYgDCS1FRnbzlw"),
        private="yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
    )
    assert packed(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_each_message_is_encrypted_differently_and_opens_in_its_browser_alone() -> None:
    wish = PHONE.wish()
    one, two = (sealed(b"hello", wish.p256dh, wish.auth) for _ in range(2))
    assert one != two
    assert PHONE.opened(one) == PHONE.opened(two) == b"hello"
    with pytest.raises(Exception):  # noqa: B017 - InvalidTag
        Browser("another").opened(one)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", packed(AUTH)),
        (packed(b"\4" + bytes(64)), packed(AUTH)),  # not on the curve
        (packed(b"\4" + bytes(10)), packed(AUTH)),
        (POINT, ""),
        (POINT, packed(AUTH + b"0")),
        (POINT, "!" * 22),
        ("é", packed(AUTH)),
        ("A", packed(AUTH)),
    ],
)
def test_keys_that_are_no_browsers_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ValueError):
        sealed(b"", p256dh, auth)


def test_the_signature_names_the_push_service_and_the_host_and_holds(keys: PushKeys) -> None:
    header = keys.signed("https://fcm.googleapis.com/fcm/send/secret")
    token, public = header.removeprefix("vapid t=").split(", k=")
    assert public == keys.public
    head, claims, signature = token.split(".")
    assert json.loads(unpacked(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(unpacked(claims))
    assert said.pop("exp") > 0
    assert said == {"aud": "https://fcm.googleapis.com", "sub": "mailto:host@example.org"}
    raw = urlsafe_b64decode(signature + "==")
    numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpacked(public))
    point.verify(encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


def test_the_longest_title_and_names_fit_into_a_message() -> None:
    link = f"t/{'x' * 64}#@{'x' * 64}"
    title = "\N{EUROPEAN CASTLE}\x00" * calling.LONGEST_TITLE
    body = f"You're asked to agree to something at table {'x' * 64}."
    told = {"title": title[: calling.LONGEST_TITLE], "body": body, "link": link}
    assert json.loads(padded(msgspec.json.encode(told))) == told
    with pytest.raises(ValueError):
        padded(b"x" * 2000)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/cXkq8:APA91b-_x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGx",
        "https://wns2-by3p.notify.windows.com/w/?token=BQYA%2f%2b==",
    ],
)
def test_push_services_are_allowed(keys: PushKeys, endpoint: str) -> None:
    assert keys.allows(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/x",
        "https://example.org/x",
        "https://fcm.googleapis.com",
        "https://fcm.googleapis.com/",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com.example.org/x",
        "https://evilfcm.googleapis.com/x",
        "https://push.apple.com.example.org/x",
        "https://evilpush.apple.com/x",
        "https://user@fcm.googleapis.com/x",
        "https://example.org\\@fcm.googleapis.com/x",
        "https://fcm.googleapis.com\\@example.org/x",
        "https://fcm.googleapis.com/x#y",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/x\r\nhost: example.org",
        "https://fcm.googleapis.com/x\n",
        "https://FCM.googleapis.com/x",
        "https://fcm.googleapis.com./x",
        "https://ｆcm.googleapis.com/x",
        "https://fcm.googleapis.com/" + "x" * 1001,
        "file:///etc/passwd",
    ],
)
async def test_nothing_else_is_asked(tmp_path: Path, keys: PushKeys, endpoint: str) -> None:
    assert not keys.allows(endpoint)
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, log):
        assert tables.calls is not None
        (one, two), (key, _) = await seated(tables)
        wish = msgspec.structs.replace(PHONE.wish(), endpoint=endpoint)
        with pytest.raises(BadRequest, match="push service"):
            await tables.calls.settle(one.table.row, 1, hash_token(key), wish)
        # Stored all the same, by an earlier version or someone with the database: it is dropped.
        await log.set_push(PushRow(one.table.row.table, hash_token(key), endpoint, wish.p256dh, wish.auth, 1))
        await one.move()
        one.go()
        await two.move()
        await sent(tables)
        assert service.requests == []
        assert await log.pushes(one.table.row.table, 1) == []


# When -----------------------------------------------------------------------------------------------------


async def test_who_is_away_is_called_once_a_turn_and_at_the_end(tmp_path: Path, keys: PushKeys) -> None:
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, other) = await seated(tables)
        await turn_on(tables, one, key)
        await turn_on(tables, two, other, here := Browser("desk"))
        name = one.table.row.table
        await one.move()
        await two.move()  # seat 1 is here, and sees it
        await sent(tables)
        assert service.requests == []
        await one.move()
        one.go()
        card = two.sync["scene"]["choices"][0]["action"]
        await two.do("move", card)
        await sent(tables)
        assert service.requests == []
        await two.do("move", "end")
        await sent(tables)
        turn = {"title": "Duel", "body": f"It's your turn at table {name}.", "link": f"t/{name}#@{name}"}
        assert service.told(PHONE) == [turn]
        await two.do("offer")
        await sent(tables)
        offer = turn | {"body": f"You're offered a draw at table {name}."}
        assert service.told(PHONE) == [turn, offer]
        await one.come()  # looks, and moves
        card = one.sync["scene"]["choices"][0]["action"]
        await one.do("move", card)
        one.go()
        await two.do("resign")
        await sent(tables)
        over = turn | {"body": f"The game is over at table {name}."}
        assert service.told(PHONE) == [turn, offer, over]
        assert service.told(here) == []


async def test_who_leaves_as_the_turn_comes_is_called_unless_they_have_moved(
    tmp_path: Path, keys: PushKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "SETTLING", 0.2)
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        await two.move()
        await one.move()
        one.go()
        await sent(tables)
        assert service.requests == []
        await one.come()
        await two.move()
        one.go()  # the connection had been dead for a while
        await sent(tables)
        assert len(service.requests) == 1


async def test_a_programs_move_calls_as_well(tmp_path: Path, keys: PushKeys) -> None:
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, _) = await seated(tables, seats=3, players=["person", "person", "random"])
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        await two.move()
        await asked(service)
        await sent(tables)
        assert [each["body"][:14] for each in service.told(PHONE)] == ["It's your turn"]


async def test_of_several_processes_the_one_that_wrote_the_move_calls(another: Open, keys: PushKeys) -> None:
    service, logs, games = PushService(), [another(), another()], DuelProvider()
    calls = [Calls(log, games, keys, service.transport) for log in logs]
    tables = [
        TableRegistry(log, games, Limits(program_pause=0), calls=each)
        for log, each in zip(logs, calls, strict=True)
    ]
    try:
        await connected(*logs)
        (one, _), (key, other) = await seated(tables[0])
        await turn_on(tables[0], one, key)
        two = await Guest(*await tables[1].open(one.table.row.table, other)).come()
        await one.move()
        await until(lambda: two.version >= 2)
        await two.move()  # seat 1 is here, though in another process
        await asyncio.gather(*map(sent, tables))
        assert service.requests == []
        await until(lambda: one.version >= 4)
        await one.move()
        one.go()
        await until(lambda: two.version >= 6 and two.last("present")["seats"] == [2])
        await two.move()
        await asyncio.gather(*map(sent, tables))
        await asyncio.sleep(0.3)
        assert len(service.requests) == 1
    finally:
        for each, sender, log in zip(tables, calls, logs, strict=True):
            each.close()
            await sender.close()
            await log.stop()


async def test_a_key_calls_at_rematches_and_no_longer_once_it_is_blocked(
    tmp_path: Path, keys: PushKeys
) -> None:
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, log):
        (one, two), (key, other) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        name = await tables.deal_again(two.table.row, None)
        rival = await Guest(*await tables.open(name, other)).come()
        assert rival.seat == 1
        await rival.move()
        await sent(tables)
        assert [each["link"] for each in service.told(PHONE)] == [f"t/{name}#@{one.table.row.table}"]
        await log.set_blocked(name, [2], blocked=True)
        await two.move()
        await sent(tables)
        assert len(service.requests) == 1


async def test_only_players_in_games_of_days_are_offered_it(tmp_path: Path, keys: PushKeys) -> None:
    async with calling_tables(tmp_path, keys, PushService()) as (tables, _):
        calls = tables.calls
        assert calls is not None
        (one, _), (key, _) = await seated(tables)
        assert (await calls.settle(one.table.row, 1, hash_token(key), PushWish())).key == keys.public
        for seat, clock in ((0, DAYS), (1, None), (1, ClockRule(kind="move", seconds=60))):
            (guest, _), (key, _) = await seated(tables, clock=clock)
            of = guest.table.row
            assert (await calls.settle(of, seat, hash_token(key), PushWish())).key == ""
            with pytest.raises(NotAllowed, match="games that last days"):
                await calls.settle(of, seat, hash_token(key), PHONE.wish())
        bad = msgspec.structs.replace(PHONE.wish(), auth="x")
        with pytest.raises(BadRequest, match="subscription"):
            await calls.settle(one.table.row, 1, hash_token(key), bad)


async def test_it_can_be_turned_off_for_one_browser(tmp_path: Path, keys: PushKeys) -> None:
    service, desk = PushService(), Browser("desk", "web.push.apple.com")
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        assert tables.calls is not None
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await turn_on(tables, one, key, desk)
        state = await tables.calls.settle(one.table.row, 1, hash_token(key), PHONE.wish(on=False))
        assert not state.on
        assert (await tables.calls.settle(one.table.row, 1, hash_token(key), desk.wish(on=None))).on
        await one.move()
        one.go()
        await two.move()
        await sent(tables)
        assert service.told(PHONE) == []
        assert len(service.told(desk)) == 1


# What push services, the log and files learn ----------------------------------------------------------------


async def test_push_services_learn_nothing_but_the_time_and_the_host(tmp_path: Path, keys: PushKeys) -> None:
    service = PushService()
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, other) = await seated(tables)
        await turn_on(tables, one, key)
        await one.table.introduce(2, "Grace", "")
        await two.say("my cards are 1, 2 and 3")
        await one.move("bury")
        one.go()
        await two.move("bury")
        await two.do("resign")
        await sent(tables)
        assert len({len(each.content) for each in service.requests}) == 1  # its length says nothing either
        for request in service.requests:
            told = f"{request.method} {request.headers}".encode() + request.content
            for secret in (key, other, one.table.row.table, "Grace", "duel", "turn"):
                assert secret.encode() not in told
            assert request.headers["ttl"] == str(DAYS.seconds)
            assert len(request.headers["topic"]) <= 32
            assert not request.headers.get("cookie")
        for message in service.told(PHONE):
            assert sorted(message) == ["body", "link", "title"]
            assert key not in str(message)
            assert "card" not in str(message)


async def test_addresses_of_browsers_are_in_no_log_record_or_export(
    tmp_path: Path, keys: PushKeys, caplog: pytest.LogCaptureFixture
) -> None:
    service = PushService(lambda _: 400)
    browser = Browser("a-very-secret-address")
    with caplog.at_level(logging.DEBUG):
        async with calling_tables(tmp_path, keys, service) as (tables, log):
            (one, two), (key, _) = await seated(tables)
            await turn_on(tables, one, key, browser)
            await one.move()
            one.go()
            await two.move()
            await sent(tables)
            await two.do("resign")
            assert "a-very-secret-address" not in await two.table.questions.record(2)
            await write_archive(log, tmp_path / "export.gz")
            stored = msgspec.json.encode(await log.stored(one.table.row.table))
            assert b"very-secret" not in stored
            assert str(hash_token(key)) not in await two.table.questions.record(2)
    assert "the push service fcm.googleapis.com answered 400" in caplog.text
    assert "very-secret" not in caplog.text


# What goes wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, keys: PushKeys, status: int) -> None:
    service = PushService(lambda _: status)
    async with calling_tables(tmp_path, keys, service) as (tables, log):
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        await two.move()
        await sent(tables)
        assert len(service.requests) == 1
        assert await log.pushes(one.table.row.table, 1) == []


@pytest.mark.parametrize(
    ("statuses", "tries"), [([500, 429, 201], 3), ([503] * 9, 4), ([302], 1), ([403], 1)]
)
async def test_what_fails_is_tried_again_a_few_times_and_no_redirect_is_followed(
    tmp_path: Path, keys: PushKeys, monkeypatch: pytest.MonkeyPatch, statuses: list[int], tries: int
) -> None:
    monkeypatch.setattr(calling, "PAUSES", (0.01, 0.01, 0.01))
    service = PushService(lambda count: statuses[count - 1])
    async with calling_tables(tmp_path, keys, service) as (tables, log):
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        await two.move()
        await sent(tables)
        assert [str(each.url) for each in service.requests] == [PHONE.endpoint] * tries
        assert len(await log.pushes(one.table.row.table, 1)) == 1


async def test_who_comes_meanwhile_is_not_called_again(
    tmp_path: Path, keys: PushKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "PAUSES", (1.0,))
    service = PushService(lambda _: 500)
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        await two.move()
        await asked(service)
        await one.come()
        await sent(tables)
        assert len(service.requests) == 1


async def test_a_silent_push_service_delays_no_move(tmp_path: Path, keys: PushKeys) -> None:
    async def never(_: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        return httpx.Response(201)

    service = PushService()
    service.transport = httpx.MockTransport(never)
    async with calling_tables(tmp_path, keys, service) as (tables, _):
        (one, two), (key, _) = await seated(tables)
        await turn_on(tables, one, key)
        await one.move()
        one.go()
        async with asyncio.timeout(PATIENCE):
            await two.move()
        assert tables.calls is not None
        assert (one.table.row.table, 1) in tables.calls._calling


# The store, on SQLite and on PostgreSQL ---------------------------------------------------------------------


async def test_a_key_keeps_its_newest_browsers(another: Open) -> None:
    log = another()
    try:
        await log.create(row("t", b"0", b"1", b"2"))
        for at in range(KEY_PUSHES + 2):
            await log.set_push(PushRow("t", b"1", f"https://push.apple.com/{at}", "p", "a", at))
        kept = await log.pushes("t", 1)
        assert [each.at for each in kept] == list(range(2, KEY_PUSHES + 2))
        again = msgspec.structs.replace(kept[0], auth="b", at=99)
        await log.set_push(again)
        assert (await log.pushes("t", 1))[-1] == again
        await log.set_push(PushRow("t", b"2", again.endpoint, "p", "a", 5))
        await log.drop_push(again.endpoint, b"1")
        assert again not in await log.pushes("t", 1)
        assert len(await log.pushes("t", 2)) == 1
        await log.drop_push(again.endpoint)
        assert await log.pushes("t", 2) == []
        with pytest.raises(UnknownTable):
            await log.set_push(msgspec.structs.replace(again, table="u"))
        await log.delete("t")
        await log.create(row("t", b"0", b"1", b"2"))
        assert await log.pushes("t", 1) == []
    finally:
        await log.stop()


# The keys -------------------------------------------------------------------------------------------------


def test_keys_are_made_once_and_for_the_host_alone(tmp_path: Path) -> None:
    assert read_keys(tmp_path) is None
    path = make_keys(tmp_path, "mailto:host@example.org")
    assert path.stat().st_mode & 0o077 == 0
    before = path.read_bytes()
    with pytest.raises(StartError, match="exists already"):
        make_keys(tmp_path, "mailto:host@example.org")
    assert path.read_bytes() == before
    kept = json.loads(before)
    path.write_text(json.dumps(kept | {"hosts": ["push.example.org"]}))
    made = read_keys(tmp_path)
    assert made is not None
    assert made.allows("https://push.example.org/x")
    assert not made.allows("https://www.push.example.org/x")


@pytest.mark.parametrize("contact", ["", "host@example.org", "mailto:", "mailto:a b@c", "javascript:x"])
def test_a_contact_is_an_address(tmp_path: Path, contact: str) -> None:
    with pytest.raises(StartError, match="mailto:"):
        make_keys(tmp_path, contact)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Input data was truncated"),
        ("{}", "'contact' is missing"),
        ("[]", "it is a list; it must be a table of keys"),
        ('{"contact": "mailto:a@b", "private": "AA"}', "its private key isn't valid"),
        ('{"contact": "mailto:a@b", "private": "secret!"}', "its private key isn't valid"),
        ('{"contact": "x", "private": "AQ"}', "its contact isn't an address"),
        ('{"contact": "mailto:a@b", "private": "AQ", "host": []}', "there is no key 'host'"),
        ('{"contact": "mailto:a@b", "private": "AQ", "hosts": "a.example"}', "hosts is a text"),
        (
            '{"contact": "mailto:a@b", "private": "AQ", "hosts": ["https://a.example/"]}',
            "'https://a.example/' isn't a host name such as push.example.org",
        ),
        ('{"contact": "mailto:a@b", "private": "AQ",}', "JSON is malformed"),
        ("\udcff", ""),
    ],
)
def test_a_file_with_something_else_is_refused_without_being_shown(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(StartError, match="isn't what `bartizan tables push-keys` writes: ") as refused:
        read_keys(tmp_path)
    assert why in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_host_may_allow_more_push_services(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(
        '{"contact": "mailto:a@b", "private": "AQ", "hosts": ["push.example.org", ".more.example"]}'
    )
    keys = read_keys(tmp_path)
    assert keys is not None
    assert keys.allows("https://push.example.org/a")
    assert keys.allows("https://x.more.example/a")
    assert not keys.allows("https://x.push.example.org/a")
