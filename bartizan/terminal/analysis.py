"""Draw the review of a game: a bar for every decision, and the turning point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from rich.text import Text

from bartizan.engine.scene import Analysis, Verdict
from bartizan.match import Match
from bartizan.match.analysis import (
    conclude,
    mean_losses,
    percent,
    points_of,
    verdicts,
)

BAR = 20  # columns
FULL, REST = "█", "░"
TOLD_FROM = 0.01  # of a loss: less is not written out

Progress = Callable[[int, int], None]  # is told how much is done, and of how much
Watch = Callable[[str, int], AbstractContextManager[Progress]]  # shows progress under a title


@contextmanager
def unwatched(what: str, total: int) -> Iterator[Progress]:
    """Show no progress."""
    yield lambda done, total: None


def review(match: Match, watch: Watch = unwatched) -> list[Text]:
    """Review a whole game and draw the result.  Moves `match` from ply to ply."""
    judged: list[Verdict] = []
    with watch("decisions judged", match.ply) as progress:
        for verdict in verdicts(match):
            judged.append(verdict)
            progress(len(judged), match.last_ply)
    names, analysis = match.views.setting.seat_names, conclude(match, judged)
    return verdict_lines(judged, names, analysis.turning) + summary_lines(analysis, names)


def bar(chances: Sequence[float], width: int = BAR) -> str:
    """Draw the chances to win: the first seat's against the other's, or of several each by its number."""
    if len(chances) <= 2:
        filled = round(width * chances[0])
        return FULL * filled + REST * (width - filled)
    whole = sum(chances) or 1.0
    drawn, sum_so_far = "", 0.0
    for seat, chance in enumerate(chances, 1):
        sum_so_far += chance
        drawn += str(seat) * (round(width * sum_so_far / whole) - len(drawn))
    return drawn.ljust(width)


def verdict_lines(verdicts: Sequence[Verdict], names: Sequence[str], turning: int = 0) -> list[Text]:
    """Draw one line for each decision: the chances before it, the move, and what that gave away.

    The first line says whose chances the bars and figures are.
    """
    widest = max((len(_who(verdict, names)) for verdict in verdicts), default=0)
    lines = [_line(verdict, names, widest, verdict.ply == turning) for verdict in verdicts]
    return [Text(_heading(names, len(verdicts[0].chances)), style="dim"), *lines] if verdicts else lines


def _heading(names: Sequence[str], seats: int) -> str:
    if seats <= 2:
        chance = f"{names[0]}’s chance" if seats == 2 else "Chance"
        return f"{chance} to win before each move:"
    bars = ", ".join(f"{seat} {name}" for seat, name in enumerate(names, 1))
    return f"Chances to win before each move: everyone’s as a bar ({bars}), the mover’s in figures:"


def _who(verdict: Verdict, names: Sequence[str]) -> str:
    return f"{names[verdict.seat - 1]} " if len(verdict.chances) > 1 else ""


def _line(verdict: Verdict, names: Sequence[str], widest: int, turned: bool) -> Text:
    line = Text(f"{'►' if turned else ' '}{verdict.ply:>4}. ", style="bold" if turned else "")
    line.append(f"{_who(verdict, names):<{widest}}{bar(verdict.chances)}")
    chances = verdict.chances
    shown = chances[verdict.seat - 1 if len(chances) > 2 else 0]  # as the bar is: of two, the first's
    line.append(f" {percent(shown):>5}  {verdict.move}")
    if verdict.loss >= TOLD_FROM:
        line.append(f"  −{points_of(verdict.loss)}: {verdict.best}", style="yellow")
    return line


def summary_lines(analysis: Analysis, names: Sequence[str]) -> list[Text]:
    """Draw the end, say what each seat gave away, and where the game turned."""
    seats = len(analysis.end)
    lost = [f"{100 * loss:.1f}" for loss in mean_losses(analysis.verdicts, seats)]
    if seats > 1:
        lost = [f"{name} {each}" for name, each in zip(names, lost, strict=True)]
    return [
        Text(f"   end {bar(analysis.end)} {' : '.join(map(percent, analysis.end))}"),
        Text(f"Average cost of a decision, in points of the chance to win: {', '.join(lost)}."),
        Text(analysis.sentence or "No single move decided the game.", style="bold"),
    ]
