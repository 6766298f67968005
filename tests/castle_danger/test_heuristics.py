"""The greedy player: strong enough, honest, and without a trace in the state."""

from __future__ import annotations

from bartizan.lab.simulate import simulate
from bartizan.match import Match
from tests.castle_danger.tables import fresh, table
from tests.games.tables import played


def test_greedy_beats_random_from_both_seats() -> None:
    games = 200  # from each seat
    first = simulate("castle-danger", games, ["greedy", "random"], "a1")
    second = simulate("castle-danger", games, ["random", "greedy"], "a1")
    points = first.wins["1"] + second.wins["2"] + (first.draws + second.draws) / 2
    assert points >= 0.9 * 2 * games


def best(match: Match) -> str:
    return match.views.hints(1, player="greedy")[0].text


def test_greedy_hits_the_king_when_it_can() -> None:
    assert best(table(moves=9, g4="C", b2="W")) == "fire g4 g9"
    match = table(moves=8, e4="C", b2="W", d3="C", d7="w")
    while not match.is_over and match.seat_to_move == 1:
        match.play(best(match))
    assert match.result() == "blue"


def test_greedy_opens_the_wall_for_the_second_cannon() -> None:
    match = table(moves=11, g4="C", g3="C", g8="#")
    match.play(best(match))
    assert match.moves == ["fire g4 g8"]
    assert best(match) == "fire g3 g9"


def test_greedy_leaves_the_line_of_fire() -> None:
    match = table(moves=3, a7="c", g8="#", c1="W", c2="W")  # Red can hit a1 with six of six moves
    assert best(match).startswith("a1-")


def test_greedy_spares_its_own_side() -> None:
    match = table(moves=9, c1="C", c2="W", b1="C", b3="B", a2="C")
    ranked = [hint.text for hint in match.views.hints(100, player="greedy")]
    for text in ("fire c1 c2", "fire b1 b3"):
        assert ranked.index("end") < ranked.index(text)
    under = table(moves=9, a1="C", a3="K")
    assert under.views.hints(100, player="greedy")[-1].text == "fire a1 a3"


def test_asking_for_advice_changes_nothing() -> None:
    for match in played("castle-danger", 3):
        before = match.digest()
        match.views.hints(100, player="greedy")
        match.views.hints(3, iterations=20)
        assert match.digest() == before
        if match.ply > 60:
            break
    assert fresh().views.hints(3, iterations=20)
