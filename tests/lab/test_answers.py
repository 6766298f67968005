"""The three answers: each verdict from its figures, the worst variant by name, who played."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.lab.batch import strength_of
from bartizan.lab.report.answer import UNVARIED, Answers, OneAnswer
from bartizan.lab.report.answers import answer
from bartizan.lab.report.findings import CellInfo, checked
from bartizan.lab.report.plans import NOBODY_STRONGER, NOTHING
from tests.lab.reporting import row

ALONE = (CellInfo(0, "", ("greedy", "greedy")),)
VARIED = (
    CellInfo(0, "fast = false", ("greedy", "greedy")),
    CellInfo(1, "fast = true", ("greedy", "greedy")),
    CellInfo(2, "fast = very", ("greedy", "greedy")),
)


def seat(
    at: float, half: float = 0.02, drawn: float = 0.0, cell: int = 0, **more: Any
) -> list[dict[str, Any]]:
    """Return the rows of two seats, of which the first wins `at` of the games."""
    other = 1 - drawn - at
    ahead = (at - other) / 2
    return [
        row("won.seat_1", at, at - half, at + half, cell=cell, **more),
        row("won.seat_2", other, other - half, other + half, cell=cell, **more),
        row("advantage.seat_1", ahead, ahead - half, ahead + half, cell=cell, **more),
        row("advantage.seat_2", -ahead, -ahead - half, -ahead + half, cell=cell, **more),
    ]


def change(measure: str, at: float, half: float, cell: int = 1, p: float | None = None) -> dict[str, Any]:
    """Return the row of a difference from the first cell."""
    p = p if p is not None else (0.001 if abs(at) > half else 0.5)
    return row(measure, at, at - half, at + half, cell=cell, kind="difference", p=p, label=VARIED[cell].label)


def answers(
    rows: list[dict[str, Any]], cells: tuple[CellInfo, ...] = ALONE, seats: int = 2, **more: Any
) -> Answers:
    frame = checked(pl.DataFrame(rows, infer_schema_length=None), "test", len(cells))
    return answer(frame, cells, seats, more.pop("spans", {}), **more)


def one(key: str, *args: Any, **more: Any) -> OneAnswer:
    return next(each for each in answers(*args, **more).answers if each.key == key)


# --- Is it fair?


@pytest.mark.parametrize(
    ("rows", "verdict", "sentence"),
    [
        (
            seat(0.504, 0.022),
            "yes",
            "Yes, as far as 2,000 games can tell: the first seat wins 50.4% (48.2 to 52.6%).",
        ),
        (
            seat(0.535, 0.01),
            "nearly",
            "Nearly: the first seat wins 53.5% (52.5 to 54.5%), fair enough if people change seats.",
        ),
        (seat(0.58, 0.022), "no", "No: the first seat wins 58.0% (55.8 to 60.2%)."),
        (seat(0.42, 0.022), "no", "No: the first seat wins 42.0% (39.8 to 44.2%)."),
        (
            seat(0.52, 0.06),
            "unknown",
            "Can't tell yet: the first seat wins 52.0% (46.0 to 58.0%). "
            "About 880 more games would show a difference of five points.",
        ),
        (
            seat(0.36, 0.02, drawn=0.3),
            "yes",
            "Yes, as far as 2,000 games can tell: the first seat wins 36.0% (34.0 to 38.0%), "
            "where 35% would be an even share.",
        ),
    ],
)
def test_fairness_is_judged_by_the_whole_interval(
    rows: list[dict[str, Any]], verdict: str, sentence: str
) -> None:
    said = one("fair", rows)
    assert (said.verdict, said.sentence) == (verdict, sentence)
    assert (said.estimate, said.low, said.high) == tuple(rows[0][key] for key in ("estimate", "low", "high"))
    assert said.question == "Is it fair?"


@pytest.mark.parametrize(
    ("at", "half", "verdict", "words"),
    [
        (0.46, 0.02, "yes", "46.0% (44.0 to 48.0%) of the games are won."),
        (0.1, 0.02, "nearly", "hard for these players"),
        (0.002, 0.001, "no", "these players hardly ever win"),
        (0.2, 0.02, "unknown", "more games would show"),
    ],
)
def test_a_solitaire_is_fair_if_it_can_be_won_and_lost(
    at: float, half: float, verdict: str, words: str
) -> None:
    said = one("fair", [row("won.seat_1", at, at - half, at + half)], seats=1)
    assert said.verdict == verdict
    assert words in said.sentence


def test_the_worst_variant_is_named() -> None:
    """The first variant is fair and the second isn't: the answer must not be that of the first."""
    rows = seat(0.5) + seat(0.6, cell=1) + seat(0.51, cell=2)
    said = one("fair", rows, VARIED)
    assert said.verdict == "no"
    assert said.sentence == (
        "No: with fast = true (the worst of 3 variants) the first seat wins 60.0% (57.6 to 62.4%)."
    )
    assert said.cell == "fast = true"
    assert len(said.details) == 3
    assert "Bonferroni" in said.basis


def test_the_strongest_players_decide() -> None:
    cells = (*ALONE, CellInfo(1, "players: top", ("castellan", "castellan"), confirms=True, strength=300.0))
    said = answers(seat(0.5) + seat(0.6, cell=1), cells)
    assert said.answers[0].verdict == "no"
    assert "castellan, the strongest players" in said.note
    weak = (ALONE[0], CellInfo(1, "players: random", ("random", "random"), confirms=True, strength=-100.0))
    said = answers(seat(0.5) + seat(0.6, cell=1), weak)
    assert said.answers[0].verdict == "yes"
    assert said.note == "Only greedy played. Stronger players may change this."


def test_stronger_players_who_cannot_tell_leave_the_answer_to_the_others() -> None:
    top = CellInfo(1, "players: top", ("knight", "knight"), confirms=True, strength=300.0)
    said = answers(seat(0.5) + seat(0.54, 0.1, cell=1), (*ALONE, top))
    assert said.answers[0].verdict == "yes"
    assert said.note.startswith("Judged by greedy; 2,000 games of knight can't tell yet: the first seat")


def test_no_accusation_rests_on_weak_players_whom_stronger_ones_contradict() -> None:
    """Greedy players of Castle Danger win 12% in the first seat, players who look ahead about half."""
    top = CellInfo(1, "players: top", ("knight", "knight"), confirms=True, strength=300.0)
    length = [row("decisions", 60.0 * n, 59, 61, group="length", cell=n - 1) for n in (1, 2)]
    plan = [row("winners_more.fire", 0.07, 0.05, 0.09, group="choice", kind="other")]
    said = answers([*seat(0.12), *seat(0.47, 0.1, cell=1), *length, *plan], (*ALONE, top))
    assert said.answers[0].verdict == "unknown"
    assert said.answers[1].sentence.startswith("About 20 minutes")
    assert said.note.startswith(
        "Fairness and length are judged by knight, the strongest players who played; "
        "the plan is from games of greedy."
    )
    assert "By greedy alone, it would be: No, the first seat wins 12" in said.note


def test_players_are_ordered_by_how_far_they_look() -> None:
    game = registry.get("tower")
    names = ["random", "page", "squire", "greedy", "knight", "search@50", "marshal", "castellan"]
    assert sorted(names, key=lambda name: strength_of(game, name)) == names


def test_one_kind_of_player_is_a_caution() -> None:
    assert answers(seat(0.5)).note == "Only greedy played. Stronger players may change this."
    mixed = (CellInfo(0, "", ("greedy", "random")),)
    assert answers(seat(0.5), mixed).note == ""


# --- How long is it?


def test_length_is_told_in_minutes() -> None:
    rows = [
        row("decisions", 150.0, 148.0, 152.0, group="length"),
        row("rounds", 14.2, 14, 15, group="length"),
    ]
    said = one("length", rows, spans={0: (90.0, 240.0)})
    assert (
        said.sentence
        == "About 25 minutes (15 to 40 for nine games in ten) at 10 seconds a decision; 14 rounds."
    )
    assert (said.estimate, said.verdict) == (25.0, "fact")
    assert (
        "About 50 minutes (30 to 80 for" in one("length", rows, spans={0: (90.0, 240.0)}, seconds=20).sentence
    )
    rows.append(row("unfinished", 0.03, 0.02, 0.04))
    assert one("length", rows).sentence.endswith("14 rounds; 3% didn't end.")


def test_the_longest_variant_is_named() -> None:
    rows = [row("decisions", 60.0 * n, 59, 61, group="length", cell=n - 1) for n in (1, 3, 2)]
    said = one("length", rows, VARIED)
    assert said.sentence.startswith("About 30 minutes with fast = very, the longest of 3 variants")
    assert len(said.details) == 3


# --- What did my change do?


def test_nothing_varied_is_the_last_answer() -> None:
    said = answers(seat(0.5))
    assert [each.key for each in said.answers] == ["fair", "length", "change"]
    assert said.answers[-1].sentence == UNVARIED


@pytest.mark.parametrize(
    ("before", "after", "half", "verdict", "words"),
    [
        (
            *(0.56, 0.51, 0.02, "better"),
            "goes from 56% to 51%: −5.0 percentage points (−7.0 to −3.0) on the same deals",
        ),
        (0.51, 0.58, 0.02, "worse", "Worse: with fast = true, the first seat's win share"),
        (0.53, 0.47, 0.03, "different", "Different: "),
        (0.5, 0.53, 0.06, "unknown", "Can't tell yet: with fast = true"),
        (0.5, 0.503, 0.01, "same", "No difference to speak of: "),
    ],
)
def test_a_change_is_better_where_it_leads_to_an_even_share(
    before: float, after: float, half: float, verdict: str, words: str
) -> None:
    rows = seat(before) + seat(after, cell=1)
    gap = after - before
    rows += [change("won.seat_1", gap, half), change("advantage.seat_1", gap, half)]
    said = answers(rows, VARIED[:2]).answers[0]
    assert (said.key, said.verdict) == ("change", verdict)
    assert words in said.sentence
    assert (said.more_games is not None) == (verdict == "unknown")


def test_a_change_that_may_be_luck_is_none() -> None:
    rows = seat(0.56) + seat(0.51, cell=1) + [change("won.seat_1", -0.05, 0.02, p=0.2)]
    assert one("change", rows, VARIED[:2]).verdict == "unknown"


def test_draws_and_length_speak_where_wins_stay() -> None:
    rows = seat(0.4, drawn=0.2) + seat(0.45, drawn=0.1, cell=1) + [change("won.seat_1", 0.0, 0.01)]
    rows.append(row("decisions", 120.0, 119, 121, group="length"))
    longer = change("decisions", 12.0, 6.0)
    assert one("change", [*rows, change("drawn", -0.1, 0.02), longer], VARIED[:2]).sentence == (
        "Better: with fast = true, draws −10.0 percentage points (−12.0 to −8.0); "
        "games 2 minutes longer (1 to 3)."
    )
    assert one("change", [*rows, longer], VARIED[:2]).verdict == "different"
    hardly = change("decisions", 2.0, 1.0)  # surely longer, by two parts in a hundred
    assert one("change", [*rows, hardly], VARIED[:2]).verdict == "same"


def test_of_many_seats_the_one_furthest_off_is_compared() -> None:
    rows = []
    for cell in (0, 1):
        for n, (at, ahead) in enumerate(((0.3, 0.0), (0.2, -0.1), (0.5, 0.2)), start=1):
            rows.append(row(f"won.seat_{n}", at, at - 0.02, at + 0.02, cell=cell))
            rows.append(row(f"advantage.seat_{n}", ahead, ahead - 0.02, ahead + 0.02, cell=cell))
    rows += [change(f"won.seat_{n}", 0.0, 0.05) for n in (1, 2, 3)]
    said = answers(rows, VARIED[:2], seats=3)
    assert "the third seat's win share stays at 50" in said.answers[0].sentence
    assert said.caption.startswith("The third seat's win share by variant")
    assert [bar.estimate for bar in said.bars] == [0.5, 0.5]
    rows.append(change("won.seat_2", 0.06, 0.02))
    assert "the second seat's win share" in one("change", rows, VARIED[:2], seats=3).sentence


def test_the_worst_change_is_named() -> None:
    rows = seat(0.53) + seat(0.5, cell=1) + seat(0.6, cell=2)
    rows += [change("won.seat_1", -0.03, 0.01), change("won.seat_1", 0.07, 0.01, cell=2)]
    said = one("change", rows, VARIED)
    assert said.sentence.startswith("Worse: with fast = very, ")
    assert said.sentence.endswith("Of 2 changes: 1 worse, 1 better.")
    assert len(said.details) == 2


def test_of_changes_that_differ_only_in_length_the_largest_is_named() -> None:
    rows = [row for cell in range(3) for row in seat(0.5, cell=cell)]
    rows.append(row("decisions", 120.0, 119, 121, group="length"))
    for cell, longer in ((1, 12.0), (2, -40.0)):
        rows += [change("won.seat_1", 0.0, 0.01, cell), change("decisions", longer, 1.0, cell)]
    said = one("change", rows, VARIED)
    assert said.sentence.startswith("Different: with fast = very, ")
    assert said.estimate == -40.0


def test_a_solitaire_that_stays_open_is_only_different() -> None:
    cells = tuple(CellInfo(each.number, each.label, ("greedy",)) for each in VARIED[:2])
    for ends, verdict in (((0.4, 0.6), "different"), ((0.1, 0.4), "better"), ((0.5, 0.9), "worse")):
        rows = [row("won.seat_1", at, at - 0.01, at + 0.01, cell=n) for n, at in enumerate(ends)]
        rows.append(change("won.seat_1", ends[1] - ends[0], 0.02))
        said = one("change", rows, cells, seats=1)
        assert said.verdict == verdict
        assert "the share of games won goes from" in said.sentence


# --- Which plan wins?


PLAN = row("points_from.grab_it_all", 0.9, 0.88, 0.92, group="choice")
AVOIDED = row(
    "avoided.slip",
    *(0.12, 0.1, 0.14),
    group="choice",
    kind="worth",
    p=0.001,
    counts="120 of 1,000 against 3 of 4,100",
)


def test_plans_that_stand_out_are_named() -> None:
    said = one("plan", [*seat(0.5), PLAN, AVOIDED])
    assert (said.question, said.verdict) == ("Which plan wins?", "fact")
    assert said.sentence == (
        "90% ± 2 of the points come from grab it all. Strong players almost never choose these: "
        "slip (0.1% of 4,100 chances; weaker players 12.0%)."
    )
    assert "avoided.*" in said.basis


def test_the_strongest_players_figure_stands_beside_a_plan() -> None:
    top = CellInfo(1, "players: top", ("knight", "knight"), confirms=True, strength=300.0)
    rows = [*seat(0.5), PLAN, {**PLAN, "cell": 1, "estimate": 0.5, "low": 0.48, "high": 0.52}]
    assert "from grab it all, 50% ± 2 if knight plays." in one("plan", rows, (*ALONE, top)).sentence


@pytest.mark.parametrize(
    "counts", ["18 of 150 against 0 of 150", "120 of 1,000 against 90 of 4,100", "many", ""]
)
def test_nothing_is_avoided_by_chance_or_in_too_few_chances(counts: str) -> None:
    said = one("plan", [*seat(0.5), {**AVOIDED, "counts": counts}])
    assert said.sentence == "No kind of action, card or piece stands out."
    rare = one("plan", [*seat(0.5), {**AVOIDED, "p": 0.4}])
    assert rare.sentence == said.sentence


def test_what_was_not_measured_of_plans_is_said() -> None:
    few = {**PLAN, "estimate": 0.5, "low": 0.45, "high": 0.55}
    said = one("plan", [*seat(0.5), few]).sentence
    assert said == f"{NOTHING} {NOBODY_STRONGER}"
    assert [each.key for each in answers(seat(0.5)).answers] == ["fair", "length", "change"]


# --- What is missing, and the picture


def test_what_was_not_measured_is_said() -> None:
    said = answers([row("decisions", 150.0, 148.0, 152.0, group="length")])
    assert said.answers[0].sentence == "Can't tell yet. Not measured. Add `fairness` to `measures`."
    none = answers([row("drawn", float("nan"), 0.0, 1.0)])
    assert {each.sentence for each in none.answers[:2]} == {"Can't tell yet. Too few games so far."}
    assert none.bars == ()


def test_the_picture_shows_seats_or_variants() -> None:
    said = answers(seat(0.5))
    assert [bar.name for bar in said.bars] == ["the first seat", "the second seat"]
    assert said.even == 0.5
    varied = answers(seat(0.5) + seat(0.6, cell=1) + seat(0.51, cell=2), VARIED)
    assert [bar.name for bar in varied.bars] == [cell.label for cell in VARIED]
