"""Measure games by the estimates of a search: drama, and the value of decisions."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import ClassVar

import numpy as np
import polars as pl

from bartizan.lab.group import MeasureGroup
from bartizan.lab.intervals import Interval, Moments, ratio
from bartizan.lab.measures import Figure, Floats
from bartizan.lab.thinking import GameAnalysis

Facts = dict[str, float]  # of one game; NaN where it has no such thing


class AnalysedGames(GameAnalysis):
    """The analysed games of an experiment, and what they come to."""

    def figures(self) -> list[Figure]:
        """Return the measures of drama and of the weight of decisions."""
        wanted = [group for group in (DramaGroup, WeightGroup) if self.design.measures_group(group.name)]
        rows: dict[int, dict[int, list[Facts]]] = {}
        for frame in self.frames():
            facts = drama_of(frame) | weight_of(frame)
            number, deal = int(frame["cell"][0]), int(frame["deal"][0])
            rows.setdefault(number, {}).setdefault(deal, []).append(facts)
        figures: list[Figure] = []
        for cell_number, deals in sorted(rows.items()):
            cell = self.design.cells[cell_number]
            games = sum(map(len, deals.values()))
            for group in wanted:
                for name, words in group.facts.items():
                    interval = _mean(list(deals.values()), name, share=name in group.shares)
                    figures.append(
                        Figure(group.name, name, "level", cell, interval, len(deals), games, words)
                    )
        return figures


class DramaGroup(MeasureGroup):
    """How the lead goes in a game."""

    name = "drama"
    meaning = "lead changes, comebacks, uncertainty, by a search's estimate"
    heading = "Drama"
    definitions: ClassVar[dict[str, str]] = {
        "lead_changes": (
            "how often the seat with the best chance (by a search) changes; ties don't count (Ludii: lead "
            "change)"
        ),
        "decided_at": (
            "the point of the game, as a share, after which the winner stays ahead (Browne 2008: "
            "decisiveness)"
        ),
        "comeback": "the winner's lowest chance (Ludii: drama)",
        "uncertainty": "entropy of the chances, averaged over a game (Browne 2008)",
        "surprise": (
            "root mean square change of the chances per decision (after Ely, Frankel and Kamenica 2015)"
        ),
    }
    shares = ("decided_at", "comeback", "uncertainty", "surprise")
    picture = "tension"
    search = AnalysedGames
    facts: ClassVar[dict[str, str]] = {
        "lead_changes": "changes of the lead in a game, by the search's estimate",
        "decided_at": "part of the game after which the later winner is ahead for good",
        "comeback": "lowest chance of the later winner",
        "uncertainty": "entropy of the chances over a game, 1 where all seats are equal",
        "surprise": "how far the chances move from one decision to the next (root mean square)",
    }


class WeightGroup(MeasureGroup):
    """What a decision is worth."""

    name = "weight"
    meaning = "what a decision is worth, by a search"
    heading = "What decisions are worth"
    definitions: ClassVar[dict[str, str]] = {
        "weight": "the best action's chance minus the second best's",
        "near": "how many of the three most likely actions are within five points of the best",
    }
    shares = ("weight",)
    search = AnalysedGames
    facts: ClassVar[dict[str, str]] = {
        "weight": "chance that the best action is ahead of the second best",
        "near": "of the three likeliest actions, those within five points of the best",
    }


def _mean(deals: list[list[Facts]], name: str, *, share: bool) -> Interval:
    """Return the mean of a fact over games that have it; deals are the units."""
    rows = []
    for games in deals:
        known = [game[name] for game in games if not math.isnan(game[name])]
        rows.append([sum(known), len(known)])
    moments = Moments(1, 2)
    moments.add(np.array(rows, float)[:, None, :])
    bounds = (0.0, 1.0) if share else None
    return ratio(moments.mean[0], moments.covariance()[0], moments.count, share=False, bounds=bounds)


def lines_of(frame: pl.DataFrame) -> Floats:
    """Return the chances (plies, sides) of a game; alone, the second side is that of losing."""
    names = [name for name in frame.columns if name.startswith("chance_")]
    chances = frame.select(names).to_numpy()
    return np.hstack([chances, 1 - chances]) if len(names) == 1 else chances


def entropies(frame: pl.DataFrame) -> Floats:
    """Return the entropy of the chances at each ply: 1 where all seats are equal, 0 at a sure end."""
    chances = lines_of(frame)
    shares = chances / np.maximum(chances.sum(axis=1, keepdims=True), 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy: Floats = -np.nansum(shares * np.log(shares), axis=1) / math.log(shares.shape[1])
    return entropy


def drama_of(frame: pl.DataFrame) -> Facts:
    """Return what a game's curve of chances tells; NaN where a game has no such thing."""
    chances = lines_of(frame)
    over = int(frame["seat"][-1]) == 0
    leaders: list[int] = []
    for row in chances:  # who was ahead stays so until another is
        ahead = int(np.argmax(row))
        stays = bool(leaders) and row[leaders[-1]] >= row[ahead]
        leaders.append(leaders[-1] if stays else ahead)
    changes = sum(one != other for one, other in pairwise(leaders))
    end = chances[-1]
    winners = np.flatnonzero(end == end.max())
    decided, comeback = math.nan, math.nan
    if over and len(winners) == 1:
        behind = [ply for ply, leader in enumerate(leaders) if leader != winners[0]]
        decided = min(1.0, (behind[-1] + 1) / max(1, len(leaders) - 1)) if behind else 0.0
        comeback = float(chances[:, winners[0]].min())
    entropy = entropies(frame)
    steps = np.diff(chances, axis=0)
    surprise = float(np.sqrt((steps**2).mean())) if len(steps) else math.nan
    return {
        "lead_changes": float(changes),
        "decided_at": decided,
        "comeback": comeback,
        "uncertainty": float(entropy[:-1].mean()) if over and len(entropy) > 1 else float(entropy.mean()),
        "surprise": surprise,
    }


def weight_of(frame: pl.DataFrame) -> Facts:
    """Return the mean weight of a game's decisions, and how many actions are about as good as the best."""
    choices = frame.filter(pl.col("legal") > 1)
    if choices.height == 0:
        return {"weight": math.nan, "near": math.nan}
    weights, near = choices["weight"].to_numpy(), choices["near"].to_numpy()
    return {"weight": float(weights.mean()), "near": float(near.mean())}
