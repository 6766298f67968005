"""Let players meet on the same deals, from every seat, and rate them.

Games come in *rounds*: one deal, in which the first player of a pair takes each seat in turn while
the second has all the others.  In a game for one both play the same deal by themselves.  A round
depends on the seed, the pair and its number alone, so that any number of threads plays the same
games, save where a level's thinking is limited by the clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.game import Game
from bartizan.engine.rng import stream
from bartizan.lab.batch import MAX_SEARCHED_PLIES
from bartizan.lab.intervals import half_width, wilson
from bartizan.lab.threads import in_threads
from bartizan.match.match import Match
from bartizan.match.progress import check_seed
from bartizan.search.players import Player

RESAMPLES = 400  # for the intervals of ratings
ELO = 400 / math.log(10)  # points for a unit of the Bradley-Terry scale
PRIOR = 0.01  # keeps a player who lost or won every game at a finite rating

Progress = Callable[[int, int], None]
Guest = Callable[[int], Player]


class Meeting(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one round, for the first player and for the second."""

    first: str
    second: str
    number: int
    points: tuple[float, ...]  # the first player's share in each game, from 0 to 1
    wins: tuple[int, int]
    draws: int = 0
    unfinished: int = 0
    plies: int = 0
    decisions: tuple[int, int]  # with more than one legal action
    seconds: tuple[float, float]  # that they took


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """The result of all meetings of two players; `score` is the first one's share of the points."""

    first: str
    second: str
    games: int
    score: float
    low: float
    high: float
    wins: tuple[int, int]
    win_rates: tuple[float, float]
    draws: int
    unfinished: int
    elo: float  # how far the first is ahead
    seconds_a_decision: tuple[float, float]


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """A player's strength in Elo points, `greedy` having 0, with its 95% interval."""

    player: str
    elo: float
    low: float
    high: float
    games: int
    wins: int  # what it won of them: the figure that counts in a game for one
    win_low: float
    win_high: float
    milliseconds_a_decision: float


class LadderGame:
    """A game with its options and seats, in which players meet."""

    def __init__(
        self,
        game: Game,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        seed: str = "0",
        guests: Mapping[str, Guest] | None = None,
    ) -> None:
        """Check what is given; raises `BadSeats`, `UnknownOption`, `BadSeed`.

        `guests` are players from elsewhere by their names; each makes one of itself from a seed.
        """
        self.game = game
        self._guests = dict(guests or {})
        self.seats = game.check_seats(seats)
        self.seed = check_seed(seed)
        self.options = dict(options or {})
        # Refusals come before the first game.
        game.blank(game.option_set.read(self.options), self.seats, 0)
        game.check_programs(self.options, self.seats)

    @property
    def games_a_round(self) -> int:
        """How many games one deal is good for."""
        return max(2, self.seats)

    def check_player(self, name: str) -> None:
        """Raise `UnknownPlayer` if there is no player of this name."""
        if name not in self._guests:
            self.game.check_player(name)

    def _player(self, name: str, seed: int) -> Player:
        guest = self._guests.get(name)
        return guest(seed) if guest else Player.named(self.game, name, seed)

    def meet(self, first: str, second: str, number: int) -> Meeting:
        """Play round `number` of a pair."""
        tables = [
            [first if seat == own else second for seat in range(self.seats)] for own in range(self.seats)
        ]
        if self.seats == 1:
            tables = [[first], [second]]
        results = [self._play(names, number, game) for game, names in enumerate(tables)]
        return _meeting(first, second, number, self.seats, results)

    def _play(self, names: Sequence[str], number: int, game: int) -> _Result:
        """Play one game; the dice of its players are their own, the deal is the round's."""
        match = Match(self.game, self.options, self.seats, f"{stream(self.seed, 'ladder', number):016x}")
        dice = [stream(self.seed, "players", number, game, seat, name) for seat, name in enumerate(names)]
        table = [self._player(name, die) for name, die in zip(names, dice, strict=True)]
        seconds = [0.0] * self.seats
        decisions = [0] * self.seats
        while not match.is_over and match.ply < MAX_SEARCHED_PLIES:
            seat = match.seat_to_move - 1
            legal = match.legal()
            began = time.perf_counter()
            action = table[seat].choose(match.game_state(), legal, match)
            if len(legal) > 1:
                seconds[seat] += time.perf_counter() - began
                decisions[seat] += 1
            match.play(action)
        winners = match.outcome.winners if match.outcome else ()
        return _Result(match.returns(), winners, match.is_over, match.ply, decisions, seconds)


class _Result(msgspec.Struct):
    returns: list[float]
    winners: tuple[int, ...]
    finished: bool
    plies: int
    decisions: list[int]
    seconds: list[float]


def _meeting(first: str, second: str, number: int, seats: int, results: Sequence[_Result]) -> Meeting:
    """Add up the results of a round's games."""
    points: list[float] = []
    wins, draws = [0, 0], 0
    decisions, seconds = [0, 0], [0.0, 0.0]
    for game, result in enumerate(results):
        for seat in range(seats):
            whose = (game if seats == 1 else int(seat != game)) and 1
            wins[whose] += seat + 1 in result.winners
            decisions[whose] += result.decisions[seat]
            seconds[whose] += result.seconds[seat]
        draws += not result.winners and seats > 1
        if seats > 1:
            points.append((result.returns[game] + 1) / 2 if result.finished else 0.5)
    if seats == 1:
        one, other = (result.returns[0] if result.finished else -1.0 for result in results)
        points = [0.5 + 0.5 * ((one > other) - (one < other))]
    return Meeting(
        first=first,
        second=second,
        number=number,
        points=tuple(points),
        wins=(wins[0], wins[1]),
        draws=draws,
        unfinished=sum(not result.finished for result in results),
        plies=sum(result.plies for result in results),
        decisions=(decisions[0], decisions[1]),
        seconds=(seconds[0], seconds[1]),
    )


def neighbours(ladder: Sequence[str]) -> list[tuple[str, str]]:
    """Pair every level except the weakest with the one below it."""
    return [(stronger, weaker) for weaker, stronger in pairwise(ladder)]


def pairs_of(ladder: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairings: levels one or two steps apart, the stronger first."""
    far = [(stronger, weaker) for weaker, stronger in zip(ladder, ladder[2:], strict=False)]
    return neighbours(ladder) + far


def rounds_due(
    contest: LadderGame, pairs: Sequence[tuple[str, str]], games: int, done: Iterable[Meeting] = ()
) -> tuple[list[tuple[str, str, int]], int]:
    """Return the rounds until each pair has `games` games or a few more, and how many are among `done`.

    The pairs take turns, so that after an interruption there are results for each.
    Raises `UnknownPlayer`.
    """
    for name in {name for pair in pairs for name in pair}:
        contest.check_player(name)
    rounds = -(-games // contest.games_a_round)
    had = {(meeting.first, meeting.second, meeting.number) for meeting in done}
    due = [(*pair, number) for number in range(rounds) for pair in pairs if (*pair, number) not in had]
    return due, rounds * len(pairs) - len(due)


def meetings(
    contest: LadderGame,
    pairs: Sequence[tuple[str, str]],
    games: int,
    threads: int = 1,
    done: Iterable[Meeting] = (),
    progress: Progress | None = None,
) -> Iterator[Meeting]:
    """Yield rounds as they are played, those of `rounds_due`.

    Raises `UnknownPlayer` before the first.
    """
    due, played = rounds_due(contest, pairs, games, done)
    total = played + len(due)
    for _, meeting in in_threads(lambda each: contest.meet(*each), due, threads):
        played += 1
        if progress is not None:
            progress(played, total)
        yield meeting


def pair_of(played: Sequence[Meeting]) -> Pair:
    """Return the result of one pair's meetings.

    The interval of the score is computed from the rounds' means: games of one deal are not independent.
    """
    by_round = np.array([np.mean(meeting.points) for meeting in played])
    score = float(by_round.mean())
    rounds = len(by_round)
    spread = half_width(float(by_round.std(ddof=1)) / math.sqrt(rounds), rounds) if rounds > 1 else 1.0
    games = sum(len(meeting.points) for meeting in played)
    if score in (0.0, 1.0) or rounds < 2:
        low, high = wilson(round(score * games), games)
    else:
        low, high = max(0.0, score - spread), min(1.0, score + spread)
    wins = (sum(meeting.wins[0] for meeting in played), sum(meeting.wins[1] for meeting in played))
    certain = min(max(score, 0.5 / games), 1 - 0.5 / games)
    return Pair(
        first=played[0].first,
        second=played[0].second,
        games=games,
        score=score,
        low=low,
        high=high,
        wins=wins,
        win_rates=(wins[0] / games, wins[1] / games),
        draws=sum(meeting.draws for meeting in played),
        unfinished=sum(meeting.unfinished for meeting in played),
        elo=ELO * math.log(certain / (1 - certain)),
        seconds_a_decision=(_pace(played, 0), _pace(played, 1)),
    )


def _pace(played: Sequence[Meeting], whose: int) -> float:
    decisions = sum(meeting.decisions[whose] for meeting in played)
    return sum(meeting.seconds[whose] for meeting in played) / decisions if decisions else 0.0


def pairs_in(played: Iterable[Meeting]) -> list[Pair]:
    """Return the result of every pair's meetings, in the order in which the pairs first met."""
    by_pair: dict[tuple[str, str], list[Meeting]] = {}
    for meeting in sorted(played, key=lambda meeting: meeting.number):
        by_pair.setdefault((meeting.first, meeting.second), []).append(meeting)
    return [pair_of(each) for each in by_pair.values()]


def strengths(names: Sequence[str], played: Sequence[Meeting]) -> NDArray[np.float64]:
    """Return the maximum likelihood estimate of each player's strength on the Bradley-Terry scale.

    Games for three and more seats count as one comparison with those at the other seats together.
    """
    import choix

    place = {name: number for number, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for meeting in played:
        one, other = place[meeting.first], place[meeting.second]
        points[one, other] += sum(meeting.points)
        points[other, one] += len(meeting.points) - sum(meeting.points)
    return np.asarray(choix.ilsr_pairwise_dense(points, alpha=PRIOR))


def ratings(names: Sequence[str], played: Sequence[Meeting], base: str) -> list[Rating]:
    """Return the players' ratings, `base` having 0; the intervals are of a bootstrap over rounds."""
    dice = np.random.default_rng(1)
    zero = list(names).index(base)

    def relative(meetings: Sequence[Meeting]) -> NDArray[np.float64]:
        ratings = strengths(names, meetings)
        return np.asarray(ELO * (ratings - ratings[zero]))

    at = relative(played)
    numbers = sorted({meeting.number for meeting in played})
    by_round = {number: [each for each in played if each.number == number] for number in numbers}
    drawn = [
        relative([each for number in dice.choice(numbers, len(numbers)) for each in by_round[int(number)]])
        for _ in range(RESAMPLES if len(numbers) > 1 else 0)
    ]
    spread = np.quantile(drawn, [0.025, 0.975], axis=0) if drawn else np.array([at, at])
    return [
        _rating(name, played, float(at[place]), float(spread[0][place]), float(spread[1][place]))
        for place, name in enumerate(names)
    ]


def _rating(name: str, played: Sequence[Meeting], elo: float, low: float, high: float) -> Rating:
    """Return a player's rating with what it won and how long it took."""
    games = wins = decisions = 0
    seconds = 0.0
    for meeting in played:
        for whose, player in enumerate((meeting.first, meeting.second)):
            if player == name:
                games += len(meeting.points)
                wins += meeting.wins[whose]
                decisions += meeting.decisions[whose]
                seconds += meeting.seconds[whose]
    win_low, win_high = wilson(min(wins, games), games)
    return Rating(
        player=name,
        elo=elo,
        low=low,
        high=high,
        games=games,
        wins=wins,
        win_low=win_low,
        win_high=win_high,
        milliseconds_a_decision=1_000 * seconds / decisions if decisions else 0.0,
    )
