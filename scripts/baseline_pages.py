"""Write the parts of docs/baselines.md that follow from figures, and draw the learning curves."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl

from bartizan.engine import registry
from bartizan.lab.report.figures import count, told, with_interval
from bartizan.lab.report.pictures import COLOURS
from bartizan.lab.report.svg import draw
from bartizan.lab.report.verdict import ORDINALS
from scripts.baseline_figures import POLICY, BadBaseline, Baseline, BaselineFigure, RatedPlayer, SeedRun
from scripts.sheet_pages import lines, on_paper

WIDTH, HEIGHT = 420, 180  # pixels of a curve
ALGORITHMS = {"ppo": "PPO", "expert": "expert iteration"}
RULES = {"random": "any legal action", "greedy": "the game's heuristics"}


def curve(baseline: Baseline) -> str:
    """Return the picture of the learning curves: their mean, and the range of the seeds shaded."""
    won = "deals won" if baseline.seats == 1 else "won against greedy"
    axis = alt.Axis(format="%", tickCount=5)
    y = alt.Y("low:Q", title=won, axis=axis, scale=alt.Scale(domain=[0, 1]))
    x = alt.X(
        "minutes:Q",
        title="minutes of CPU time",
        axis=alt.Axis(format="~f"),
        scale=alt.Scale(domain=[0, baseline.minutes]),
    )
    algorithms = _algorithms(baseline)
    rows = [{"name": ALGORITHMS[name], **each} for name, runs in algorithms.items() for each in _points(runs)]
    if not rows:
        raise BadBaseline(f"{baseline.game}: no game ended during training, so there is no curve to draw.")
    chart = alt.Chart(pl.DataFrame(rows))
    scale = alt.Scale(domain=[ALGORITHMS[name] for name in algorithms], range=COLOURS)
    legend = alt.Undefined if len(algorithms) > 1 else None
    colour = alt.Color("name:N", scale=scale, title=None, legend=legend)
    range_ = chart.mark_area(opacity=0.25).encode(x=x, y=y, y2="high:Q", color=colour)
    mean = chart.mark_line(strokeWidth=2).encode(x=x, y="mean:Q", color=colour)
    return on_paper(draw(alt.layer(range_, mean).properties(width=WIDTH, height=HEIGHT)))


def _algorithms(baseline: Baseline) -> dict[str, list[SeedRun]]:
    """Return the runs by algorithm."""
    found: dict[str, list[SeedRun]] = {}
    for run in baseline.runs:
        found.setdefault(run.algorithm, []).append(run)
    return {algorithm: found[algorithm] for algorithm in ALGORITHMS if algorithm in found}


def _points(runs: Sequence[SeedRun]) -> list[dict[str, float]]:
    """Return the mean and the range of learning curves, where all have a point."""
    by_time: dict[float, list[float]] = {}
    for run in runs:
        for point in run.curve:
            by_time.setdefault(point.minutes, []).append(point.won)
    return [
        {"minutes": at, "mean": sum(won) / len(won), "low": min(won), "high": max(won)}
        for at, won in sorted(by_time.items())
        if len(won) == len(runs)
    ]


def marks(game: str) -> tuple[str, str]:
    """Return the lines between which a game's part of the page lies."""
    return f"<!-- baseline {game} -->", f"<!-- end of baseline {game} -->"


def filled(page: str, baselines: Sequence[Baseline]) -> str:
    """Return the page with the parts of these games; raises `BadBaseline` if it has no place for one."""
    for baseline in baselines:
        begin, end = marks(baseline.game)
        if page.count(begin) != 1 or end not in page.partition(begin)[2]:
            raise BadBaseline(f"docs/baselines.md has no place for {baseline.game}: {begin} … {end}.")
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n\n{part(baseline)}\n\n{end}{rest.partition(end)[2]}"
    return page


def part(baseline: Baseline) -> str:
    """Return a game's part: how it was made, the table, and the learning curve."""
    alone, trainings = baseline.seats == 1, len(baseline.runs)
    heads = ["deals won"] if alone else [f"in the {seat} seat" for seat in ORDINALS[: baseline.seats]]
    rows = [["player", *heads, "Elo", "made by"]]
    rated = [
        (
            each.elo,
            [each.player, *(_wins(each.wins) or ["–"] * baseline.seats), _elo(each), _made(each.player)],
        )
        for each in baseline.players
        if each.player != POLICY
    ]
    player = next(each for each in baseline.players if each.player == POLICY)
    for run in baseline.runs:
        is_best = run == baseline.chosen
        elo = _elo(player) if is_best else "–"
        name = f"**policy**, seed {run.seed}" if is_best else f"policy, seed {run.seed}"
        made = f"{ALGORITHMS[run.algorithm]}, {count(run.decisions)} decisions"
        rated.append((player.elo - (not is_best), [name, *_wins(run.wins), elo, made]))
    rows += [row for _, row in sorted(rated, key=lambda each: each[0])]
    each = " each" if trainings > 1 else ""
    which = "Each policy" if trainings > 1 else "The policy"
    deals = f"{count(baseline.deals)} fresh deals"
    played = f"played {deals}" if alone else f"played greedy on {deals} from every seat"
    fewer = 0 < baseline.slow < baseline.rounds
    slow = f" (castellan {'' if alone else 'on '}{baseline.slow})" if fewer else ""
    how = (
        f"{_seeds(baseline)}, {baseline.minutes:g} minutes of CPU time{each} "
        f"({baseline.machine}; PyTorch {baseline.made_with['torch']}). {which} {played}, the others "
        f"{'' if alone else 'on '}{baseline.rounds}{slow}. "
        f"[Figures](baselines/{baseline.game}.json): Bartizan {baseline.made_with['bartizan']}, "
        f"rules {baseline.made_with['rules_digest']}."
    )
    title = registry.get(baseline.game).title
    won = "Deals won" if alone else "Games won against greedy"
    shown = "the mean of the seeds, and their range shaded" if trainings > 1 else "one seed"
    caption = f"{title}: {won.lower()} during training, {shown}"
    picture = f"![{caption}](baselines/{baseline.game}.svg)\n\n*{won} during training: {shown}.*"
    return f"{how}\n\n{lines(rows[0], rows[1:])}\n\n{picture}"


def _wins(figures: Sequence[BaselineFigure]) -> list[str]:
    return [with_interval(each.estimate, each.low, each.high, "share") for each in figures]


def _elo(player: RatedPlayer) -> str:
    if player.low == player.high:
        return "0"
    at, low, high = (told(round(each), "number", 0) for each in (player.elo, player.low, player.high))
    return f"{at} ({low} to {high})"


def _made(player: str) -> str:
    return RULES.get(player, "[a level](players.md)")


def _seeds(baseline: Baseline) -> str:
    """Say how many trainings there are; which algorithm each used, if they used several."""
    runs = _algorithms(baseline)
    told = [f"{len(found)} seed{'s' if len(found) > 1 else ''}" for found in runs.values()]
    if len(runs) == 1:
        return told[0]
    return " and ".join(f"{seeds} of {ALGORITHMS[name]}" for seeds, name in zip(told, runs, strict=True))
