"""Say in plain sentences what figures mean, by thresholds that stand here with their reasons.

A threshold is a judgement, not a law of nature: whoever designs a game may hold another.  So every sentence
shows its figure, its interval and the threshold, and claims something only where the whole interval lies on
one side of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bartizan.lab.measures import Figure

Tone = Literal["good", "bad", "open"]


@dataclass(frozen=True)
class Threshold:
    """A measure, a bound of it, what to say on either side and between, and why this bound."""

    measure: str  # of `bartizan.lab.measures`; the part before a seat's or a player's name
    bound: float
    below: str  # the sentence where the whole interval lies below the bound
    above: str
    between: str  # where it does not
    good: Literal["below", "above", "neither"]
    reason: str


# The figure is written in place of {figure}, what the measure is about in place of {which}.
THRESHOLDS = (
    Threshold(
        measure="advantage",
        bound=0.05,
        below="No seat is much better; the best is {which}, {figure} above the mean: fair enough.",
        above="{which} has an advantage, {figure} above the mean: equal players are told apart by it.",
        between="Whether {which} has too much of an advantage ({figure}) more games must tell.",
        good="below",
        reason="In tournament chess White scores about 55 in a hundred, and people live with it.",
    ),
    Threshold(
        measure="drawn",
        bound=0.25,
        below="{figure} of the games are drawn: most evenings have a winner.",
        above="{figure} of the games are drawn: too many evenings end without a winner.",
        between="About a quarter of the games may be drawn ({figure}).",
        good="below",
        reason="A group that plays four games of an evening should not see more than one without a winner.",
    ),
    Threshold(
        measure="unfinished",
        bound=0.001,
        below="Every game comes to an end.",
        above="{figure} of the games never end: some rule must break them off.",
        between="Whether all games end more of them must tell ({figure}).",
        good="below",
        reason="A rulebook promises an end; one in a thousand is what a publisher's players would meet.",
    ),
    Threshold(
        measure="forced",
        bound=0.25,
        below="{figure} of the decisions leave no choice.",
        above="{figure} of the decisions leave no choice: the rules could take them.",
        between="About a quarter of the decisions may leave no choice ({figure}).",
        good="below",
        reason="Where more than every fourth question has one answer, people play on without looking.",
    ),
    Threshold(
        measure="dead_turns",
        bound=0.2,
        below="{figure} of the turns offer no choice.",
        above="{figure} of the turns offer no choice: their owner only watches.",
        between="About a fifth of the turns may offer no choice ({figure}).",
        good="below",
        reason="One turn in five without a say is what games of roll and move have, and are blamed for.",
    ),
    Threshold(
        measure="deal_share",
        bound=0.5,
        below="The deal decides {figure} of the result: the players have the larger say.",
        above="The deal decides {figure} of the result: the players have the smaller say.",
        between="Deal and players have about as much of a say ({figure} is the deal's).",
        good="neither",
        reason="Half is where the deal outweighs all that is done with it; whether that is good is taste.",
    ),
    Threshold(
        measure="decided_at",
        bound=0.5,
        below="Games are decided when {figure} of them is over: the rest is for show.",
        above="Games are open for long: the later winner is ahead for good after {figure} of them.",
        between="The later winner is ahead for good after about half of a game ({figure}).",
        good="above",
        reason="A second half that can change nothing is the most common reason to stop playing.",
    ),
    Threshold(
        measure="weight",
        bound=0.02,
        below="A decision is worth {figure} of the chance to win: it hardly matters what is done.",
        above="The best action is {figure} of the chance to win ahead of the second: decisions matter.",
        between="A decision is worth about {figure} of the chance to win.",
        good="above",
        reason="Two in a hundred is what a search of this size cannot tell from nothing.",
    ),
)


@dataclass(frozen=True)
class Verdict:
    """A sentence with what it rests on."""

    sentence: str
    tone: Tone
    figure: Figure
    threshold: Threshold


def verdicts(figures: list[Figure]) -> list[Verdict]:
    """Return the sentences on the first cell of an experiment."""
    found: list[Verdict] = []
    levels = [each for each in figures if each.kind == "level" and each.cell.number == 0]
    for threshold in THRESHOLDS:
        own = [each for each in levels if each.measure.partition(".")[0] == threshold.measure]
        own = [each for each in own if each.interval.low <= each.interval.high]  # something was counted
        if own:  # of several seats the one that is farthest ahead
            found.append(_verdict(max(own, key=lambda each: each.interval.estimate), threshold))
    return found


def _verdict(figure: Figure, threshold: Threshold) -> Verdict:
    at = figure.interval
    side = "below" if at.high < threshold.bound else "above" if at.low > threshold.bound else "between"
    sentences: Mapping[str, str] = {
        "below": threshold.below,
        "above": threshold.above,
        "between": threshold.between,
    }
    text = sentences[side].format(figure=percent(at.estimate, at.low, at.high), which=_which(figure))
    tone: Tone = "open" if side == "between" or threshold.good == "neither" else "bad"
    if side == threshold.good:
        tone = "good"
    return Verdict(text[:1].upper() + text[1:], tone, figure, threshold)


def _which(figure: Figure) -> str:
    name = figure.measure.partition(".")[2]
    return name.replace("_", " ")


def percent(at: float, low: float, high: float) -> str:
    """Write a share with its interval: ``54 % ± 2``; both ends where they are not as far."""
    shown = f"{100 * at:.0f} %"
    down, up = 100 * (at - low), 100 * (high - at)
    if round(down) == round(up):
        return f"{shown} ± {max(up, down):.0f}" if max(up, down) >= 0.5 else f"{shown}"
    return f"{shown} ({100 * low:.0f} to {100 * high:.0f})"
