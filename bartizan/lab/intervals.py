"""Say how sure a figure is: 95% intervals for shares, means, ratios and differences.

Shares of independent games: Wilson (1927), exact (Clopper and Pearson 1934) where there are few.  All else is
a ratio of sums over *deals*, the units: games of one deal are not independent, plies of one game still less.
Its variance is that of the linearised ratio (Cochran, "Sampling techniques", 1977, chapter 6), which for
shares gives an effective number of games that Wilson's interval is taken with (Korn and Graubard 1998; Dean
and Pagano 2015).  Stopping when an interval is narrow enough is honest only with a confidence sequence, which
holds at all times at once (Howard, Ramdas, McAuliffe and Sekhon 2021).

A difference is a t interval over deals while both its groups are large.  Of a small group, and of a share
that is almost 0 or 1, the linearised variance says little: there the ends come from two exact intervals (Zou
and Donner 2008), and below `FEWEST` results nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.05  # one minus the confidence
Z95 = 1.959963984540054  # the 97.5% point of the normal distribution
SMALL = 200  # degrees of freedom up to which Student's t is summed up
FEW = 40  # independent games below which a share's interval is exact
FEWEST = 5  # independent results of a group, below which its difference from another is not told
SPARSE = 5  # successes or failures below which a share's standard error says little

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95% interval; all three are NaN where nothing is known."""

    estimate: float
    low: float
    high: float
    method: str
    p: float = math.nan  # of a difference: the chance of one as large if there were none
    counts: str = ""  # what it rests on: ``3 of 40``, or for a difference ``3 of 40 against 700 of 5,960``


UNKNOWN = Interval(math.nan, math.nan, math.nan, "nothing counted")
NOT_MEASURED = "not measured"  # the method of a clause that acts by what it permits or refuses
RULES_RUN = ", of rules that run"  # how a method ends that counts only a part of what a clause does
TOO_FEW = "too few to say"  # how the method of a difference begins that is not told


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a share (Wilson 1927); trials may be an effective number."""
    if trials == 0:
        return 0.0, 1.0
    at, square = successes / trials, Z95**2
    middle = (successes + square / 2) / (trials + square)
    half = Z95 * math.sqrt(trials) / (trials + square) * math.sqrt(at * (1 - at) + square / (4 * trials))
    # The formula's own ends, where rounding would leave 1e-18 of them.
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    return low, 1.0 if successes == trials else min(1.0, middle + half)


def exact(successes: float, trials: float, level: float = LEVEL) -> tuple[float, float]:
    """Return the exact interval of a share, of 95% unless told (Clopper and Pearson 1934).

    Both numbers may be effective ones, which need not be whole (Korn and Graubard 1998).
    """
    from scipy.special import betainccinv, betaincinv

    if trials == 0:
        return 0.0, 1.0
    failures = trials - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, failures + 1, level / 2))
    high = 1.0 if failures == 0 else float(betainccinv(successes + 1, failures, level / 2))
    return low, high


def half_width(spread: float, units: int) -> float:
    """Return half the width of a 95% interval from a standard error over so many units (Student's t)."""
    return student95(max(1, units - 1)) * spread


@lru_cache(maxsize=4096)
def student95(freedom: int) -> float:
    """Return the 97.5% point of Student's t, to 12 digits, so that `simulate` needs no SciPy.

    Up to `SMALL` degrees of freedom it is where the sum for whole degrees (Abramowitz and Stegun 1964, 26.7.3
    and 26.7.4) reaches 95%, beyond that Fisher's series in their reciprocal (26.7.5).
    """
    if freedom > SMALL:
        square = Z95**2
        terms = (
            (square + 1) / 4,
            ((5 * square + 16) * square + 3) / 96,
            (((3 * square + 19) * square + 17) * square - 15) / 384,
            ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
        )
        return Z95 * (1 + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1)))
    low, high = Z95, 13.0  # with one degree of freedom it is 12.7
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _student_within(middle, freedom) < 1 - LEVEL else (low, middle)
    return high


def _student_within(distance: float, freedom: int) -> float:
    """Return the probability that the absolute value of Student's t is at most `distance`."""
    angle = math.atan(distance / math.sqrt(freedom))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    total, term = 0.0, math.sqrt(square) if freedom % 2 else 1.0
    for power in range(freedom % 2, freedom - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
    return 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total


class Moments:
    """Means and covariances of vectors, one for each deal, taken in as they come.

    Many kinds of vector at once: `add` takes (deals, kinds, size).  Parts are merged by the formulas of Chan,
    Golub and LeVeque (1979), so that the order of parts matters to the last bits only, and memory stays flat.
    """

    def __init__(self, kinds: int, size: int) -> None:
        self.count = 0
        self.mean: Floats = np.zeros((kinds, size))
        self._scatter: Floats = np.zeros((kinds, size, size))

    def add(self, rows: Floats) -> None:
        """Add vectors (deals, kinds, size)."""
        count = len(rows)
        if count == 0:
            return
        mean = rows.mean(axis=0)
        centred = rows - mean
        step = mean - self.mean
        total = self.count + count
        self._scatter += centred.transpose(1, 2, 0) @ centred.transpose(1, 0, 2)
        self._scatter += np.einsum("ki,kj->kij", step, step) * (self.count * count / total)
        self.mean = self.mean + step * (count / total)
        self.count = total

    def covariance(self) -> Floats:
        """Return the covariance of the vectors' means (kinds, size, size); infinite for a single deal."""
        if self.count < 2:
            return np.full_like(self._scatter, math.inf)
        return self._scatter / (self.count - 1) / self.count


def ratio(
    mean: Floats,
    covariance: Floats,
    units: int,
    *,
    share: bool,
    whole: float = 0.0,
    bounds: tuple[float, float] | None = None,
) -> Interval:
    """Return the ratio of the two means of a vector, and its interval over the deals.

    Args:
        mean: (2,) numerator and denominator a deal.
        covariance: (2, 2) of the two means.
        units: how many deals.
        share: whether it lies between 0 and 1, so that Wilson's interval can be taken.
        whole: if not 0, the sum of the denominators, which are independent games, one a deal at most.
        bounds: between which a deal's ratio lies, if that is known.
    """
    top, bottom = float(mean[0]), float(mean[1])
    if bottom <= 0 or units == 0:
        return UNKNOWN
    at = top / bottom
    counts = _counts(mean, units) if share else ""
    if share and whole:
        few = whole < FEW
        low, high = (exact if few else wilson)(round(at * whole), whole)
        return Interval(at, low, high, "exact" if few else "Wilson", counts=counts)
    gradient = np.array([1 / bottom, -at / bottom])
    variance = float(gradient @ covariance @ gradient) if units > 1 else math.inf
    if share:
        return replace(_share_by_deals(at, variance, units, bottom), counts=counts)
    if not math.isfinite(variance):
        return Interval(at, -math.inf, math.inf, "one deal only")
    half = half_width(math.sqrt(max(0.0, variance)), units)
    if half == 0 and bounds is not None:  # all deals alike: what may yet come is that of a share never seen
        half = (bounds[1] - bounds[0]) * exact(0, units)[1]
        return Interval(at, max(bounds[0], at - half), min(bounds[1], at + half), "exact, all deals alike")
    return Interval(at, at - half, at + half, "t over deals")


def _share_by_deals(at: float, variance: float, units: int, bottom: float) -> Interval:
    """Return a share's interval by Wilson's formula with the effective number of games."""
    counted = units * min(1.0, bottom)  # at most one to a deal where all agree
    effective = at * (1 - at) / variance if 0 < variance < math.inf and 0 < at < 1 else counted
    widened = (Z95 / half_width(1.0, units)) ** 2 if units > 1 else 1.0  # Student's t, not the normal
    low, high = wilson(at * effective * widened, effective * widened)
    return Interval(at, low, high, "Wilson, by deals")


def _counts(mean: Floats, units: int) -> str:
    """Return a share's numerator and denominator over all deals."""
    return f"{round(units * float(mean[0])):,} of {round(units * float(mean[1])):,}"


@dataclass(frozen=True)
class _Side:
    """One of the two ratios of a difference: its mean (2,), their covariance, and over how many deals."""

    mean: Floats
    covariance: Floats
    units: int

    @property
    def at(self) -> float:
        """The ratio."""
        return float(self.mean[0] / self.mean[1])

    @property
    def total(self) -> float:
        """The sum of its denominators: how many seats, decisions or games."""
        return self.units * float(self.mean[1])

    @property
    def results(self) -> float:
        """How many deals of equal weight are worth as much: all of one deal could share their result.

        It is Kish's effective number (1965) with the deals' denominators as weights.
        """
        scatter = float(self.covariance[1, 1]) * self.units * (self.units - 1)
        squares = scatter + self.units * float(self.mean[1]) ** 2
        return self.total**2 / squares

    @property
    def is_lopsided(self) -> bool:
        """Whether most deals have nothing of it, or almost nothing."""
        return self.results < self.units / 2

    @property
    def gradient(self) -> Floats:
        """The derivatives of the ratio, with the factor by which a small group's spread is too small."""
        bottom, results = float(self.mean[1]), max(self.results, 1 + 1e-9)
        factor = math.sqrt(results / (results - 1) * (self.units - 1) / self.units)
        return np.array([1 / bottom, -self.at / bottom]) * factor

    @property
    def variance(self) -> float:
        """The linearised variance of the ratio."""
        return max(0.0, float(self.gradient @ self.covariance @ self.gradient))

    @property
    def effective(self) -> float:
        """How many independent results have the share's variance, or `results` where that says nothing."""
        at, variance = self.at, self.variance
        if self.is_lopsided or variance == 0 or not 0 < at < 1:
            return self.results
        return min(self.total, at * (1 - at) / variance)

    @property
    def is_small(self) -> bool:
        """Whether a standard error says little about its share."""
        few = self.is_lopsided and self.results < FEW
        return few or min(self.at, 1 - self.at) * self.effective < SPARSE - 1e-9

    def ends(self, level: float) -> tuple[float, float]:
        """Return the exact interval of its share."""
        return exact(self.at * self.effective, self.effective, level)


def difference(mean: Floats, covariance: Floats, units: int, *, share: bool = False) -> Interval:
    """Return one ratio minus another from the means (4,) of both and their covariance over the same deals.

    Large groups have Student's t over deals, with the degrees of freedom of Welch (1947) and Satterthwaite
    (1946).  `share` says whether both lie between 0 and 1.  Then a small group, or one with hardly a success
    or a failure, has exact ends: its lowest minus the other's highest, and the reverse.  That is Zou and
    Donner's MOVER (2008) at the worst correlation, as of a winner and a loser of one game.  The chance `p` is
    the level at which an end reaches 0.  Of a group worth less than `FEWEST` results nothing is said.
    """
    if units < 2 or float(mean[1]) <= 0 or float(mean[3]) <= 0:
        return UNKNOWN
    one, other = _Side(mean[:2], covariance[:2, :2], units), _Side(mean[2:], covariance[2:, 2:], units)
    gradient = np.concatenate([one.gradient, -other.gradient])
    spread = math.sqrt(max(0.0, float(gradient @ covariance @ gradient)))
    return _difference(one, other, spread, "paired by deal", share=share)


def difference_apart(
    one: tuple[Floats, Floats, int], other: tuple[Floats, Floats, int], *, share: bool = False
) -> Interval:
    """Return one ratio minus another where no deal is common: each has its means, covariance and deals.

    The variances add up; everything else is as in `difference`.
    """
    if min(one[2], other[2]) < 2 or float(one[0][1]) <= 0 or float(other[0][1]) <= 0:
        return UNKNOWN
    sides = _Side(*one), _Side(*other)
    spread = math.sqrt(sides[0].variance + sides[1].variance)
    return _difference(*sides, spread, "two samples (Welch)", share=share)


def _difference(one: _Side, other: _Side, spread: float, method: str, *, share: bool) -> Interval:
    """Return the difference of two groups by the method that their sizes allow."""
    sides, at = (one, other), one.at - other.at
    smaller = min(sides, key=lambda side: side.results)
    if smaller.is_lopsided and smaller.results < FEWEST - 1e-9:
        deals = "" if smaller.total < FEWEST else ", in too few deals"
        whole = f"{round(one.total + other.total):,}"
        return replace(UNKNOWN, method=f"{TOO_FEW}: {round(smaller.total):,} of {whole}{deals}")
    if share:
        counts = " against ".join(_counts(side.mean, side.units) for side in sides)
    else:
        counts = " against ".join(f"{round(side.total):,}" for side in sides)
    alike = spread == 0 and not any(side.results < side.units - 1e-6 for side in sides)
    if share and not alike and any(side.is_small for side in sides):
        return replace(_by_exact_ends(one, other), counts=counts)
    units = 1 + min(_freedom(one, other), one.units - 1 if method.startswith("paired") else 10**9)
    interval = replace(normal_difference(at, spread, units, method), counts=counts)
    if spread > 0 or not share:
        return interval
    half = exact(0, min(side.units for side in sides))[1]
    low, high = max(-1.0, at - half), min(1.0, at + half)
    return replace(interval, low=low, high=high, method=f"{method}, all alike")


def _freedom(one: _Side, other: _Side) -> int:
    """Return the degrees of freedom of the difference of two means (Welch 1947, Satterthwaite 1946)."""
    parts = [(side.variance, max(1.0, side.results - 1)) for side in (one, other)]
    whole = sum(variance for variance, _ in parts)
    squares = sum(variance**2 / freedom for variance, freedom in parts)
    return max(1, math.floor(whole**2 / squares + 1e-9)) if squares > 0 else min(one.units, other.units) - 1


def _by_exact_ends(one: _Side, other: _Side) -> Interval:
    """Return the difference of two shares from their exact intervals (see `difference`)."""

    def ends(level: float) -> tuple[float, float]:
        (low, high), (other_low, other_high) = one.ends(level), other.ends(level)
        return low - other_high, high - other_low

    at, (low, high) = one.at - other.at, ends(LEVEL)
    sure, p = -15.0, 0.0  # powers of ten: a level at which the interval holds 0, and one at which it does not
    for _ in range(24):
        middle = (sure + p) / 2
        holds = ends(10.0**middle)
        sure, p = (middle, p) if holds[0] <= 0 <= holds[1] else (sure, middle)
    chance = 10.0**p if at != 0 else 1.0
    return Interval(at, low, high, "exact ends", chance)


def normal_difference(at: float, spread: float, units: int, method: str = "paired by deal") -> Interval:
    """Return a difference with its interval and the chance of one as large by luck, from its spread."""
    from scipy.special import stdtr

    if math.isnan(at) or math.isnan(spread):
        return UNKNOWN
    half = half_width(spread, units)
    alike = 1.0 if at == 0 else min(1.0, 2 * 0.5**units)  # of deals that all agree: the sign test
    p = float(2 * stdtr(max(1, units - 1), -abs(at) / spread)) if spread > 0 else alike
    return Interval(at, at - half, at + half, method, p)


def smallest_difference(games: int, share: float = 0.5) -> float:
    """Return how large a difference of two shares must come out to have a 95% interval without 0.

    Both groups have so many independent games (Wald's interval; a true difference of this size shows in half
    of all experiments).  Games that share deals can show smaller ones.
    """
    return Z95 * math.sqrt(2 * share * (1 - share) / games)


def holm(chances: Sequence[float]) -> list[float]:
    """Return the chances of several differences corrected for their number (Holm 1979); NaN stays NaN."""
    corrected = [math.nan] * len(chances)
    known = [place for place, p in enumerate(chances) if not math.isnan(p)]
    largest = 0.0
    for rank, place in enumerate(sorted(known, key=lambda place: chances[place])):
        largest = max(largest, min(1.0, (len(known) - rank) * chances[place]))
        corrected[place] = largest
    return corrected


# --- Intervals that may be watched ------------------------------------------------

# Of the stitched boundary: epochs grow by the first, their shares of the level fall by the second.
ETA, POWER = 2.0, 1.4
START = 10.0  # the variance from which the boundary is tight


def stitched_boundary(variance: float, scale: float, level: float) -> float:
    """Return how far a sum may ever stray with its variance process (Howard et al. 2021, theorem 1)."""
    from scipy.special import zeta

    above = max(variance, START)
    epochs = math.log(above / START, ETA)
    loud = math.log(float(zeta(POWER)) / level) + POWER * math.log(1 + epochs)
    first = (ETA**0.25 + ETA**-0.25) / math.sqrt(2)
    second = (math.sqrt(ETA) + 1) / 2
    return math.sqrt(first**2 * above * loud + second**2 * scale**2 * loud**2) + second * scale * loud


@dataclass
class ConfidenceSequence:
    """The mean of numbers from 0 to 1 with an interval that holds at all times at once.

    The empirical-Bernstein sequence of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric,
    nonasymptotic confidence sequences" (Annals of Statistics 2021), theorem 4: the variance process adds up
    the squared distances of each number from the mean of those before it.
    """

    count: int = 0
    total: float = 0.0
    variance: float = 0.0
    low: float = 0.0
    high: float = 1.0
    _guess: float = field(default=0.5, repr=False)  # the mean before the first number

    def add(self, numbers: Floats) -> None:
        """Add numbers in order; the interval is checked once, after the last."""
        if len(numbers) == 0:
            return
        sums = self.total + np.concatenate([[0.0], np.cumsum(numbers)])
        counts = self.count + np.arange(len(numbers))
        before = (sums[:-1] + self._guess) / (counts + 1)
        self.variance += float(np.sum((numbers - before) ** 2))
        self.count += len(numbers)
        self.total = float(sums[-1])
        far = stitched_boundary(self.variance, 1.0, LEVEL / 2) / self.count
        at = self.total / self.count
        self.low, self.high = max(self.low, at - far, 0.0), min(self.high, at + far, 1.0)

    @property
    def width(self) -> float:
        """How wide the interval is; it never grows."""
        return max(0.0, self.high - self.low)
