"""Check how scenes tell moves that everybody sees, and what they ask before a turn is cut short."""

from __future__ import annotations

from bartizan.match import Match


def test_a_line_tells_the_move_and_its_places() -> None:
    match = Match("castle-danger", seed="1")
    for move in ("add cannon", "d1-d2", "d2-d3", "d3-d4", "d4-e4", "end", "e4-f4", "fire f4 f8", "end"):
        match.play(move)
    scene = match.views.scene(2)
    slots = {slot.id for zone in scene.zones for slot in zone.slots}
    assert all(slots.issuperset(line.items) for line in scene.log)
    told = [(line.move, line.label, line.items) for line in scene.log]
    assert told[0] == ("add cannon", "Add a Cannon on d1", ("d1",))
    assert told[1] == ("d1-d2", "Cannon from d1 to d2", ("d1", "d2"))
    assert told[5] == ("end", "End the turn: Blue is next", ())
    assert told[7] == ("fire f4 f8", "Fire the Cannon on f4 at f8, a wall", ("f4", "f8"))


def test_a_game_without_public_moves_tells_none() -> None:
    match = Match("alcazar", seed="1")
    match.play(match.legal()[0])
    assert {(line.label, line.items) for line in match.views.scene(1).log} == {("", ())}


def test_only_a_turn_cut_short_asks_again() -> None:
    match = Match("castle-danger", seed="1")
    assert {one.text: one.confirm for one in match.views.scene(1).choices if one.confirm} == {
        "end": "6 moves are left."
    }
    for move in ("add cannon", "d1-d2", "d2-d3", "d3-d4"):
        match.play(move)
    assert {one.confirm for one in match.views.scene(1).choices} == {"", "1 move is left."}
