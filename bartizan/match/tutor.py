"""Teach one lesson: replay the learner's moves, judge the next try by the rules, and say what comes next.

A tutor keeps no state between requests. Each request carries all of the learner's moves so far, and every
one of them is checked again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from bartizan.engine.errors import BartizanError, IllegalMove, StalePly
from bartizan.engine.game import Game
from bartizan.engine.layout import is_throw
from bartizan.engine.scene import Hint, Refusal, Scene
from bartizan.match.expectation import Expectation
from bartizan.match.history import CheckedMove
from bartizan.match.lessons import Lesson, Task
from bartizan.match.match import Match

LOOKED = -1  # in place of an action: what was to be looked at was looked at
MOST_MOVES = 100


class Judgement(msgspec.Struct, kw_only=True):
    """The result of a try."""

    accepted: bool = False
    said: str = ""  # explains the move, or why it was not the right one
    refusal: Refusal | None = None  # by the rules
    failed: bool = False  # the goal can't be reached any more; the task starts again
    # After the learner's move, and after each that followed by itself. A throw that isn't accepted is shown
    # too: the scene after it, then the one before it.
    scenes: list[Scene] = []


class Tutor:
    """One lesson at one point of it."""

    def __init__(self, game: Game, lesson: Lesson, done: Sequence[int] = ()) -> None:
        """Go on where a learner stands, who has done what `done` tells: codes of actions, or `LOOKED`.

        Raises `StalePly` for what this lesson does not accept, and what `Match` raises for a bad position.
        """
        self.game, self.lesson = game, lesson
        self.match = Match(game, lesson.options, lesson.seats, lesson.seed, lesson.position)
        self.at = 0  # the task
        self.begun = 0  # how much of `done` went before it
        self.done: list[int] = []
        self._line = self._read_line()
        if len(done) > MOST_MOVES:
            raise StalePly(f"A lesson takes at most {MOST_MOVES} moves.")
        for move in done:
            if not self.attempt(move).accepted:
                raise StalePly("The lesson has changed meanwhile; begin it again.")

    @property
    def task(self) -> Task | None:
        """The current task, or None when all are done."""
        return self.lesson.task[self.at] if self.at < len(self.lesson.task) else None

    @property
    def scene(self) -> Scene:
        """What the learner sees."""
        return self.match.views.scene(self.lesson.seat)

    @property
    def next_shown(self) -> CheckedMove | None:
        """The next move of the solution; None if the learner has left it, or only has to look."""
        played = self.done[self.begun :]
        if len(played) >= len(self._line) or self._line[: len(played)] != played:
            return None
        return self.match.check(self._line[len(played)])

    @property
    def lit(self) -> tuple[str, ...]:
        """The ids of the things that the learner should look at or touch."""
        task = self.task
        if task is None:
            return ()
        if task.lit and len(self.done) == self.begun:
            return task.lit
        shown = self.next_shown if not task.goal else None  # the learner must find the way to a goal
        return self.items_of(shown) if shown else ()

    @property
    def hint(self) -> Hint | None:
        """What "Show me" shows: the next move of the solution, or the throw that leads to it."""
        move = self.next_shown
        if move is None or self.task is None:
            return None
        action, text = self.match.throws.hinted(move.action)
        return Hint(
            action=action, text=self.task.thrown if action != move.action and self.task.thrown else text
        )

    def items_of(self, move: CheckedMove) -> tuple[str, ...]:
        """Return the ids of the things to touch for a move."""
        action, _ = self.match.throws.hinted(move.action)
        return next((each.items for each in self.scene.choices if each.action == action), ())

    @property
    def left(self) -> int:
        """How many decisions the learner has left for a goal."""
        task = self.task
        return task.within - (len(self.done) - self.begun) if task and task.goal else 0

    def why(self, items: Sequence[str]) -> Refusal:
        """Explain why touching these things makes no move."""
        return self.match.views.why_not_items(items)

    def attempt(self, move: str | int) -> Judgement:
        """Judge a try, and play it if it is right. A throw is made first, and its report is judged.

        Raises `StalePly` if no task is left, `UnknownMove`, `UnknownCard`, `AmbiguousMove`, and for a throw
        `BadRelease` and `MissingExtra`.
        """
        task = self.task
        if task is None:
            raise StalePly("This lesson is done.")
        if task.is_look:
            if move != LOOKED:
                return Judgement(said="First look at what is lit, then go on.")
            self.done.append(LOOKED)
            return self._finish(task)
        if move == LOOKED:
            return Judgement(said=task.otherwise)
        try:
            made = self.match.throws.made(move, self.lesson.seat)
            checked = made or self.match.check(move, self.lesson.seat)
        except IllegalMove as error:
            refusal = Refusal(
                clause=error.clause, sentence=str(error), rule=error.rule, blockers=error.blockers
            )
            return Judgement(refusal=refusal)
        objection = self._objection(task, checked)
        if objection:
            return Judgement(said=objection, scenes=self._flight_of(checked) if is_throw(move) else [])
        self.match.push(checked)
        self.done.append(checked.action)
        scenes = [self.scene]
        if not task.goal or self._is_reached(task):
            finished = self._finish(task)
            finished.scenes = scenes + finished.scenes
            return finished
        stuck = self.left <= 0 or self.match.seat_to_move != self.lesson.seat
        return Judgement(accepted=not stuck, said=task.failed if stuck else "", failed=stuck, scenes=scenes)

    def _flight_of(self, throw: CheckedMove) -> list[Scene]:
        """Return the scene after a throw that isn't accepted, and the one it goes back to."""
        since = self.match.ply
        self.match.push(throw)
        scenes = [self.scene]
        self.match.go_to(since)
        return [*scenes, self.scene]

    def _objection(self, task: Task, move: CheckedMove) -> str:
        """Return what speaks against a legal move in this task."""
        if matches(task.moves, move.text):
            return task.wrong.get(move.text, "")  # an exception, by its full text
        said = next((said for pattern, said in task.wrong.items() if matches([pattern], move.text)), "")
        return said or ("" if task.goal else task.otherwise)

    def _read_line(self) -> list[int]:
        """Return the codes of the moves that solve the task; none if the learner has left the solution."""
        task, since, line = self.task, self.match.ply, []
        try:
            for pattern in task.shown if task else ():
                move = pattern if "*" not in pattern else self._first_meant(pattern, task)
                line.append(self.match.check(move).action)
                self.match.push(self.match.check(move))
        except BartizanError:
            line = []
        self.match.go_to(since)
        return line

    def _first_meant(self, pattern: str, task: Task | None) -> str:
        """Return the first legal move that a pattern means and that is no exception."""
        exceptions = task.wrong if task else {}
        legal = (text for text in self.match.legal_texts() if text not in exceptions)
        return next((text for text in legal if matches([pattern], text)), pattern)

    def _is_reached(self, task: Task) -> bool:
        return not Expectation(self.game, task.goal).faults(self.match.position())

    def _finish(self, task: Task) -> Judgement:
        """Play the automatic replies, and continue with the next task."""
        scenes = []
        for pattern in task.then:
            self.match.play(pattern if "*" not in pattern else self._first_meant(pattern, None))
            scenes.append(self.scene)
        self.at += 1
        self.begun = len(self.done)
        self._line = self._read_line()
        return Judgement(accepted=True, said=task.told, scenes=scenes)


def matches(patterns: Iterable[str], text: str) -> bool:
    """Say whether a move in canonical notation is one that patterns mean; ``*`` stands for anything."""
    return any(_regex(pattern).fullmatch(text) for pattern in patterns)


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")))
