"""What the seats see: the board from their side, choices, ways of several steps, refusals, the story."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Item
from bartizan.match import Match
from tests.castle_danger.tables import at, board, choice, fresh, item, play, table, verbs, zone
from tests.games.tables import positions


def test_each_seat_has_its_own_side_at_the_bottom() -> None:
    match = fresh()
    for seat, first, last in ((0, "a9", "g1"), (1, "a9", "g1"), (2, "g1", "a9")):
        slots = zone(match, "board", seat).slots
        assert (slots[0].id, slots[-1].id, len(slots)) == (first, last, 63)
    kinds = {slot.label: slot.kind for slot in zone(match, "board").slots}
    assert [kinds[square] for square in ("d1", "d9", "a4", "g6", "c5", "c3")] == [
        "portal", "portal", "sand", "sand", "river", "grass",
    ]  # fmt: skip


def test_every_kind_of_ground_and_face_has_its_look() -> None:
    match = table(b1="W", c1="B", d2="C", e2="#", f2="+", g2="x", a9="w", b9="b", c9="c")
    grid, theme = match.views.scene(1).zones[0], match.views.setting.theme
    assert {slot.kind for slot in grid.slots} == set(theme.grounds)
    assert {each.face for each in grid.items} <= set(theme.art)
    faces = [livery.colour for livery in theme.liveries]
    assert len(set(faces)) == len({livery.shape for livery in theme.liveries}) == match.views.setting.seats
    for big, small in ("Kk", "Ww", "Bb", "Cc", "+x"):
        assert theme.art[big] != theme.art[small]
    for path in theme.art.values():
        numbers = [float(word) for word in path.replace("A", " ").split() if word.replace(".", "").isdigit()]
        assert all(0 <= number <= 100 for number in numbers)


def test_a_piece_keeps_its_id_on_its_way() -> None:
    match = fresh()
    king, wizard = item(match, "b1").id, item(match, "f1").id
    play(match, "add cannon")
    cannon = item(match, "d1").id
    play(match, "d1-c1", "b1-a1", "end", "end", "add wizard", "c1-c2")
    assert [item(match, square).id for square in ("a1", "f1", "c2")] == [king, wizard, cannon]
    ids = [each.id for each in zone(match, "board").items]
    assert len(set(ids)) == len(ids)


def test_items_tell_colour_and_state() -> None:
    match = table(moves=9, c4="C", c6="w", e2="#")
    play(match, "fire c4 c6")
    cannon, flame = item(match, "c4"), item(match, "c6")
    assert (cannon.face, cannon.flags, cannon.owner, cannon.label) == (
        "C",
        ("fired",),
        1,
        "Blue's Cannon, fired",
    )
    assert (flame.face, flame.owner, flame.label) == ("+", 1, "Blue's Fire")
    wall: Item = item(match, "e2")
    assert (wall.face, wall.owner) == ("#", 0)
    assert item(match, "g9").owner == 2


def test_the_moves_left_are_a_counter() -> None:
    match = fresh()
    play(match, "b1-a1")
    counter = zone(match, "moves")
    assert (counter.kind, counter.count, counter.limit) == ("counter", 5, 6)


def test_the_box_is_shown_where_it_limits() -> None:
    assert [each.id for each in fresh().views.scene(1).zones] == ["board", "moves"]
    match = fresh(piece_limits="tabletop")
    play(match, "add cannon")
    assert [each.badge for each in zone(match, "box:blue").items] == ["7", "3", "4"]
    assert [each.badge for each in zone(match, "box:red").items] == ["7", "3", "5"]
    assert zone(match, "walls").count == 16


def test_choices_are_a_piece_and_a_square() -> None:
    match = table(moves=9, c3="B", b3="B", c2="#", d4="C", d7="w")
    step = choice(match, "c3-c4")
    assert step.items == (item(match, "c3").id, "c4")
    raze = choice(match, "raze c2")
    assert raze.items == (item(match, "c3").id, item(match, "c2").id)
    wall = choice(match, "wall b2")
    assert wall.items == (item(match, "b3").id, "b2")
    both = choice(table(b3="B", d3="B"), "wall c3")
    assert list(both.instead) == [both.items[0]]
    assert len({both.items[0], *both.instead[both.items[0]]}) == 2
    shot = choice(match, "fire d4 d7")
    assert shot.items == (item(match, "d4").id, item(match, "d7").id)
    assert shot.marks == {item(match, "d7").id: "destroyed"}
    assert choice(match, "fire d4 d8").marks == {"d8": "burning"}
    assert choice(match, "end").items == ()
    assert {choice(match, text).verb for text in verbs(match, "add")} == {
        "Add Wizard",
        "Add Builder",
        "Add Cannon",
    } or (not verbs(match, "add"))


def test_adding_is_touching_the_portal() -> None:
    match = fresh()
    added = [choice(match, f"add {kind}") for kind in ("wizard", "builder", "cannon")]
    assert {each.items for each in added} == {("d1",)}
    assert [each.verb for each in added] == ["Add Wizard", "Add Builder", "Add Cannon"]
    assert added[0].note == "costs 2 moves; 4 moves left"
    poor = choice(table(a9="w"), "add wizard")
    assert poor.note == "free, because you have fewer units"


@pytest.mark.parametrize(
    ("squares", "text", "note", "careful"),
    [
        ({"g4": "C"}, "fire g4 g9", "hits the King: you win", False),
        ({"a1": "C", "a2": "K"}, "fire a1 a2", "hits your own King: you lose", True),
        (
            {"c4": "C", "c7": "#"},
            "fire c4 c7",
            "destroys the wall and leaves Fire on c7; 3 moves, 6 moves left",
            False,
        ),
        (
            {"c1": "C", "c2": "W"},
            "fire c1 c2",
            "destroys your own Wizard and leaves Fire on c2; 1 move, 8 moves left",
            True,
        ),
        ({"d4": "C"}, "fire d4 d9", "hits the empty Portal without effect; 5 moves, 4 moves left", False),
        ({"d4": "C", "d9": "c"}, "fire d4 d9", "destroys the Cannon; 5 moves, 4 moves left", False),
        ({"c4": "C"}, "fire c4 c6", "leaves Fire on c6; 2 moves, 7 moves left", False),
    ],
)
def test_notes_say_what_a_shot_does(squares: dict[str, Any], text: str, note: str, careful: bool) -> None:
    found = choice(table(moves=9, **squares), text)
    assert (found.note, found.careful) == (note, careful)


def test_ways_of_several_steps_can_be_played() -> None:
    match = fresh()
    paths = match.views.scene(1).paths
    wizard = item(match, "f1").id
    assert "e1" not in paths[wizard]  # one step is a choice
    assert set(paths[wizard]) >= {"d1", "c1", "e2", "g2", "g3", "e4"}
    played = 0
    for unit, ways in paths.items():
        for square, way in ways.items():
            again = fresh()
            for action in way:
                again.play(action, 1)
            assert item(again, square).id == unit
            assert 2 <= len(way) <= 6
            played += 1
    assert played > 20
    assert match.views.scene(2).paths == match.views.scene(0).paths == {}
    short = table(moves=2, b1="#")
    assert set(short.views.scene(1).paths[item(short, "a1").id]) == {"a3", "b2"}


def test_prompts_and_facts() -> None:
    match = fresh()
    mine, theirs = match.views.scene(1).status, match.views.scene(2).status
    assert mine.prompt == "You are Blue, with 6 moves left: add a piece, move, or end your turn."
    armed = table(moves=2, c1="C", e1="B").views.scene(1).status
    assert armed.prompt == "You are Blue, with 2 moves left: move, build, fire, or end your turn."
    assert theirs.prompt == "Blue is playing, with 6 moves left."
    facts = {fact.label: fact.value for fact in mine.facts}
    assert facts == {
        "Turn": "1 of 50",
        "Moves left": "6",
        "Units": "Blue 2, Red 2",
        "New piece": "2 moves",
    }
    assert {fact.label: fact.value for fact in fresh(turn_limit=0).views.scene(1).status.facts}["Turn"] == "1"


def test_a_new_wizard_brings_no_moves_in_its_turn() -> None:
    match = fresh()
    for move, counts in (("add wizard", (4, 6)), ("b1-a1", (3, 6)), ("end", (6, 6)), ("end", (9, 9))):
        play(match, move)
        moves = zone(match, "moves")
        assert (moves.count, moves.limit) == counts, move


@pytest.mark.parametrize(
    ("squares", "move", "sentence", "blockers"),
    [
        ({"b1": "#"}, "a1-b1", "A wall is in the way on b1.", ["#b1"]),
        ({"b1": "x"}, "a1-b1", "Red's Fire is in the way on b1.", ["xb1"]),
        ({}, "g9-f9", "You can't use Red's King on g9. It's Blue's turn.", ["k-1"]),
        ({}, "c3-c4", "There is nothing on c3. Choose one of your own units to move.", ["c3"]),
        ({"c4": "B"}, "c4-c5", "c5 is river. Nothing can move there.", ["c5"]),
        ({"c3": "B"}, "wall c4", "c4 is sand. Build walls on grass.", ["c4"]),
        ({"c3": "B"}, "wall e3", "None of your Builders is next to e3.", ["e3"]),
        ({"c3": "B", "b3": "W"}, "wall b3", "Blue's Wizard is already on b3.", ["W-1"]),
        ({"c3": "B", "b3": "x"}, "wall b3", "Red's Fire burns on b3, so you can't build there.", ["xb3"]),
        ({"c3": "B"}, "raze b3", "There is no wall on b3.", ["b3"]),
        ({"c3": "F"}, "fire c3 c6", "The Cannon on c3 has already fired this turn.", ["C-1"]),
        ({"c3": "C", "c7": "#"}, "fire c3 c8", "The wall on c7 stops the ball before c8.", ["#c7"]),
        ({"c3": "C"}, "fire c3 c7", "c7 is 4 squares away, but you have only 3 moves left.", ["C-1"]),
        ({"c2": "C"}, "fire c2 c3", "On your own side a ball must hit something, and c3 is empty.", ["c3"]),
        ({"c3": "C"}, "fire c3 c5", "c5 is river. You can't hit anything there.", ["c5"]),
        (
            {"c3": "C"},
            "fire c3 c2",
            "A Cannon fires towards the other side. c2 isn't ahead of c3.",
            ["C-1"],
        ),
        ({"d1": "W"}, "add wizard", "Blue's Wizard is on your Portal, d1.", ["W-1"]),
    ],
)
def test_refusals_say_what_is_in_the_way(
    squares: dict[str, Any], move: str, sentence: str, blockers: list[str]
) -> None:
    moves = None if "d1" in squares else 3
    refusal = table(moves=moves, **squares).why_not(move)
    assert refusal is not None
    assert (refusal.sentence, list(refusal.blockers)) == (sentence, blockers)


@pytest.mark.parametrize(
    ("squares", "touched", "clause"),
    [
        ({"b1": "#"}, ["a1", "b1"], "CD-26"),
        ({"b1": "#"}, ["a1", "c1"], "CD-26"),
        ({"d2": "W"}, ["d2", "d5"], "CD-26"),
        ({"d2": "W"}, ["d2", "f4"], "CD-26"),
        ({"d2": "W"}, ["d2", "d8"], "CD-26"),
        ({"d2": "W"}, ["d2", "f2"], "CD-26"),
        ({"d2": "W", "f2": "B"}, ["d2", "f2"], "CD-26"),
        ({}, ["e5", "g7"], "CD-25"),
        ({"c4": "C"}, ["c4", "c9"], "CD-38"),
        ({"c3": "B"}, ["c3", "e3"], "CD-30"),
        ({"c3": "B", "e3": "#"}, ["c3", "e3"], "CD-32"),
        ({}, ["g9"], "CD-26"),
        ({}, ["g9", "g8"], "CD-26"),
        ({"e3": "#"}, ["e3"], "CD-32"),
        ({}, ["e3"], "CD-30"),
        ({}, ["d1"], "CD-22"),
    ],
)
def test_touching_what_makes_no_move_is_explained(
    squares: dict[str, Any], touched: list[str], clause: str
) -> None:
    match = table(moves=2, **squares)
    ids = {each.at: each.id for each in zone(match, "board").items}
    for words in (touched, [ids.get(square, square) for square in touched]):
        assert match.views.why_not_items(words).clause == clause


def test_the_story_of_a_shot_and_of_a_turn() -> None:
    match = table(moves=4, c4="C", c7="w")
    play(match, "fire c4 c7")
    assert match.views.log(1)[-1].events == ("Red's Wizard on c7 is destroyed.",)
    play(match, "end")
    assert match.views.log(2)[-1].events == ("Red's turn 1: 3 moves.",)
    empty = table(moves=9, c4="C")
    play(empty, "fire c4 c7")
    assert empty.views.log(1)[-1].events == ("Fire burns on c7.",)
    builder = table(c3="B", c2="#")
    play(builder, "raze c2")
    assert builder.views.log(1)[-1].events == ()
    kill = table(moves=9, g4="C")
    play(kill, "fire g4 g9")
    assert kill.views.log(0)[-1].events == ("Red's King on g9 is hit.", "Blue wins.")


def test_results() -> None:
    kill = table(moves=9, g4="C")
    play(kill, "fire g4 g9")
    result = kill.views.scene(1).result
    assert result is not None
    assert result.headline == "Blue wins."
    assert result.outcome == Outcome(winners=(1,), returns=(1.0, -1.0), clause="CD-42")
    own = table(moves=9, a1="C", a2="K")
    play(own, "fire a1 a2")
    lost = own.views.scene(1).result
    assert lost is not None
    assert (lost.outcome.winners, lost.text) == ((2,), "Blue's King was hit by its own side on turn 1.")
    thrice = fresh()
    play(thrice, *["end"] * 4)
    drawn = thrice.views.scene(1).result
    assert drawn is not None
    assert "third time" in drawn.text
    capped = Match(
        "castle-danger", {"turn_limit": 1}, seed="1", position={"board": board(), "to_move": "red"}
    )
    play(capped, "end")
    over = capped.views.scene(1).result
    assert over is not None
    assert "Turn 1 was the last" in over.text
    assert at(capped, "a1") == "K"


def test_a_line_of_fire_ends_at_the_first_wall() -> None:
    """CD-37: the ball can land on the Wizard or fly over it, and goes no farther than the wall."""
    match = table(moves=9, c3="C", c7="w", c8="#", c9="b")
    [line] = match.views.scene(1).lines
    assert (line.item, line.to) == (item(match, "c3").id, "c8")
    assert line.hits == {item(match, "c7").id: "destroyed", item(match, "c8").id: "destroyed"}
    assert line.label == "Blue's Cannon on c3 can hit Red's Wizard on c7 or a wall on c8."
    assert item(match, "c3").note.endswith(line.label)
    king = table(moves=9, g3="C").views.scene(1).lines
    assert [*king[0].hits.values()] == ["game over"]


def test_lines_of_fire_are_what_the_rules_let_be_hit() -> None:
    """The mover's lines are its legal shots, the other side's those that it has once the turn ends."""
    compared = foreign = 0
    for match, _ in positions("castle-danger", 60, 0.3, first=300, most=120):
        if match.is_over:
            assert match.views.scene(0).lines == ()
            continue
        mover, scene = match.seat_to_move, match.views.scene(0)
        owner = {each.id: each.owner for each in scene.zones[0].items}
        lines = {line.item: line.hits for line in scene.lines}
        assert {name: hits for name, hits in lines.items() if owner[name] == mover} == shots(match)
        compared += bool(shots(match))
        match.play("end")
        if match.seat_to_move == 3 - mover:
            assert {name: hits for name, hits in lines.items() if owner[name] != mover} == shots(match)
            foreign += bool(shots(match))
        match.undo()
    assert compared > 10
    assert foreign > 10


def shots(match: Match) -> dict[str, dict[str, str]]:
    """Return what each Cannon of the player to move can hit, from the choices."""
    found: dict[str, dict[str, str]] = {}
    for each in match.views.scene(match.seat_to_move).choices:
        if each.verb == "Fire":
            cannon, target = each.items
            hits = found.setdefault(cannon, {})
            if each.marks[target] == "destroyed":
                hits[target] = "game over" if "King" in each.note else "destroyed"
    return found
