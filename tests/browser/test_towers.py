"""Play with towers and attacks in flight: by mouse, by ear, with a finger, and after one's own tower fell."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from bartizan.engine.scene import Choice
from bartizan.match import Match
from tests.browser.house import House, Table
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import Room, Rooms
from tests.browser.test_access import PHONE_WIDTH
from tests.browser.test_keyboard import Player

PERSON = "person"


def advised(match: Match) -> Choice:
    """Return the choice that the advice prefers."""
    action = match.views.hints(1, player="greedy")[0].action
    return next(one for one in match.views.scene(match.seat_to_move).choices if one.action == action)


class Siege:
    """A game at a table of the server's, with its copy here, which knows what the server will not tell."""

    def __init__(self, house: House, seed: str, players: Sequence[str]) -> None:
        self.house = house
        self.players = players
        asked = {"game": "tower", "seats": len(players), "players": list(players), "seed": seed}
        links = house.ask("/api/tables", {**asked, "open_seed": list(players).count("person") > 1})
        self.tables = [Table(links["table"], seat, links["spectator"]) for seat in links["seats"]]
        self.watched = Table(links["table"], links["spectator"], links["spectator"])
        self.match = Match("tower", seats=len(players), seed=seed)

    @property
    def is_persons(self) -> bool:
        """Say whether the table waits for a person."""
        seat = self.match.seat_to_move
        return seat > 0 and self.players[seat - 1] == PERSON

    def choice(self) -> Choice:
        """Return the choice that the advice prefers."""
        return advised(self.match)

    def follow(self, room: Room | None = None) -> None:
        """Play here what was played there, the moves of programs too."""
        while True:
            for move in self.house.moves(self.watched)[self.match.ply :]:
                self.match.play(move)
            if self.match.is_over or self.is_persons:
                break
            time.sleep(0.02) if room is None else room.page.wait_for_timeout(20)
        if room is not None:
            room.laid(self.match.ply)

    def advance(self, until: Callable[[Match], bool], how: Callable[[Match], Choice] | None = None) -> None:
        """Play without a browser, as the advice says unless told how, to where a person is asked."""
        self.follow()
        while not (self.match.is_over or until(self.match)):
            seat, move = self.match.seat_to_move, (how or advised)(self.match).text
            self.house.play(self.tables[seat - 1], [move])
            self.match.play(move)
            if not self.is_persons:
                self.follow()


def touch(room: Room, id_: str) -> None:
    """Touch a thing, a place, a pile, or a tower as a whole by its name."""
    whole = room.page.locator(f'[data-zone="{id_}"].kind-levels button.label')
    if whole.count():
        room.press(whole)
    else:
        room.touch(id_)


def play(room: Room, choice: Choice) -> None:
    """Play a choice by touching its things; where another has the same things, by its button in the end."""
    ply, offered = room.ply, room.scene["choices"]
    for id_ in choice.items:
        touch(room, id_)
    fitting = [one for one in offered if set(choice.items) <= set(one.get("items", ()))]
    if not choice.items or len(fitting) > 1:
        room.press(room.ready(choice))
    room.until(lambda: room.ply > ply)


def fates(room: Room) -> dict[str, str]:
    """Return what the page says would become of levels."""
    found = room.page.locator(".levels [data-item][data-mark]").all()
    return {str(one.get_attribute("data-item")): str(one.get_attribute("data-mark")) for one in found}


def step(room: Room) -> Locator:
    return room.page.get_by_role("list", name="Steps of the turn").locator("[aria-current=step]")


def in_battle(match: Match) -> bool:
    """Say whether the first seat has an attack to send, one to stop, and others fly."""
    if match.seat_to_move != 1:
        return False
    scene = match.views.scene(1)
    verbs = {choice.verb for choice in scene.choices}
    flying = next(zone for zone in scene.zones if zone.kind == "lanes")
    return {"Attack", "Deflect"} <= verbs and len(flying.items) >= match.seats


def attack(match: Match) -> Choice:
    """Return an attack that would do two things to a tower."""
    choices = match.views.scene(match.seat_to_move).choices
    return max((one for one in choices if one.verb == "Attack"), key=lambda one: len(one.marks))


def test_a_game_by_mouse_against_a_program(rooms: Rooms, house: House) -> None:
    siege = Siege(house, "232", [PERSON, "greedy"])
    room = rooms.at(siege.tables[0])
    page = room.page
    verbs = set()
    siege.follow(room)
    while not siege.match.is_over:
        choice = siege.choice()
        status = siege.match.views.scene(1).status
        expect(step(room)).to_contain_text(status.steps[status.step])
        if choice.verb == "Attack" and choice.verb not in verbs:
            # What it would do to each level is seen before it is sent: over the tower, and at its button.
            touch(room, choice.items[0])
            page.locator(f'[data-zone="{choice.target}"] .base').hover()
            room.until(lambda choice=choice: fates(room) == choice.marks)  # type: ignore[misc]
            page.keyboard.press("Escape")
            expect(page.locator("[data-item][data-mark]")).to_have_count(0)
        verbs.add(choice.verb)
        play(room, choice)
        siege.follow(room)
    assert {"Lay the tower", "Attack", "Hit", "Deflect", "Draw"} <= verbs
    result = siege.match.views.scene(1).result
    assert result is not None
    won = result.outcome.winners == (1,)
    expect(room.dialog("The end")).to_contain_text("You win." if won else result.headline)
    assert house.moves(siege.tables[0]) == siege.match.moves


def test_an_attack_and_what_could_stop_it_mark_each_other(rooms: Rooms, house: House) -> None:
    siege = Siege(house, "1", [PERSON, PERSON])
    siege.advance(in_battle)
    room = rooms.at(siege.tables[0])
    page = room.page
    lanes: list[Any] = next(zone["items"] for zone in room.scene["zones"] if zone["kind"] == "lanes")
    coming = next(item for item in lanes if item["course"].get("answers"))
    lane, answers = room.thing(coming["id"]), coming["course"]["answers"]

    # Who, at whom, and when it lands.
    expect(lane).to_contain_text(re.compile(r"You.*Red.*next turn", re.DOTALL))
    expect(lane).to_have_accessible_name(re.compile("from Red at Blue.*can deflect it"))
    marked = page.locator(".answer")
    lane.hover()
    expect(marked).to_have_count(len(answers))
    for answer in answers:
        expect(room.thing(answer)).to_have_class(re.compile("answer"))
    assert fates(room) == coming["course"]["marks"]
    room.thing(answers[0]).hover()
    expect(lane).to_have_class(re.compile("answer"))
    page.locator(".prompt").hover()
    expect(marked).to_have_count(0)

    # The keyboard's focus points as well; and the wheel turns to the suit that is looked at.
    lane.focus()
    expect(marked).to_have_count(len(answers))
    suit = room.setting["theme"]["suits"][coming["face"][-1]]["name"]
    expect(page.get_by_role("complementary")).to_contain_text(f"{suit} beats ")

    # Held, a card says of all towers and attacks at once what it could do.
    choice = attack(siege.match)
    touch(room, choice.items[0])
    page.locator(".prompt").hover()
    room.until(lambda: choice.marks.items() <= fates(room).items())


def reckless(match: Match) -> Choice:
    """Return a choice of who attacks the other person at the table and cares for nothing else."""
    seat = match.seat_to_move
    choices = match.views.scene(seat).choices
    attacks = [one for one in choices if one.verb == "Attack" and one.target == f"tower:{3 - seat}"]
    if attacks:
        return max(attacks, key=lambda one: sum(mark == "destroyed" for mark in one.marks.values()))
    hits = [one for one in choices if one.verb == "Hit"]
    discards = [one for one in choices if one.verb == "Discard"]
    return next(iter(hits or discards), advised(match))


def has_fallen_in_time(match: Match) -> bool:
    """Say whether the second seat is out, and after the first one's turn an attack of it will do harm."""
    if match.seat_to_move != 1 or not match.views.scene(2).status.prompt.startswith("You are out"):
        return False
    flying = next(zone for zone in match.views.scene(1).zones if zone.kind == "lanes").items
    courses = [item.course for item in flying if item.owner == 2 and item.course]
    return any(course.turns == 1 and course.marks for course in courses)


def test_who_is_out_watches_and_still_directs_an_attack(rooms: Rooms, house: House) -> None:
    """Two people and a program: a tower falls while its attack flies, and that lands at its time."""
    blue = rooms.open()
    blue.goto("/api/throws")
    # What the program does is partly random: it may be that these seeds come out otherwise.
    for seed in ("29", "30", "28", "35", "16", "33", "3", "13", "23", "12"):
        siege = Siege(house, seed, [PERSON, PERSON, "greedy"])
        # The program moves as long as somebody is at the table; a page there would draw every move of it.
        blue.page.evaluate(
            """([address, key]) => {
                window.wire = new WebSocket(address);
                window.wire.onopen = () => window.wire.send(JSON.stringify({ type: "enter", key }));
            }""",
            [house.socket(siege.tables[0].table), siege.tables[0].seat],
        )
        siege.advance(has_fallen_in_time, reckless)
        if not siege.match.is_over:
            break
    else:
        pytest.fail("In none of these games did a tower fall in time.")
    blue.sit(house.link(siege.tables[0]))
    red = rooms.at(siege.tables[1], phone=True, width=PHONE_WIDTH)
    prompt = red.page.locator(".prompt")
    sent = red.page.locator(".lane.sent")

    # The tower is gone, what it sent flies on, and there is nothing to do but to watch.
    red.laid(siege.match.ply)
    expect(prompt).to_contain_text("You are out but can keep watching.")
    expect(blue.page.locator('[data-zone="tower:2"]')).to_contain_text("Red is out.")
    expect(red.page.locator('[data-zone="tower:2"]')).to_contain_text("Red is out.")
    expect(sent.filter(has_text="next turn")).not_to_have_count(0)
    assert "choices" not in red.scene
    while siege.match.seat_to_move == 1:
        choices = siege.match.views.scene(1).choices
        play(blue, next((one for one in choices if one.verb in ("Hit", "Discard", "Draw")), siege.choice()))
        siege.follow(blue)

    # At the time at which his turn would have begun he directs it, and the others play on.
    red.laid(siege.match.ply)
    expect(prompt).to_contain_text("your attack arrives, although you are out. Choose the level it hits.")
    expect(step(red)).to_contain_text("Attacks arrive")
    while siege.match.seat_to_move == 2:
        play(red, siege.choice())
        siege.follow()
    for room in (blue, red):
        room.laid(siege.match.ply)
        expect(room.page.locator(".lane.soon").filter(has_text="Red")).to_have_count(0)
    told = [event for line in siege.match.views.log(2) for event in line.events]
    assert any(re.match(r"Blue's .* is (damaged|destroyed)", event) for event in told[-6:])
    expect(prompt).to_contain_text("You are out but can keep watching.")


def test_half_a_game_by_keyboard_and_ear(rooms: Rooms, house: House) -> None:
    """Do what the live region says can be done, from the middle of a game against a program to its end.

    Of this deal the advice makes a short game, so that what the hints say is heard, but not played.
    """
    siege = Siege(house, "232", [PERSON, "greedy"])
    with house.wire(siege.tables[0].table, siege.tables[0].seat):  # a program moves while someone is there
        siege.advance(lambda match: match.ply >= 30)
    player = Player(rooms.at(siege.tables[0]))
    used = {"digit": 0, "typed": 0}
    heard = [player.told.text]
    while True:
        while not (player.told.keys or player.told.moves or re.search(r"wins|The game is", player.told.text)):
            player.listen(bool)
            heard.append(player.told.text)
        told = player.told
        if not (told.keys or told.moves):
            break
        siege.follow()
        wanted = siege.choice().text
        if sum(used.values()) < 3:
            choices = siege.match.views.scene(1).choices
            assert player.hint() in {name for choice in choices for name in (choice.text, choice.label)}
        offered = [number for number, label in told.keys.items() if label == wanted]
        if offered:
            player.press(str(offered[0]), until=lambda text: not text.startswith("Hint"))
        else:
            player.type(wanted)
        used["digit" if offered else "typed"] += 1
        heard.append(player.told.text)
        assert sum(used.values()) < 400
    siege.follow()
    assert siege.match.is_over, player.told.text
    result = siege.match.views.scene(1).result
    assert result is not None
    assert result.headline in player.told.text
    assert any("is destroyed." in text for text in heard)
    assert any("Choose the level it hits." in text for text in heard)


def test_a_phone_shows_what_an_attack_would_do_and_the_wheel(rooms: Rooms, house: House) -> None:
    siege = Siege(house, "1", [PERSON] * 4)
    siege.advance(in_battle)
    room = rooms.at(siege.tables[0], phone=True, width=PHONE_WIDTH, height=740)
    page = room.page
    hand = page.locator('[data-zone="hand:1"] [data-item]')
    for card in hand.all():
        expect(card).to_be_in_viewport()  # though the felt is longer than the screen
    choice = attack(siege.match)
    touch(room, choice.items[0])
    room.until(lambda: choice.marks.items() <= fates(room).items())
    room.press(room.button("Cancel"))
    expect(page.locator("[data-item][data-mark]")).to_have_count(0)

    room.press(room.button("Which suit beats which"))
    aid = room.dialog("Which suit beats which")
    expect(aid.get_by_role("row", name="rock Foundation scissors and lizard paper and water")).to_be_visible()
    expect(aid.locator("figure svg .arrow")).to_have_count(10)
    room.press(aid.get_by_role("button", name="Close"))
    page.keyboard.press("a")
    expect(aid).to_be_visible()
    page.keyboard.press("Escape")
    expect(aid).to_be_hidden()


@pytest.mark.parametrize(
    ("phone", "seats"),
    [(False, 2), (True, 4)],
    ids=["desk", "phone of 4"],
)
def test_axe_finds_nothing_at_towers(rooms: Rooms, house: House, phone: bool, seats: int) -> None:
    siege = Siege(house, "1", [PERSON] * seats)
    schemes = schemes_of(phone=phone)
    building = rooms.at(siege.tables[0], phone=phone, width=PHONE_WIDTH if phone else 0)
    faults = faults_of(building.page, "building", schemes=schemes)
    rooms.leave(building)
    siege.advance(in_battle)
    room = rooms.at(siege.tables[0], phone=phone, width=PHONE_WIDTH if phone else 0)
    faults += faults_of(room.page, "table", schemes=schemes)
    touch(room, attack(siege.match).items[0])
    faults += faults_of(room.page, "an attack to send", schemes=schemes)
    room.page.keyboard.press("Escape")
    room.page.locator(".lanes [data-item]").first.focus()
    faults += faults_of(room.page, "an attack looked at", schemes=schemes)
    room.page.keyboard.press("a")
    expect(room.dialog("Which suit beats which").locator("figure")).to_be_visible()
    faults += faults_of(room.page, "wheel", schemes=schemes)
    assert faults == []
