"""What a person sees of Card Barrage, what may be touched for a report, and what is told."""

from __future__ import annotations

from typing import Any

import pytest

from bartizan.engine.outcome import Outcome
from bartizan.engine.scene import Choice, Scene
from bartizan.games.card_barrage import table as table_of
from bartizan.games.card_barrage.words.names import COLOURS
from bartizan.match import Match
from bartizan.terminal.draw import log_lines
from tests.card_barrage.tables import after, choice, duel, table, zone
from tests.games.tables import positions
from tests.games.test_every_game import check_scene


def narrowed(scene: Scene, *touched: str) -> list[Choice]:
    """Return the choices that use everything that was touched, as a client narrows them."""
    return [
        each
        for each in scene.choices
        if each.items
        and all(
            any(name == item or name in each.instead.get(item, ()) for item in each.items) for name in touched
        )
    ]


def test_each_seat_has_its_zones() -> None:
    for people, castles, sides in ((1, 2, 2), (2, 2, 2), (3, 4, 2), (6, 6, 2)):
        match = Match("card-barrage", None, people, "4")
        names = {each.id for each in match.views.scene(1).zones}
        wanted = {f"{kind}:{n + 1}" for kind in ("hand", "fort") for n in range(castles)}
        wanted |= {f"{kind}:{n + 1}" for kind in ("deck", "discard", "pile") for n in range(sides)}
        assert names == wanted
        for seat in range(people + 1):
            check_scene(match.views.scene(seat), match, seat)


def test_walls_castle_and_points() -> None:
    match = duel(one={"moved": [2], "points": 4}, two={"walls": ["7t", "-", "11k", "6s", "10t"]})
    fort = zone(match, "fort:2")
    assert [slot.id for slot in fort.slots] == ["2.1", "2.2", "2.3", "2.4", "2.5", "keep2"]
    assert {item.at: item.face or item.back for item in fort.items} == {
        "2.1": "7t",
        "2.3": "11k",
        "2.4": "6s",
        "2.5": "10t",
        "keep2": "castle",
    }
    assert [item.flags for item in zone(match, "fort:1").items][:3] == [(), ("moved",), ()]
    [race] = match.views.scene(1).races
    assert (race.goal, [(racer.label, racer.value) for racer in race.racers]) == (
        10,
        [("Red", 4), ("Blue", 0)],
    )


def test_own_hands_are_open_and_others_closed() -> None:
    match = duel()
    assert [item.face for item in zone(match, "hand:1", 1).items] == ["4k", "6v", "13t"]
    assert [item.face for item in zone(match, "hand:1", 2).items] == ["", "", ""]
    assert [item.face for item in zone(match, "hand:1", 0).items] == ["", "", ""]
    assert zone(match, "hand:2", 1).count == 2


def test_a_wall_seen_going_to_a_hand_stays_in_sight() -> None:
    match = duel()
    match.play("upgrade 1 with 13t")
    assert sorted(item.face for item in zone(match, "hand:1", 2).items) == ["", "", "3t"]
    match.play("report 3t miss")
    assert [item.face for item in zone(match, "hand:1", 2).items] == ["", ""]


@pytest.mark.parametrize("open_hands", [False, True])
def test_team_mates_see_hands_by_the_option(open_hands: bool) -> None:
    match = Match("card-barrage", {"open_team_hands": open_hands}, 4, "4")
    assert all(bool(item.face) == open_hands for item in zone(match, "hand:3", 1).items)
    assert not any(item.face for item in zone(match, "hand:2", 1).items)


def test_a_report_narrows_by_touching() -> None:
    scene = duel().views.scene(1)
    verbs = {each.verb for each in narrowed(scene, "6v")}
    assert verbs == {"Missed", "Hit", "Perfect hit", "Hit two", "Upgrade"}
    assert [each.text for each in narrowed(scene, "6v") if each.items == ("6v",)] == ["report 6v miss"]
    on_wall = narrowed(scene, "6v", "7t")
    assert {each.text for each in on_wall if len(each.items) == 2} == {
        "report 6v hit 2.1",
        "report 6v hit 2.1 perfect",
    }
    assert [each.text for each in narrowed(scene, "6v", "7t", "2.castle")] == ["report 6v hit 2.1 2.castle"]
    assert [each.text for each in narrowed(scene, "4v", "6v", "7t")] == ["report 6v hit 2.1 2.2"]


def test_equal_cards_may_be_touched_for_each_other() -> None:
    match = duel(one={"hand": ["6v", "6v"]}, options={"decks": 2})
    assert choice(match, "report 6v miss").instead == {"6v": ("6v~2",)}
    assert {each.text for each in narrowed(match.views.scene(1), "6v~2", "2.castle")} == {
        "report 6v hit 2.castle",
        *(f"report 6v hit 2.{slot} 2.castle" for slot in range(1, 6)),
    }


def test_the_defender_is_asked() -> None:
    match = duel()
    match.play("report 6v hit 2.1")
    assert match.views.scene(1).choices == ()
    assert match.views.scene(1).status.prompt == "Blue is replacing a destroyed wall."
    assert (
        match.views.scene(2).status.prompt
        == "Blue: Replace wall 1 (up to 7) with a card of equal or lower value."
    )
    assert choice(match, "replace 1 with 2s").items == ("2s", "2.1")


def test_an_effect_is_used_by_touching_the_third_card() -> None:
    walls = ["7s", "7v", "11k", "6s", "10t"]
    match = duel(one={"pile": ["1k"]}, two={"walls": walls, "hand": ["9k"]})
    match.play("report 6v hit 2.1 perfect 2.2 perfect")
    scene = match.views.scene(1)
    assert [item.face for item in zone(match, "pile:1").items if "scored" in item.flags] == ["7s", "7v"]
    assert [each.text for each in narrowed(scene, "7v")] == ["effect 7v pick 2"]
    assert len(narrowed(scene, "7s", "4k")) == 5
    assert [each.text for each in scene.choices if not each.items] == ["decline"]


def test_a_wrong_report_is_taken_back() -> None:
    match = duel()
    before = match.position()
    after(match, "report 6v hit 2.1", "replace 1 with 2s")
    match.undo()
    match.undo()
    assert match.position() == before
    match.play("report 6v miss")
    assert match.position()["players"][0]["points"] == 0


# --- What stands in the way ---------------------------------------------------


def test_after_building_there_is_no_attack() -> None:
    match = duel(one={"walls": ["3t", "-", "9s", "2v", "12v"]})
    match.play("build 6v at 2")
    refusal = match.views.why_not_items(["4k", "7t"])
    assert (refusal.clause, refusal.sentence) == (
        "CB-18",
        "You built a wall, so you can't attack this turn.",
    )


def test_a_replacement_that_does_not_fit_is_marked() -> None:
    match = duel(two={"hand": ["2s", "9k"]})
    match.play("report 6v hit 2.1")
    refusal = match.views.why_not_items(["9k", "2.1"])
    assert refusal.clause == "CB-42"
    assert (
        refusal.sentence
        == "The 9 of knowledge is higher than the wall it would replace. Use a card of value 7 or less."
    )
    assert refusal.blockers == ("9k",)
    refusal = match.views.why_not_items(["2s", "4v"])
    assert refusal.clause == "CB-42"
    assert refusal.blockers == ("4v",)


def test_a_second_attack_says_so() -> None:
    match = duel()
    match.play("report 6v miss")
    refusal = match.views.why_not_items(["4k", "7t"])
    assert (refusal.clause, refusal.sentence) == (
        "CB-21",
        "You have already attacked this turn. End your turn.",
    )


# --- What is told -------------------------------------------------------------


def facts(match: Match) -> dict[str, str]:
    """Return the figures that everybody sees."""
    return {fact.label: fact.value for fact in match.views.scene(0).status.facts}


def test_whose_turns_are_left_in_the_round_is_always_told() -> None:
    match = table(4, first=2, active=3, to_move=3)
    assert facts(match)["Next"] == "Green, Red"
    match.play("end")
    assert facts(match)["Next"] == "Red"
    match = table(4, {"points": 10}, first=2, active=4, to_move=4)
    assert facts(match)["Last round, next"] == "Red"
    match.play("end")
    assert facts(match)["Last round, next"] == "the game ends"


@pytest.mark.parametrize(
    ("cap", "points", "label", "then"),
    [
        (60, 0, "Next", "round 4 begins"),
        (3, 0, "Next", "the game ends"),
        (60, 10, "Last round, next", "the game ends"),
    ],
)
def test_the_last_seat_of_a_round_is_told_what_follows(cap: int, points: int, label: str, then: str) -> None:
    """It said "Then nobody", as if nobody played on."""
    match = duel({"points": points}, round=3, active=2, to_move=2, options={"turn_cap": cap})
    assert facts(match)[label] == then


@pytest.mark.parametrize("seats", [3, 5])
def test_the_log_names_the_seat_of_who_runs_two(seats: int) -> None:
    """It named the person."""
    match = Match("card-barrage", None, seats, "4")
    moved = {}
    for _ in range(seats + 1):
        moved[match.position()["to_move"]] = match.seat_to_move
        match.play("end")
    lines = match.views.log(0)
    assert sorted(moved) == list(range(1, seats + 2))
    assert [(line.who, line.seat) for line in lines] == [
        (COLOURS[seat - 1], person) for seat, person in moved.items()
    ]
    shown = "\n".join(text.plain for text in log_lines(lines, 100, match.views.setting))
    assert f"({COLOURS[seats]}) end" in shown
    two = duel()
    two.play("end")
    assert two.views.log(1)[-1].who == ""


def told(match: Match, seat: int) -> tuple[str, ...]:
    """Return what a person saw of the last ply."""
    return match.views.log(seat)[-1].events


def test_the_log_tells_what_fell_and_what_was_drawn() -> None:
    match = duel(two={"hand": ["9k"]})
    match.play("report 6v hit 2.1")
    assert told(match, 2) == (
        "Blue's wall 1, the 7 of technology, is scored.",
        "Red scores 1 point: 1 in total.",
    )
    match.play("end")
    assert told(match, 1) == ("Blue draws 2 cards.",)
    assert told(match, 2) == ("Blue draws 2 cards: the 8 of knowledge and the 8 of science.",)


def test_the_log_tells_what_the_simulacrum_did() -> None:
    match = table(1, {"hand": ["13t"]}, {"deck": ["5v"]}, phase="reveal", to_move=1, active=2)
    match.play("reveal")
    assert told(match, 1)[:3] == (
        "The simulacrum reveals the 5 of services.",
        "Red's wall 4, the 2 of services, is scored.",
        "The simulacrum scores 1 point: 1 in total.",
    )


def finished(people: int, one: dict[str, Any], two: dict[str, Any]) -> Match:
    match = table(people, one, two, first=2)
    match.play("end")
    return match


def test_the_result_says_who_has_won_and_why() -> None:
    result = finished(2, {"points": 10, "pile": ["8v"]}, {"points": 10, "pile": ["7v"]}).views.scene(0).result
    assert result is not None
    assert (result.outcome.winners, result.headline) == ((1,), "Red wins.")
    assert result.text == "10 to 10 points after round 1. The scored cards break the tie."
    result = finished(1, {"points": 10}, {"points": 3}).views.scene(1).result
    assert result is not None
    assert result.headline == "You win."
    assert result.outcome == Outcome(winners=(1,), returns=(1.0,), points=(10,), clause="CB-24")
    result = finished(4, {"points": 10}, {"points": 3}).views.scene(1).result
    assert result is not None
    assert result.headline == "Red's side wins."
    assert result.outcome.winners == (1, 3)
    assert result.outcome.returns == (1.0, -1.0, 1.0, -1.0)
    assert result.outcome.points == (10, 3, 10, 3)


def test_the_extra_seat_is_named_to_who_runs_it() -> None:
    match = Match("card-barrage", None, 3, "4")
    prompts = set()
    for _ in range(4):
        prompts.add(
            (
                match.position()["to_move"],
                match.views.scene(match.seat_to_move).status.prompt.partition(":")[0],
            )
        )
        match.play("end")
    assert (4, "Green") in prompts
    assert (2, "Blue") in prompts
    assert (1, "Red") in prompts


def test_prompts_name_the_seat_unless_one_plays_alone() -> None:
    """Several may sit at one screen."""
    asked = "Build, upgrade, throw a card and report what it did, or end the turn."
    assert duel().views.scene(1).status.prompt == f"Red: {asked}"
    assert table(1).views.scene(1).status.prompt == asked


def test_hints_say_how_to_throw() -> None:
    hint = duel().views.hints(1, player="greedy")[0]
    assert hint.text.startswith("upgrade")  # a lower wall first, as it costs nothing
    match = duel(one={"hand": ["13t"]})
    hint = match.views.hints(1, player="greedy")[0]
    assert hint.text.startswith("report 13t hit 2.")
    assert hint.reason.startswith("Aim at Blue's wall ")
    assert "with a lob: a decent thrower hits it 64% of the time." in hint.reason


def test_the_race_shows_everyones_points() -> None:
    ahead = 0
    for match, _ in positions("card-barrage", 20, 0.3, most=60):
        state = match.view()
        [race] = match.views.scene(1).races
        piles = [state.score[at] for at in range(state.castles) if table_of.keeper(state, at) == at]
        assert race.goal == state.options.target
        assert [racer.value for racer in race.racers] == [pile.points for pile in piles]
        assert all(1 <= racer.seat <= max(match.seats, 2) for racer in race.racers)
        ahead += any(racer.value for racer in race.racers)
    assert ahead > 10


def test_a_side_of_several_seats_runs_as_one() -> None:
    [race] = Match("card-barrage", None, 4, "4").views.scene(0).races
    assert [racer.label for racer in race.racers] == ["Red's side", "Blue's side"]
