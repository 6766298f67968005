"""Deals counted: the same in any number of threads, gone on with, and honest about what is not known."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadSeed, CorruptRecord, UnknownOption, Unsolvable
from bartizan.lab.intervals import wilson
from bartizan.lab.journal import Journal
from bartizan.lab.solve import (
    Counting,
    Solution,
    about,
    deals,
    find_winnable,
    play_line,
    solve,
)
from bartizan.match import Match

GAME = registry.get("alcazar")
SEVERAL = registry.get("castle-danger")
CARRY = {"overflow": "carry"}
FEW = 2_000  # positions a deal: enough for most, not for all


def counting(count: int = 24, positions: int = FEW, threads: int = 1) -> Counting:
    return Counting(GAME, CARRY, "5", count, positions, threads)


def counted(**changes: int) -> Counting:
    work = counting(**changes)
    work.run(lambda solution: None)
    return work


def test_deals_begin_with_the_seed_and_are_all_different() -> None:
    seeds = list(itertools.islice(deals("0xAB"), 1_000))
    assert seeds[0] == "ab"
    assert len(set(seeds)) == 1_000
    assert all(Match(GAME, seed=seed).seed == seed for seed in seeds[:20])
    assert seeds[:50] == list(itertools.islice(deals("ab"), 50))
    assert seeds[1] != list(itertools.islice(deals("ac"), 2))[1]
    with pytest.raises(BadSeed):
        next(deals("xyz"))


def test_a_count_is_what_its_deals_are_one_by_one() -> None:
    work = counted()
    verdicts = []
    for seed in work.seeds:
        match = Match(GAME, CARRY, seed=seed)
        solution = solve(match, FEW)
        assert work.solutions[seed] == solution
        play_line(match, solution)
        assert (match.result() == "player") == (solution.verdict == "won")
        verdicts.append(solution.verdict)
    count = work.count()
    assert set(verdicts) == {"won", "lost", "unknown"}
    assert (count.deals, count.won, count.lost, count.unknown) == (
        24,
        verdicts.count("won"),
        verdicts.count("lost"),
        verdicts.count("unknown"),
    )
    assert count.lost_seeds == tuple(s for s, v in zip(work.seeds, verdicts, strict=True) if v == "lost")
    assert count.unknown_seeds == tuple(
        s for s, v in zip(work.seeds, verdicts, strict=True) if v == "unknown"
    )
    assert count.longest == max(len(solution.line) for solution in work.solutions.values())
    assert count.positions == sum(solution.positions for solution in work.solutions.values())


def test_the_interval_holds_both_ways_of_reading_the_unknown() -> None:
    count = counted().count()
    assert count.unknown > 0
    assert count.interval[0] == wilson(count.won, count.deals)[0]
    assert count.interval[1] == wilson(count.won + count.unknown, count.deals)[1]
    assert count.interval[1] > wilson(count.won, count.deals)[1]


def test_threads_change_nothing() -> None:
    one, three = counted(), counted(threads=3)
    assert one.solutions == three.solutions


def test_a_first_stretch_is_the_beginning_of_a_longer_one() -> None:
    short, long = counted(count=5), counted(count=9)
    assert {seed: long.solutions[seed] for seed in short.seeds} == short.solutions


@pytest.mark.parametrize("threads", [1, 3])
def test_what_was_found_before_an_interruption_stays(threads: int) -> None:
    work = counting(count=100_000, positions=50_000, threads=threads)
    told: list[Solution] = []

    def keep(solution: Solution) -> None:
        told.append(solution)
        if len(told) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work.run(keep)
    count = work.count()
    assert 6 <= count.deals <= 6 + 3 * threads
    assert sorted(each.seed for each in told) == sorted(work.solutions)
    whole = {seed: solve(Match(GAME, CARRY, seed=seed), 50_000) for seed in work.solutions}
    assert all(
        solution == whole[seed] or (solution.verdict == "unknown" and not solution.is_final(50_000))
        for seed, solution in work.solutions.items()
    )


def test_what_is_known_is_not_solved_again() -> None:
    first = counted(count=12)
    again = counting(count=24)
    again.know(list(first.solutions.values()))
    solved: list[str] = []
    again.run(lambda solution: solved.append(solution.seed))
    assert sorted(solved) == sorted(again.seeds[12:])
    assert again.solutions == counted().solutions
    assert (again.count().known_before, again.count().deals) == (12, 24)


def test_a_larger_budget_takes_up_the_unknown_only() -> None:
    first = counted()
    unknown = set(first.count().unknown_seeds)
    again = counting(positions=100_000)
    again.know(list(first.solutions.values()))
    solved: list[str] = []
    again.run(lambda solution: solved.append(solution.seed))
    assert set(solved) == unknown
    assert again.count().unknown < len(unknown)


def test_a_winnable_deal_is_the_first_one() -> None:
    work = counted(count=12, positions=100_000)
    lost = work.count().lost_seeds[0]
    tried = find_winnable(GAME, CARRY, lost, 100_000)
    assert (tried[0].seed, tried[0].verdict) == (lost, "lost")
    assert [each.verdict == "won" for each in tried] == [False] * (len(tried) - 1) + [True]
    assert [each.seed for each in tried] == list(itertools.islice(deals(lost), len(tried)))


def test_a_search_without_success_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bartizan.lab.solve.TRIES", 3)
    told: list[tuple[int, int]] = []
    tried = find_winnable(GAME, {"round_cap": 1}, "1", FEW, lambda *figures: told.append(figures))
    assert {each.verdict for each in tried} <= {"lost", "unknown"}
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_progress_is_told_in_positions() -> None:
    told: list[tuple[int, int]] = []
    match = Match(GAME, {"total_victory": True}, seed="e")
    solution = solve(match, 120_000, lambda *figures: told.append(figures))
    assert solution.positions == 120_000
    assert told == [(50_000, 120_000), (100_000, 120_000), (120_000, 120_000)]


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(
        Unsolvable, match=r"Castle Danger is for 2 seats, .* `bartizan simulate castle-danger`"
    ):
        Counting(SEVERAL, {}, "0", 1)
    with pytest.raises(Unsolvable):
        solve(Match(SEVERAL, seed="1"))
    with pytest.raises(UnknownOption):
        Counting(GAME, {"havok": True}, "0", 1)
    with pytest.raises(BadSeed):
        Counting(GAME, {}, "xyz", 1)


# --- The journal -------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of six deals."""
    place = tmp_path / "deals.jsonl"
    with Journal(place, about(GAME, CARRY), Solution) as journal:
        counting(count=6).run(journal.add)
    return place


def test_a_journal_gives_back_what_was_written(path: Path) -> None:
    assert len(path.read_text().splitlines()) == 7
    with Journal(path, about(GAME, CARRY), Solution) as journal:
        assert {each.seed: each for each in journal.findings} == counted(count=6).solutions
    with Journal(
        path, about(GAME, {"overflow": "carry", "havoc": False}), Solution
    ) as journal:  # the same options
        assert len(journal.findings) == 6


def test_counts_of_other_deals_are_refused(path: Path) -> None:
    for options in ({}, {"overflow": "carry", "havoc": True}):
        with pytest.raises(CorruptRecord, match="is about other work"):
            Journal(path, about(GAME, options), Solution)


def test_what_one_of_two_works_lacks_is_called_missing(tmp_path: Path) -> None:
    path = tmp_path / "work"
    with Journal(path, {"seed": "0", "skill": "expert"}, Solution):
        pass
    with pytest.raises(CorruptRecord, match='its skill is "expert", and here it is missing'):
        Journal(path, {"seed": "0"}, Solution)
