"""Learn a game by its lessons, with the mouse, by finger and by keyboard, and solve a puzzle."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bartizan.engine import registry
from bartizan.match.lessons import find_lesson, read_lessons, read_puzzles
from bartizan.match.tutor import LOOKED, Tutor
from tests.browser.looks import faults_of, schemes_of
from tests.browser.room import OVERFLOW, Room, Rooms

GAME = "castle-danger"


def go_through(room: Room, lesson: str, *, keys: bool = False) -> None:
    """Do a lesson on the page as its tutor shows."""
    tutor = Tutor(*find_lesson(GAME, lesson))
    say = room.page.locator(".coach .say")
    while tutor.task is not None:
        expect(say.last).to_have_text(tutor.task.say)
        expect(room.page.locator(".exercise")).to_have_attribute("aria-busy", "false")  # ready
        move = tutor.next_shown
        if move is None:
            if keys:
                room.page.keyboard.press("Enter")
            else:
                room.press(room.button("Continue"))
            tutor.attempt(LOOKED)
            continue
        choice = next(one for one in tutor.scene.choices if one.action == move.action)
        if keys:
            room.page.keyboard.press("s")
            expect(room.button("Play it")).to_be_focused()
            room.page.keyboard.press("Enter")
            expect(room.button("Play it")).to_have_count(0)
        else:
            for id_ in choice.items:
                room.press(room.thing(id_).first)
            same = [one for one in tutor.scene.choices if set(choice.items) <= set(one.items)]
            if len(same) > 1 or not choice.items:
                room.press(room.page.get_by_role("button", name=re.compile(re.escape(choice.label))).first)
        tutor.attempt(move.action)


@pytest.mark.parametrize("game", registry.names())
def test_what_a_lesson_asks_fits_on_a_small_phone(game: str, rooms: Rooms) -> None:
    room = rooms.open(phone=True, width=360, height=740)
    for lesson in read_lessons(registry.get(game)).lesson:
        room.goto(f"/learn/{game}#{lesson.id}")
        expect(room.page.locator(".coach .does button").first).to_be_in_viewport(ratio=0.95)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_first_game_is_gone_through_to_the_real_one(rooms: Rooms, phone: bool) -> None:
    room = rooms.open(phone=phone, width=360 if phone else 1366)
    room.goto(f"/learn/{GAME}")
    lessons = [one.id for one in read_lessons(registry.get(GAME)).lesson]
    for number, lesson in enumerate(lessons[:4]):
        go_through(room, lesson)
        expect(room.page.get_by_role("button", name=re.compile("^Next: "))).to_be_focused()
        if number == 1:
            assert faults_of(room.page, lesson, schemes=schemes_of(phone=phone)) == []
            assert room.page.evaluate(OVERFLOW) == []
        room.press(room.page.get_by_role("button", name=re.compile("^Next: ")))
    # What was done is kept; one comes back to where one was.
    room.goto("/")
    room.goto(f"/learn/{GAME}")
    expect(room.page.locator(".dots [aria-current]")).to_have_attribute(
        "aria-label", re.compile(f"^Lesson {5}:")
    )
    room.goto(f"/learn/{GAME}#{lessons[-1]}")
    go_through(room, lessons[-1], keys=not phone)
    room.press(room.button("Play a real game"))
    room.laid()
    assert room.setting["title"] == "Castle Danger"


def test_a_wrong_try_is_explained_where_it_was_made(rooms: Rooms) -> None:
    room = rooms.open()
    room.goto(f"/learn/{GAME}#steps")
    task = find_lesson(GAME, "steps")[1].task[0]
    expect(room.page.locator(".coach .say")).to_have_text(task.say)
    for id_ in ("f1", "g1"):
        room.press(room.thing(id_).first)
    expect(room.page.locator(".coach .wrong")).to_have_text(task.wrong["f1-g1"])
    assert task.wrong["f1-g1"] in room.spoken
    for id_ in ("f1", "f2"):
        room.press(room.thing(id_).first)
    refusal = room.page.locator(".coach .wrong")
    expect(refusal.get_by_role("button")).to_have_text(re.compile("CD-"))
    refusal.get_by_role("button").click()
    expect(room.dialog("Rules").locator("article.wanted")).to_be_in_viewport()
    room.page.keyboard.press("Escape")
    go_through(room, "steps", keys=True)


def test_a_puzzle_is_solved_alone_or_with_help(rooms: Rooms) -> None:
    puzzles = sorted(read_puzzles(registry.get(GAME)).puzzle, key=lambda one: (one.level, one.id))
    room = rooms.open()
    begun = []
    room.page.on(
        "request", lambda one: begun.append(one.post_data) if one.post_data == '{"done":[]}' else None
    )
    room.goto(f"/puzzles/{GAME}")
    go_through(room, puzzles[0].id)
    expect(room.page.get_by_text("Solved!")).to_be_visible()
    expect(room.page.get_by_text("Streak 1")).to_be_visible()
    assert faults_of(room.page, "a puzzle", schemes=schemes_of(phone=False)) == []
    room.press(room.button("Next puzzle"))
    go_through(room, puzzles[1].id, keys=True)  # by showing what is meant
    expect(room.page.get_by_text(f"1 of {len(puzzles)} solved")).to_be_visible()  # shown is not solved
    expect(room.page.get_by_text("That’s it.")).to_be_visible()
    expect(room.page.get_by_text("Streak 0")).to_be_visible()
    assert len(begun) == 2  # once each: what begins again forgets what was done meanwhile


def test_card_barrage_begins_with_a_throw(rooms: Rooms) -> None:
    room = rooms.open(width=900, height=700)
    room.excused.append("GPU stall due to ReadPixels")
    room.goto("/learn/card-barrage")
    expect(room.page.locator(".controls .words")).to_contain_text("comes down")  # the card is in the hand
    room.page.locator(".throw").click()
    expect(room.page.locator(".coach .good")).to_contain_text("That was a throw!")
    room.press(room.button("Continue"))
    room.press(room.page.get_by_role("button", name=re.compile("^Next: ")))
    expect(room.page.locator(".controls .words")).to_contain_text("comes down")
    room.page.keyboard.press("Shift+ArrowRight")
    for _ in range(7):
        room.page.keyboard.press("Shift+ArrowRight")
    room.page.keyboard.press("Enter")
    expect(room.page.locator(".coach .wrong")).to_contain_text("A miss")
    expect(room.page.locator(".throw")).to_be_visible()  # it is in the hand again
    room.press(room.button("Show me"))
    room.press(room.button("Play it"))
    expect(room.page.locator(".coach .good")).to_contain_text("One point.")


def test_a_course_without_puzzles_leads_to_none(rooms: Rooms) -> None:
    room = rooms.open(width=900, height=700)
    room.excused.append("GPU stall due to ReadPixels")
    room.goto("/learn/card-barrage#miss")
    for _ in find_lesson("card-barrage", "miss")[1].task:
        room.press(room.button("Show me"))
        room.press(room.button("Play it"))
        expect(room.button("Play it")).to_have_count(0)
    expect(room.button("Play a real game")).to_be_visible()
    expect(room.page.get_by_role("link", name="Puzzles")).to_have_count(0)


def test_the_dots_of_lessons_stand_in_one_row(rooms: Rooms) -> None:
    room = rooms.open(phone=True)
    room.goto("/learn/card-barrage")
    dots = room.page.get_by_role("list", name="Lessons").get_by_role("button")
    expect(dots.first).to_be_visible()
    boxes = dots.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 1
    assert min(min(box["width"], box["height"]) for box in boxes) >= 32
