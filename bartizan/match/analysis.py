"""Look back on a game: what its decisions were worth, what would have been better, and where it turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bartizan.engine.mode import COMPILED
from bartizan.engine.scene import Analysis, Verdict
from bartizan.match.evaluate import MoveEvaluator, chance
from bartizan.match.match import Match

ITERATIONS = 1_500 if COMPILED else 20  # of the first look at each decision
SHORT = 100  # decisions of a game that get as many; those of a longer one share what these have
LEAST = 300
SLIGHT = 0.05  # a smaller step turns no game: estimates are no surer than that


def verdicts(match: Match, iterations: int = ITERATIONS) -> Iterator[Verdict]:
    """Judge the decisions of a game, from the first to the present one.

    Each takes a while, and between them one may stop.  Moves `match` from ply to ply.  A long game gets fewer
    `iterations` a decision, so that no one waits longer for it than for one of `SHORT` decisions.
    """
    if match.ply > SHORT:
        iterations = min(iterations, max(LEAST, iterations * SHORT // match.ply))
    for ply in range(match.ply):
        match.go_to(ply)
        yield _verdict(match, ply, iterations)
    match.go_to(match.last_ply)


def _verdict(match: Match, ply: int, iterations: int) -> Verdict:
    """Judge what was played at the present ply."""
    game_state, action, seat = match.step(ply)
    legal = match.legal()
    counsel = MoveEvaluator(match.game, game_state, legal, iterations, match.dice("counsel"))
    best, thrown = counsel.best(), counsel.is_thrown(action)
    chances = counsel.weigh(best)
    if thrown:
        reached = _outcome(match, ply, counsel)
    elif action % match.game.actions.size == best:  # a variant that is not listed is the same choice
        reached = chances
    else:
        reached = counsel.weigh(action)
        if reached[seat - 1] >= chances[seat - 1]:
            best, chances = action, reached
    loss = 0.0 if thrown else chances[seat - 1] - reached[seat - 1]
    return Verdict(
        ply=ply + 1,
        seat=seat,
        move=match.text(action),
        label=match.views.label(action),
        chances=chances,
        played=reached[seat - 1],
        loss=loss,
        best=match.text(best) if loss > 0 else "",
        reason=match.views.reason(best) if loss > 0 else "",
        choices=len(legal),
        thrown=thrown,
    )


def _outcome(match: Match, ply: int, counsel: MoveEvaluator) -> tuple[float, ...]:
    """Return the chances where the action of a ply has led; the match stands at that ply before and after."""
    match.go_to(ply + 1)
    reached = _ended(match) or counsel.weigh_outcome(match.game_state())
    match.go_to(ply)
    return reached


def conclude(
    match: Match,
    found: Sequence[Verdict],
    scores: Sequence[float] | None = None,
    iterations: int = ITERATIONS,
) -> Analysis:
    """Sum up the verdicts on a game that stands at its last ply.

    `scores` are the result if the players or their clocks ended the game.  No move led to that result, so the
    chances at the end are an estimate.
    """
    end = _ended(match)
    if not end:
        counsel = MoveEvaluator(
            match.game, match.game_state(), match.legal(), iterations, match.dice("counsel")
        )
        end = counsel.weigh(counsel.best())
    points = [verdict.chances for verdict in found] + [end]
    turning = turning_point(points, end if scores is None else tuple(map(chance, scores)))
    names = match.views.setting.seat_names
    sentence = _told(found[turning - 1], points[turning], names, match.game.chance) if turning else ""
    return Analysis(verdicts=tuple(found), end=end, turning=turning, sentence=sentence)


def _ended(match: Match) -> tuple[float, ...]:
    """Return the value of a finished game to each seat; empty while it runs."""
    return tuple(map(chance, match.returns())) if match.is_over else ()


def turning_point(points: Sequence[Sequence[float]], result: Sequence[float]) -> int:
    """Return the ply of the decision that turned a game, or 0.

    `points` are the chances before each decision and at the end.  How near a position is to the result is 1
    less the largest distance of a seat's chance from its result.  A decision turned the game by what it
    brought the result nearer *for good*: from how near it was before to the farthest that it ever was again.
    So a lead that is lost again turns nothing, and a blunder that is never made good does, whatever the game
    swung before.  (Browne and Maire, "Evolutionary game design", 2010, measure drama and lead changes by the
    same curve.)
    """
    near = [1 - max(abs(one - other) for one, other in zip(point, result, strict=True)) for point in points]
    farthest, greatest, turning = near[-1], SLIGHT, 0
    for ply in range(len(points) - 1, 0, -1):
        farthest = min(farthest, near[ply])
        if farthest - near[ply - 1] >= greatest:
            greatest, turning = farthest - near[ply - 1], ply
    return turning


def mean_losses(found: Sequence[Verdict], seats: int) -> list[float]:
    """Return each seat's average loss per decision with a choice, from 0 to 1."""
    means = []
    for seat in range(1, seats + 1):
        losses = [verdict.loss for verdict in found if verdict.seat == seat and _is_choice(verdict)]
        means.append(sum(losses) / max(1, len(losses)))
    return means


def _is_choice(verdict: Verdict) -> bool:
    return verdict.choices > 1 and not verdict.thrown


def _told(verdict: Verdict, after: Sequence[float], names: Sequence[str], luck: bool) -> str:
    """Say how a decision turned the game; `after` are the chances at the next."""
    before, now = verdict.chances[verdict.seat - 1], after[verdict.seat - 1]
    who = "" if len(after) == 1 else names[verdict.seat - 1]
    whose = f"{who}’s" if who else "your"
    said = f"Turning point: move {verdict.ply}. “{verdict.label}”"
    if verdict.loss >= abs(now - before) / 2:
        return f"{said} cut {whose} chance to win from {percent(before)} to {percent(before - verdict.loss)}."
    change = "rose" if now > before else "fell"
    why = " That was luck, not a decision." if luck or not _is_choice(verdict) else ""
    return f"{said}: {whose} chance to win {change} from {percent(before)} to {percent(now)}.{why}"


def percent(share: float) -> str:
    """Write a share as whole per cent."""
    return f"{round(100 * share)}%"


def points_of(share: float) -> str:
    """Write a difference of chances as whole points of a hundred."""
    points = round(100 * share)
    return f"{points} point{'' if points == 1 else 's'}"
