"""What a seat sees of Tower: levels, attacks, choices, refusals, the story, the terminal."""

from __future__ import annotations

import io

from rich.console import Console

from bartizan.engine.scene import Choice, Course, Item, Scene, Zone
from bartizan.match import Match
from bartizan.match.close_look import hidden, standing_on
from bartizan.terminal.draw import look_lines, print_scene
from tests.games.tables import positions
from tests.tower.tables import FALLEN, NINES, SEVENS, SIXES, attack, seat, table

BATTLE = [seat("Tr Jr 3w", SIXES | {"scissors": "6s!"}), seat("Kr Kp", NINES), seat("2r 2p 2s 3s 4w")]


def zone(scene: Scene, name: str) -> Zone:
    return next(each for each in scene.zones if each.id == name)


def item(scene: Scene, name: str) -> Item:
    return next(each for every in scene.zones for each in every.items if each.id == name)


def choice(match: Match, text: str) -> Choice:
    return next(each for each in match.views.scene(match.seat_to_move).choices if each.text == text)


def test_a_tower_is_drawn_level_by_level() -> None:
    scene = table(BATTLE).views.scene(1)
    mine = zone(scene, "tower:1")
    assert (mine.kind, mine.label, mine.count, mine.limit) == ("levels", "Your tower", 5, 5)
    assert [slot.label for slot in mine.slots] == ["Dragon", "Moat", "Soldiers", "Government", "Foundation"]
    damaged = item(scene, "6s")
    assert damaged.flags == ("damaged",)
    assert damaged.at == "1.scissors"
    assert "bonus lost" in damaged.note
    bonuses = {slot.label: (slot.suit, slot.bonus, slot.works) for slot in mine.slots}
    assert bonuses["Soldiers"] == ("s", "2 deflections", False)
    assert bonuses["Moat"] == ("w", "+2 cards", True)
    assert "; bonus: " in item(scene, "6w").note
    assert zone(scene, "tower:3").note == "Still building."


def test_attacks_in_flight_say_who_whom_when_and_what_deflects_them() -> None:
    match = table(BATTLE[:2], attacks=[attack(2, 1, "Ts"), attack(1, 2, "2l")])
    flying = zone(match.views.scene(1), "flight")
    first, second = flying.items
    assert (first.owner, first.flags, second.owner) == (2, ("incoming",), 1)
    assert first.course == Course(
        goal=1, turns=1, marks={"6p": "destroyed", "6l": "destroyed"}, answers=("Jr", "Tr")
    )
    assert second.course == Course(goal=2, turns=2, marks={"9p": "damaged", "9w": "damaged"})
    assert "lands at the start of Red's next turn, right after this turn" in first.note
    assert "Your jack of rock or ten of rock can deflect it." in first.note
    assert "after 2 more turns" in second.note
    assert second.flags == ()
    assert "can deflect" not in item(match.views.scene(0), first.id).note
    watched = item(match.views.scene(0), first.id).course
    assert watched is not None
    assert watched.answers == ()


def test_what_lands_first_comes_first() -> None:
    match = table(
        [seat("Tr", SIXES), seat("Kr", NINES), seat("3r", SEVENS)],
        attacks=[attack(1, 2, "2l"), attack(3, 1, "3s"), attack(2, 1, "4s")],
    )
    courses = [each.course for each in zone(match.views.scene(1), "flight").items]
    assert [course.turns for course in courses if course] == [1, 2, 3]


def test_turns_are_counted_without_those_of_who_is_out() -> None:
    players = [seat("Tr", SIXES), seat("", FALLEN), seat("3r", SEVENS)]
    match = table(players, attacks=[attack(2, 1, "3s"), attack(3, 1, "4s")])
    courses = {each.id: each.course for each in zone(match.views.scene(1), "flight").items}
    assert {name: course.turns for name, course in courses.items() if course} == {"3s": 1, "4s": 1}


def test_an_extra_turn_is_told_and_counted() -> None:
    """TWR-63 with `last_turn` = extra: the interrupted seat's attacks come next."""
    players = [seat("Tr Kr", {"lizard": "3l"}), seat("Kp", {"paper": "2p"}), seat("", FALLEN)]
    flying = [attack(3, 2, "Kl"), attack(2, 1, "5s"), attack(3, 1, "4s")]
    match = table(
        players, {"last_turn": "extra"}, to_move=3, phase="arrival", attacks=flying, deck=["9r", "9p"]
    )
    match.play("hit paper with Kl")
    assert "Blue gets an extra turn before the attacks arrive." in match.views.log(1)[-1].events
    scene = match.views.scene(1)
    assert scene.status.prompt.startswith("You are Blue: take an extra turn before the attacks arrive. 2")
    courses = {each.id: each.course for each in zone(scene, "flight").items}
    assert {name: course.turns for name, course in courses.items() if course} == {"4s": 1, "5s": 2}


def test_a_card_says_what_it_could_deflect() -> None:
    match = table(BATTLE[:2], attacks=[attack(2, 1, "Ts"), attack(2, 1, "Js")])
    assert "It can deflect Red's ten of scissors." in item(match.views.scene(1), "Tr").note
    assert item(match.views.scene(1), "3w").note == ""
    both = item(match.views.scene(1), "Jr").note
    assert "Red's ten of scissors or Red's jack of scissors" in both


def test_a_joker_is_drawn_in_its_levels_suit() -> None:
    scene = table([seat("Tr", SIXES | {"water": "*"}), seat("Kr", NINES)], {"jokers": 2}).views.scene(1)
    assert item(scene, "*").face == "*w"


def test_missing_suits_are_listed_with_commas() -> None:
    """It said "without rock and paper and lizard"."""
    told = choice(Match("tower", seed="0", seats=2), "exchange 9r").note
    assert told == "leaves you without rock, paper and lizard"


def test_hands_of_others_are_backs_but_for_cards_taken_openly() -> None:
    match = table(BATTLE[:2], discard=["4p", "5p"], deck=["8r"])
    for move in ("discard Tr", "discard Jr", "take", "draw"):
        match.play(move)
    theirs = zone(match.views.scene(2), "hand:1")
    assert [each.peek for each in theirs.items if each.peek] == ["4p"]
    assert all(each.back for each in theirs.items)
    assert theirs.count == 3
    mine = zone(match.views.scene(1), "hand:1")
    assert mine.kind == "fan"
    assert {each.face for each in mine.items if "known" in each.flags} == {"4p"}
    spectator = match.views.scene(0)
    assert all(each.back for number in (1, 2) for each in zone(spectator, f"hand:{number}").items)


def test_who_is_out_is_told_so() -> None:
    match = table([seat("Tr", SIXES), seat("Kr", NINES), seat("", FALLEN)])
    assert match.views.scene(3).status.prompt == "You are out but can keep watching. Blue is playing cards."
    assert zone(match.views.scene(1), "tower:3").note == "Green is out."


def test_who_is_out_sees_what_a_spectator_sees() -> None:
    match = table([seat("Tr", SIXES), seat("Kr", NINES), seat("", FALLEN)])
    out, spectator = match.views.scene(3), match.views.scene(0)
    assert [each.items for each in out.zones] == [each.items for each in spectator.zones]


def test_an_attack_tells_what_it_would_do_to_each_level() -> None:
    match = table([seat("Ts 3r", SIXES), seat("", SEVENS | {"lizard": "Kl"})])
    sending = choice(match, "attack 2 with Ts")
    assert sending.marks == {"7p": "destroyed", "Kl": "damaged"}
    assert sending.items == ("Ts", "tower:2")
    assert sending.target == "tower:2"
    assert "destroy the Government or damage the Dragon" in sending.note
    match = table([seat("Ts 3r", SIXES), seat("", {"rock": "7r"})])
    assert "not harm any level" in choice(match, "attack 2 with Ts").note
    assert choice(match, "attack 2 with Ts").marks == {"tower:2": "unharmed"}


def test_equal_cards_may_be_touched_in_each_others_place() -> None:
    match = table([seat("Ts Ts", SIXES), seat("", SEVENS)], {"decks": 2})
    assert choice(match, "discard Ts").instead == {"Ts": ("Ts:2",)}


def test_the_turn_is_a_stepper_and_the_suits_are_at_hand() -> None:
    status = table(BATTLE).views.scene(1).status
    assert status.steps == ("Attacks arrive", "Plays", "Draw")
    assert status.step == 1
    window = table(BATTLE, {"defence_window": "any_time"}).views.scene(1).status
    assert (len(window.steps), window.step) == (4, 2)
    building = table(BATTLE, to_move=3).views.scene(3).status
    assert (building.steps[building.step], building.phase) == ("Put down", "exchange")
    (aid,) = table(BATTLE).views.setting.aids
    # Around the wheel each beats the next two.
    assert list(aid.wheel) == ["r", "s", "l", "p", "w"]
    around = list(aid.wheel) * 2
    assert all(aid.wheel[suit] == tuple(around[at + 1 : at + 3]) for at, suit in enumerate(around[:5]))
    assert aid.table[3] == ("scissors", "Soldiers", "paper and lizard", "rock and water")


def test_refusals_name_the_clause_and_what_stands_in_the_way() -> None:
    match = table(
        [seat("Tr Jr 3w 3p", SIXES | {"lizard": "6l!", "paper": "6p!", "water": "6w!"}), *BATTLE[1:]]
    )
    match.play("attack 2 with Tr")
    refusal = match.why_not("attack 2 with Jr")
    assert refusal is not None
    assert (refusal.clause, refusal.blockers) == ("TWR-29", ("6l",))
    assert "Dragon" in refusal.sentence
    government = match.why_not("repair water with 3w")
    assert government is not None
    assert (government.clause, government.blockers) == ("TWR-39", ("6p",))
    unbuilt = match.why_not("attack 3 with Jr")
    assert unbuilt is not None
    assert (unbuilt.clause, unbuilt.blockers) == ("TWR-17", ("tower:3",))


def test_touching_things_that_make_no_move_is_explained() -> None:
    match = table(BATTLE, attacks=[attack(2, 1, "Qs")])
    assert match.views.why_not_items(["Jr", "Qs"]).clause == "TWR-30"
    assert "is too low" in match.views.why_not_items(["Jr", "Qs"]).sentence
    assert match.views.why_not_items(["Jr", "tower:3"]).clause == "TWR-17"
    assert match.views.why_not_items(["3w", "6w"]).clause == "TWR-36"
    assert match.views.why_not_items(["deck"]).clause == "TWR-18"
    assert match.views.why_not_items(["flight"]).clause == "TWR-18"


def test_the_story_tells_hits_and_cards_that_come_to_nothing() -> None:
    players = [seat("3r 3p", SIXES), seat("", {"paper": "2p"}), seat("Kr Kp", {"rock": "7r"})]
    match = table(players, phase="arrival", attacks=[attack(1, 2, "Ts"), attack(1, 2, "Js")])
    match.play("hit paper with Ts")
    events = match.views.log(1)[-1].events
    assert "Red's Government (paper) is destroyed." in events
    assert "Red is out." in events
    assert "Blue's jack of scissors has no effect and goes to the Rubble." in events


def test_own_draws_are_told_to_their_owner_alone() -> None:
    match = table(BATTLE[:2], deck=["8r", "8p"])
    for move in ("discard Tr", "discard Jr", "draw"):
        match.play(move)
    assert "You get the eight of rock." in match.views.log(1)[-1].events


def test_a_card_taken_openly_is_named_to_all() -> None:
    match = Match("tower", {}, 2, "3")
    while "take" not in match.legal_texts():
        match.play(match.legal()[0])
    match.play("take")
    told = match.views.log(1)[-1].events[0].removeprefix("You get")
    assert told.startswith(" the ")
    for eyes in (0, 2):
        assert f"Blue takes{told}" in match.views.log(eyes)[-1].events
    assert not [event for event in match.views.log(2)[-1].events if "eight" in event]


def test_the_terminal_draws_everything() -> None:
    match = table(BATTLE, attacks=[attack(2, 1, "Qs")], discard=["4p"])
    for width in (44, 120):
        out = io.StringIO()
        print_scene(Console(file=out, width=width), match.views.scene(1), match.views.setting)
        text = out.getvalue()
        for words in ("Soldiers   6s!", "Plays", "Your hand", "Discard pile", "Attack: "):
            assert words in text, (width, words)
        assert ("2 attacks" in text, "2 deflections (lost)" in text) == (width == 120,) * 2
        assert "Red ─ Qs ─▶ Blue next turn" in text
        assert "stopped by" not in text
    looked = look_lines(match.views.scene(1), match.views.setting).plain
    assert "Which suit beats which" in looked
    assert "rock and scissors" in looked


def test_what_threatens_a_level_is_what_the_rules_make_of_it() -> None:
    """Play every hit: the level falls or is damaged as its threat said, and no other level can be hit."""
    told = 0
    for match, _ in positions("tower", 80, 0.2, first=6_000, most=200):
        if match.is_over or match.position()["phase"] != "arrival":
            continue
        scene = match.views.scene(match.seat_to_move)
        flying = {each.id: each.course for each in zone(scene, "flight").items if each.course}
        threats = {(name, level) for name, course in flying.items() for level in course.marks}
        hits = [each for each in scene.choices if each.verb == "Hit"]
        landing = {name for name, course in flying.items() if course.turns == 0}
        assert {each.items for each in hits} <= threats
        for each in hits:
            name, level = each.items
            assert name in landing
            after = standing_on(match, match.game_state())
            after.play(each.text)
            left = {one.id: one for every in after.views.scene(0).zones for one in every.items if one.at}
            assert flying[name].marks[level] == ("damaged" if level in left else "destroyed")
            told += 1
    assert told > 5


def test_threats_tell_nothing_about_hidden_cards() -> None:
    """The towers and what is in flight are the same to a spectator, whatever is held and to come."""
    threatened = 0
    for match, dice in positions("tower", 60, 0.3, first=7_000):
        other = standing_on(match, hidden(match, 0, dice.getrandbits(32)))
        shown, same = match.views.scene(0), other.views.scene(0)
        for each, redealt in zip(shown.zones, same.zones, strict=True):
            if each.kind in ("levels", "lanes"):
                assert each == redealt
                threatened += any(one.course and one.course.marks for one in each.items)
    assert threatened > 5
