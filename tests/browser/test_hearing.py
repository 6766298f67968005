"""Hear what a screen reader is told while a dialog is open: the page behind it is silent."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.house import House, Plan
from tests.browser.room import Room, Rooms

Node = dict[str, Any]


class Ear:
    """The accessibility tree, as the browser hands it to a screen reader."""

    def __init__(self, room: Room) -> None:
        wire = room.context.new_cdp_session(room.page)
        nodes: list[Node] = wire.send("Accessibility.getFullAXTree")["nodes"]
        wire.detach()
        self._nodes = {node["nodeId"]: node for node in nodes}

    def dialog(self) -> tuple[str, str]:
        """Return the name and the description of the dialog that is open."""
        (dialog,) = (node for node in self._heard() if node["role"]["value"] == "dialog")
        return dialog["name"]["value"], dialog.get("description", {}).get("value", "")

    def game_state(self) -> list[str]:
        """Return the words in each live region."""
        return [
            self._words(node) for node in self._heard() if _property(node, "live") == "polite" and _root(node)
        ]

    def _heard(self) -> list[Node]:
        return [node for node in self._nodes.values() if not node["ignored"]]

    def _words(self, node: Node) -> str:
        own = node["name"]["value"] if node.get("role", {}).get("value") == "StaticText" else ""
        return own + "".join(
            self._words(self._nodes[child]) for child in node.get("childIds", ()) if child in self._nodes
        )


def _property(node: Node, name: str) -> Any:
    return next((one["value"]["value"] for one in node.get("properties", ()) if one["name"] == name), None)


def _root(node: Node) -> bool:
    """Tell a live region from what lies in it and is live for that reason."""
    return node["role"]["value"] not in ("StaticText", "InlineTextBox")


def test_the_end_is_told_once_and_inside_its_dialog(rooms: Rooms, house: House, plan: Plan) -> None:
    table = house.deal(seed=plan.seed)
    house.play(table, [choice.text for choice in plan.choices[:-1]])
    room = rooms.at(table)
    assert any("Keys:" in words for words in Ear(room).game_state())
    ply = room.ply
    room.play(plan.choices[ply])
    expect(room.dialog("The end")).to_be_visible()
    result = room.scene["result"]
    ear = Ear(room)
    name, description = ear.dialog()
    assert name == "The end"
    assert description == f"{result['headline']} {result['text']}"
    assert not any(result["headline"] in words for words in ear.game_state())
    # The dialog gone, the table speaks again.
    room.page.keyboard.press("Escape")
    expect(room.dialog("The end")).to_be_hidden()
    room.page.keyboard.press("m")
    expect(room.page.locator("[aria-live]")).to_have_text("Sound off.")
    assert Ear(room).game_state() == ["Sound off."]


def test_what_happens_in_a_dialog_is_heard(rooms: Rooms, house: House) -> None:
    room = rooms.at(house.deal())
    room.press(room.button("Menu"))
    assert Ear(room).game_state() == [""]
    for press, words in (("Sound: on", "Sound off."), ("Sound: off", "Sound on.")):
        room.press(room.button(press))
        expect(room.dialog("Alcazar").get_by_role("status")).to_have_text(words)
        assert Ear(room).game_state() == [words]
