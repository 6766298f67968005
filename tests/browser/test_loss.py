"""Kill the server under a page, and let the table go on where it was."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.room import Room, Rooms


def test_a_killed_server_loses_nothing(frail: House, rooms: Rooms, plan: Plan) -> None:
    table = frail.deal(seed=plan.seed)
    room = rooms.at(table, house=frail)
    # The browser itself writes these when nobody answers.
    room.excused += ["WebSocket connection to .* failed: Error in connection establishment"]
    gone = room.page.get_by_text("Connection lost. Reconnecting …")
    texts = [choice.text for choice in plan.choices]

    for choice in plan.choices[:3]:
        room.play(choice)
    laid = hand(room)
    frail.kill()
    expect(gone).to_be_visible()
    frail.start()
    expect(gone).to_be_hidden()
    expect(room.page.get_by_text("Connection: open")).to_be_attached()
    assert hand(room) == laid
    assert frail.moves(table) == texts[:3]
    room.play(plan.choices[3])

    # A move made while nobody answers is played once, when the server is back.
    frail.kill()
    expect(gone).to_be_visible()
    choice = plan.choices[4]
    for id_ in choice.items:
        room.touch(id_)
    room.confirm(choice, choice.items)
    expect(room.page.get_by_text("Keep this page open: your move will be sent.")).to_be_visible()
    frail.start()
    room.laid(5)
    expect(gone).to_be_hidden()
    assert frail.moves(table) == texts[:5]

    # Undo and redo are in the log too, and a page loaded anew knows all that this one did.
    room.press(room.button("Undo"))
    room.laid(4)
    frail.kill()
    frail.start()
    room.scene = {}
    room.page.reload()
    room.laid(4)
    expect(room.button("Redo")).to_be_enabled()
    room.press(room.button("Redo"))
    room.laid(5)
    for ply in range(5, 8):
        room.play(plan.choices[ply])
    assert frail.moves(table) == texts[:8]


def hand(room: Room) -> list[str]:
    return room.spoken_names('[data-zone="hand"] [data-item]')
