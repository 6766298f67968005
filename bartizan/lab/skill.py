"""Ask how much more thinking wins: a ladder of budgets, each against the next, on the same deals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

from bartizan.lab.batch import name_of_searcher, player_named
from bartizan.lab.design import Cell, Design
from bartizan.lab.group import Progress, Search
from bartizan.lab.intervals import Interval
from bartizan.lab.journal import Journal
from bartizan.lab.ladder import LadderGame, Meeting, neighbours, pairs_in, ratings, rounds_due
from bartizan.lab.measures import Figure
from bartizan.lab.runner import IsStopped, Workers
from bartizan.search.players import Player

Round = tuple[int, str, str, int]  # the cell, the two players, the number of the round


def contest_of(design: Design, cell: Cell) -> LadderGame:
    """Return the contest in which the budgets of a cell meet."""
    game = design.game

    def guest(budget: int) -> Callable[[int], Player]:
        return lambda seed: player_named(game, name_of_searcher(budget), seed)

    guests = {name_of_searcher(budget): guest(budget) for budget in design.search.budgets}
    return LadderGame(game, design.seats, cell.options, design.seed, guests)


def play_rounds(design: Design) -> Callable[[Round, IsStopped], Meeting]:
    """Get ready to play rounds of the ladders of skill."""
    contests = {cell.number: contest_of(design, cell) for cell in design.main_cells}
    return lambda task, _: contests[task[0]].meet(*task[1:])


class SkillLadder(Search):
    """The ladder of budgets of each cell, kept in the experiment's folder."""

    @property
    def names(self) -> list[str]:
        """The players, the weakest first."""
        return ["random", "greedy", *map(name_of_searcher, self.design.search.budgets)]

    def _journal(self, cell: Cell, *, reading: bool = False) -> Journal[Meeting]:
        work: dict[str, Any] = {
            "game": self.design.game.name,
            "options": cell.options,
            "seed": self.design.seed,
        }
        work |= {"seats": self.design.seats, "budgets": list(self.design.search.budgets)}
        return Journal(self.path / f"skill_{cell.number}.jsonl", work, Meeting, reading=reading)

    def run(self, workers: Workers, progress: Progress | None = None) -> None:
        """Play the rounds that are missing; each is kept when it is done."""
        for cell in self.design.main_cells:
            contest = contest_of(self.design, cell)
            games = self.design.search.rounds * contest.games_a_round
            with self._journal(cell) as journal:
                due, played = rounds_due(contest, neighbours(self.names), games, journal.findings)
                tasks = [(cell.number, *each) for each in due]
                total = played + len(tasks)
                with closing(workers.do(play_rounds, self.design, tasks)) as rounds:
                    for _, meeting, _ in rounds:
                        journal.add(meeting)
                        played += 1
                        if progress is not None:
                            progress(played, total)

    def figures(self) -> list[Figure]:
        """Return each step of the ladder, and how many Elo points lie between random and the best."""
        figures: list[Figure] = []
        for cell in self.design.main_cells:
            if not (self.path / f"skill_{cell.number}.jsonl").is_file():
                continue
            with self._journal(cell, reading=True) as journal:
                played = [_without_clock(each) for each in journal.findings]
            if not played:
                continue
            for pair in pairs_in(played):
                interval = Interval(pair.score, pair.low, pair.high, "t over deals")
                rounds = sum((each.first, each.second) == (pair.first, pair.second) for each in played)
                words = f"share of the points of {pair.first} against {pair.second}"
                name = f"step.{pair.first}"
                figures.append(Figure("skill", name, "level", cell, interval, rounds, pair.games, words))
            best = ratings(self.names, played, "random")[-1]
            interval = Interval(best.elo, best.low, best.high, "Bradley-Terry, bootstrap over deals")
            words = f"Elo points from random to {best.player}"
            deals = len({each.number for each in played})
            games = sum(len(each.points) for each in played)
            figures.append(Figure("skill", "depth", "level", cell, interval, deals, games, words))
        return figures


def _without_clock(meeting: Meeting) -> Meeting:
    """Return a round as it is the same on every machine."""
    import msgspec

    return msgspec.structs.replace(meeting, seconds=(0.0, 0.0))
