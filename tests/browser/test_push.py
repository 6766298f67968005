"""Notifications while no page is open: the switch in the menu, what the worker shows, and where it leads."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from bartizan.tables.webpush import make_keys, packed
from tests.browser.house import House
from tests.browser.room import Room
from tests.browser.test_people import Evening
from tests.tables.pushing import AUTH
from tests.tables.pushing import Browser as Receiver

SWITCH = "Tell me when it’s my turn, even if this page is closed"
DAYS = {"kind": "days", "seconds": 3 * 86_400}
# Chromium without Google's services can't subscribe: this stands for its push service.
SUBSCRIBED = """
const kept = () => JSON.parse(localStorage.getItem("pushed") || "null");
PushManager.prototype.getSubscription = async () => kept() && { toJSON: kept };
PushManager.prototype.subscribe = async (wanted) => {
    if (!wanted.userVisibleOnly || wanted.applicationServerKey.length !== 87) throw new Error("not so");
    localStorage.setItem("pushed", JSON.stringify(SUBSCRIPTION));
    return { toJSON: kept };
};
"""
# Headless Chromium shows no notifications: these stand for what it would show, and for a click on it.
SHOWING = """() => {
    self.shown = [];
    registration.showNotification = async (title, options) => void shown.push({ title, ...options });
}"""
CLICKED = """async () => {
    const opened = [];
    clients.openWindow = async (url) => void opened.push(String(url));
    clients.matchAll = async () => [];
    const click = new Event("notificationclick");
    click.notification = { data: shown[0].data, close() {} };
    let done;
    click.waitUntil = (work) => (done = work);
    dispatchEvent(click);
    await done;
    return opened;
}"""


@pytest.fixture(scope="module")
def calling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server whose host has made keys."""
    data = tmp_path_factory.mktemp("calling") / "data"
    data.mkdir(mode=0o700)
    make_keys(data, "mailto:host@example.org")
    house = House(data)
    yield house
    house.stop()


def come(evening: Evening, receiver: Receiver, *, allowed: bool = True) -> Room:
    """Come to seat 1 in a browser with a push service, and open the menu."""
    room = evening.rooms.open(kept=True)
    keys = {"p256dh": packed(receiver.point), "auth": packed(AUTH)}
    subscription = json.dumps({"endpoint": receiver.endpoint, "keys": keys})
    room.context.add_init_script(SUBSCRIBED.replace("SUBSCRIPTION", subscription))
    if allowed:
        room.context.grant_permissions(["notifications"], origin=evening.house.address)
    room.goto("/")  # the worker is registered once a page has loaded
    room.until(lambda: room.page.evaluate("!!navigator.serviceWorker.controller"))
    room.sit(f"{evening.house.address}/t/{evening.links['table']}#{evening.links['seats'][0]}")
    room.press(room.button("Menu"))
    return room


def test_a_switch_in_the_menu_turns_them_on_and_off(browser: Browser, calling: House) -> None:
    evening, receiver = Evening(browser, calling, clock=DAYS), Receiver("phone")
    room = come(evening, receiver)
    switch = room.page.get_by_label(SWITCH)
    expect(switch).not_to_be_checked()

    def is_on() -> bool:
        path = f"/api/tables/{evening.links['table']}/push"
        asked = calling.ask(path, {"endpoint": receiver.endpoint}, evening.links["seats"][0])
        return bool(asked.get("on"))

    switch.check()
    expect(switch).to_be_enabled()
    expect(switch).to_be_checked()
    assert is_on()
    room.page.reload()
    room.laid()
    room.press(room.button("Menu"))
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    assert not is_on()
    evening.rooms.close()


def test_without_permission_the_menu_says_so(browser: Browser, calling: House) -> None:
    evening = Evening(browser, calling, clock=DAYS)
    room = come(evening, Receiver("phone"), allowed=False)
    switch = room.page.get_by_label(SWITCH)
    room.press(switch)
    expect(room.page.get_by_role("alert")).to_contain_text("Your browser blocks notifications")
    expect(switch).not_to_be_checked()
    evening.rooms.close()


def test_a_notification_opens_its_table_with_this_browsers_key(browser: Browser, calling: House) -> None:
    evening = Evening(browser, calling, clock=DAYS)
    room = come(evening, Receiver("phone"))
    table = evening.links["table"]
    link = f"t/{table}#@{table}"
    wire = room.context.new_cdp_session(room.page)
    registered: list[str] = []
    wire.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registered.extend(each["registrationId"] for each in told["registrations"]),
    )
    wire.send("ServiceWorker.enable")
    room.until(lambda: bool(registered))
    (worker,) = room.context.service_workers
    worker.evaluate(SHOWING)
    for body in ("It's your turn", "You're offered a draw"):
        message = json.dumps({"title": "Castle Danger", "body": body, "link": link}).ljust(512)
        told = {"origin": calling.address, "registrationId": registered[-1], "data": message}
        wire.send("ServiceWorker.deliverPushMessage", told)
    room.until(lambda: worker.evaluate("shown.length") == 2)
    first, second = worker.evaluate("shown")
    assert (first["title"], first["body"]) == ("Castle Danger", "It's your turn")
    assert room.context.request.get(first["icon"]).ok
    assert first["tag"] == second["tag"]  # so the second takes the first one's place
    assert worker.evaluate(CLICKED) == [f"{calling.address}/{link}"]
    room.goto(f"/{link}")
    room.laid()
    assert room.scene["seat"] == 1
    assert room.page.url.endswith(f"#{evening.links['seats'][0]}")
    room.goto(f"/t/rematch#@{table}")  # not known yet, but opened by the same key
    room.until(lambda: room.page.url.endswith(f"/t/rematch#{evening.links['seats'][0]}"))
    evening.rooms.close()


@pytest.mark.parametrize("clock", [None, {"kind": "move", "seconds": 3600}])
def test_it_is_only_for_games_that_last_days(browser: Browser, calling: House, clock: object) -> None:
    evening = Evening(browser, calling, clock=clock)
    room = come(evening, Receiver("phone"))
    expect(room.page.get_by_role("button", name="Notify me")).to_be_visible()
    expect(room.page.get_by_label(SWITCH)).to_have_count(0)
    evening.rooms.close()


def test_a_server_without_keys_offers_none(browser: Browser, house: House) -> None:
    evening = Evening(browser, house, clock=DAYS)
    room = come(evening, Receiver("phone"))
    with room.page.expect_response("**/push"):
        room.page.reload()
        room.laid()
        room.press(room.button("Menu"))
    expect(room.page.get_by_role("button", name="Notify me")).to_be_visible()
    expect(room.page.get_by_label(SWITCH)).to_have_count(0)
    evening.rooms.close()
