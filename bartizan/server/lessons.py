"""Serve the lessons and puzzles of a game, and judge a learner's next try.

Nothing is stored: a learner's page sends everything done so far. Lessons run on interpreted rules, so they
are available while a game is still being compiled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath

from bartizan.server.admission import Admission
from bartizan.server.problems import says
from bartizan.server.schema import (
    FirstGame,
    LessonAnswer,
    LessonAsk,
    LessonInfo,
    LessonList,
    LessonTry,
    PuzzleInfo,
    PuzzleList,
)
from bartizan.tables.errors import TooMany
from bartizan.tables.registry import TableRegistry

T = TypeVar("T")
REFUSED = says(400, 404, 429)


@get("/api/games/{game:str}/lessons", operation_id="listLessons", responses=REFUSED)
async def list_lessons(state: State, request: Request[Any, Any, Any], game: FromPath[str]) -> LessonList:
    """List the lessons of a game."""

    def read() -> LessonList:
        from bartizan.engine import registry
        from bartizan.match.lessons import read_lessons

        of_game = registry.get(game)
        course = read_lessons(of_game)
        first = course.first
        return LessonList(
            title=of_game.title,
            minutes=course.minutes,
            puzzles=of_game.has_puzzles,
            first=FirstGame(
                say=first.say,
                seats=of_game.check_seats(first.seats),
                level=first.level,
                options=first.options,
            ),
            lessons=tuple(
                LessonInfo(
                    id=one.id,
                    title=one.title,
                    tasks=len(one.task),
                    clauses=tuple(dict.fromkeys(task.clause for task in one.task if task.clause)),
                )
                for one in course.lesson
            ),
        )

    return await _teach(state, request, read)


@get("/api/games/{game:str}/puzzles", operation_id="listPuzzles", responses=REFUSED)
async def list_puzzles(state: State, request: Request[Any, Any, Any], game: FromPath[str]) -> PuzzleList:
    """List the puzzles of a game, the easiest first."""

    def read() -> PuzzleList:
        from bartizan.engine import registry
        from bartizan.match.lessons import read_puzzles

        of_game = registry.get(game)
        book = read_puzzles(of_game)
        puzzles = sorted(book.puzzle, key=lambda one: (one.level, one.id))
        return PuzzleList(
            title=of_game.title,
            puzzles=tuple(
                PuzzleInfo(
                    id=one.id,
                    title=book.kind[one.kind].title,
                    level=one.level,
                    exact=book.kind[one.kind].exact,
                )
                for one in puzzles
            ),
        )

    return await _teach(state, request, read)


@post(
    "/api/games/{game:str}/lessons/{lesson:str}", operation_id="tryLesson", status_code=200, responses=REFUSED
)
async def try_lesson(
    state: State, request: Request[Any, Any, Any], game: FromPath[str], lesson: FromPath[str], data: LessonTry
) -> LessonAnswer:
    """Continue a lesson or a puzzle: judge a try, explain what was touched, or show what to do."""
    return await _teach(state, request, lambda: answer(game, lesson, data))


def answer(game: str, lesson: str, data: LessonTry) -> LessonAnswer:
    """Answer one request of a learner; raises `UnknownLesson` and what `Tutor` raises."""
    from bartizan.match.lessons import find_lesson
    from bartizan.match.tutor import Judgement, Tutor

    tutor = Tutor(*find_lesson(game, lesson), data.done)
    judged = Judgement()
    if data.attempt is not None:
        judged = tutor.attempt(data.attempt)
    elif data.items is not None and tutor.task is not None:
        judged.refusal = tutor.why(data.items)
    task = tutor.task
    return LessonAnswer(
        done=tuple(tutor.done),
        accepted=judged.accepted,
        failed=judged.failed,
        said=judged.said,
        refusal=judged.refusal,
        ask=LessonAsk(
            task=tutor.at,
            begun=tutor.begun,
            say=task.say if task else "",
            clause=task.clause if task else "",
            lit=tutor.lit,
            look=bool(task and task.is_look),
            left=tutor.left,
        ),
        setting=tutor.match.views.setting if not data.done and data.attempt is None else None,
        scenes=tuple(judged.scenes or [tutor.scene]),
        shown=tutor.hint if data.show else None,
    )


async def _teach(state: State, request: Request[Any, Any, Any], work: Callable[[], T]) -> T:
    """Do some milliseconds of work off the loop; raises `TooMany` if too many people are learning."""
    tables: TableRegistry = state.tables
    admission: Admission = state.admission
    admission.take("lessons", request.scope)
    if not tables.lessons.take():
        raise TooMany("Too many lessons are in progress. Try again in a second.")
    return await asyncio.get_running_loop().run_in_executor(tables.pool, work)


ROUTES = [list_lessons, list_puzzles, try_lesson]
