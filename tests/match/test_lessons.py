"""Every lesson of every game holds: its positions, what it asks, what it says is refused, what follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bartizan.engine import registry
from bartizan.engine.errors import BadLesson, BartizanError, StalePly, UnknownLesson
from bartizan.engine.game import Game
from bartizan.match import lessons
from bartizan.match.expectation import Expectation
from bartizan.match.lessons import Lesson, Lessons, Task, find_lesson, read_lessons, read_puzzles
from bartizan.match.tutor import LOOKED, Tutor, matches

GAMES = [name for name in registry.names() if registry.get(name).has_lessons]
LESSONS = [(name, one.id) for name in GAMES for one in read_lessons(registry.get(name)).lesson]


def test_every_game_of_ours_has_lessons() -> None:
    ours = [name for name in registry.names() if registry.get(name).package.startswith("bartizan.games")]
    assert set(ours) <= set(GAMES)


def begun(name: str, lesson: str) -> Tutor:
    return Tutor(*find_lesson(name, lesson))


def do(tutor: Tutor) -> Iterator[tuple[Tutor, Task]]:
    """Go through a lesson as it shows; yield at the beginning of each task."""
    while tutor.task is not None:
        task, at = tutor.task, tutor.at
        yield tutor, task
        while tutor.at == at:
            move = tutor.next_shown
            assert task.is_look or move is not None, f"{task.say}: {task.shown} is not legal here"
            judged = tutor.attempt(LOOKED if move is None else move.action)
            assert judged.accepted, (task.say, move, judged)
        assert Expectation(tutor.game, task.after).faults(tutor.match.position()) == [], task.told


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_a_lesson_can_be_done_as_it_shows(name: str, lesson: str) -> None:
    game = registry.get(name)
    tutor = begun(name, lesson)
    for _, task in do(tutor):
        assert task.is_look or tutor.match.seat_to_move == tutor.lesson.seat, "it must be the learner's turn"
        texts = [task.say, task.told, task.otherwise, task.failed, *task.wrong.values()]
        assert all(len(text) <= 260 for text in texts)
        assert not task.clause or game.clauses.get(task.clause).id == task.clause
        scene = tutor.scene
        ids = {zone.id for zone in scene.zones}
        for zone in scene.zones:
            ids |= (
                {one.id for one in zone.items}
                | {one.id for one in zone.slots}
                | {one.id for one in zone.regions}
            )
        assert set(task.lit) <= ids, (sorted(set(task.lit) - ids), sorted(ids))
        check_moves(tutor, task)
    assert tutor.task is None
    with pytest.raises(StalePly):
        tutor.attempt(LOOKED)


def check_moves(tutor: Tutor, task: Task) -> None:
    """Hold a task's moves to the rules: they are legal, canonical, refused by the clause that is named."""
    texts = tutor.match.legal_texts()
    unlisted = [move for move in task.moves if "*" not in move and move not in texts]
    for move in unlisted:  # a variant
        assert tutor.match.text(tutor.match.check(move).action) == move
    for pattern in task.moves:
        assert "*" not in pattern or any(matches([pattern], text) for text in texts), pattern
    for pattern in task.wrong if not task.goal else ():
        others = [text for text in texts if text in task.wrong or not matches(task.moves, text)]
        assert any(matches([pattern], text) for text in others), f"{pattern}: no legal move is meant"
    for move, clause in task.refused.items():
        refusal = tutor.match.why_not(move)
        assert refusal is not None, f"{move} is legal"
        assert refusal.clause == clause, f"{move}: {refusal}"
    # Whichever of the moves is played, what follows goes on.
    for text in texts if not task.goal else ():
        if matches(task.moves, text) and text not in task.wrong:
            other = Tutor(tutor.game, tutor.lesson, tutor.done)
            assert other.attempt(text).accepted
            if other.task is not None and not other.task.is_look:
                assert other.match.seat_to_move == tutor.lesson.seat
                assert other.next_shown is not None, text


@pytest.mark.parametrize("name", GAMES)
def test_lessons_meet_every_verb_once(name: str) -> None:
    game, course = registry.get(name), read_lessons(registry.get(name))
    met = set()
    for lesson in course.lesson:
        tutor = begun(name, lesson.id)
        for _ in do(tutor):
            pass
        for move in tutor.match.history.moves:
            met.add(game.actions.decode(move.action % game.actions.size)[0])
    left_out = set(game.actions.verbs) - met
    assert left_out == set(course.leaves_out), (
        f"{name}'s lessons.toml: teach each verb, or add it to leaves_out"
    )
    assert 3 <= len(course.lesson) <= 16


@pytest.mark.parametrize("name", GAMES)
def test_the_first_real_game_can_be_dealt(name: str) -> None:
    game = registry.get(name)
    first = read_lessons(game).first
    seats = game.check_seats(first.seats)
    assert game.blank(game.read_options(first.options, seats), seats, 1).seats == seats
    if first.level:
        assert game.check_player(first.level) == first.level
    else:
        assert seats == 1


def test_a_wrong_try_changes_nothing_and_is_explained() -> None:
    tutor = begun("castle-danger", "steps")
    before = tutor.match.digest()
    refused = tutor.attempt("b1-c2")
    assert refused.refusal is not None
    assert refused.refusal.clause == "CD-26"
    assert not refused.accepted
    wrong = tutor.attempt("end")
    assert wrong.said
    assert not wrong.accepted
    assert tutor.match.digest() == before
    assert tutor.done == []


def test_what_a_learner_claims_is_checked() -> None:
    game, lesson = find_lesson("castle-danger", "steps")
    for done in ([5_000_000], [0], [LOOKED] * 101, [-2]):
        with pytest.raises(BartizanError):
            Tutor(game, lesson, done)
    with pytest.raises(UnknownLesson, match="Did you mean 'steps'"):
        find_lesson("castle-danger", "stebs")


def lesson_of(game: Game, **parts: object) -> Lesson:
    task = Task(say="Kill the King if you can.", **parts)  # type: ignore[arg-type]
    board = [
        "...k...",
        ".......",
        ".......",
        ".......",
        "~~~~~~~",
        ".......",
        "...C...",
        ".......",
        "K......",
    ]
    return Lesson(id="goal", title="A goal", task=(task,), position={"board": board, "moves_left": 6})


def test_a_goal_is_reached_in_time_or_not_at_all() -> None:
    game = registry.get("castle-danger").plain
    lesson = lesson_of(game, goal={"winner": "blue"}, within=2, show=["fire d3 d9"])
    assert not Tutor(game, lesson).attempt("a1-a2").failed
    tutor = Tutor(game, lesson)
    first = tutor.attempt("a1-a2")
    assert first.accepted
    assert tutor.left == 1
    assert tutor.attempt("a2-a3").failed
    reached = Tutor(game, lesson)
    assert reached.attempt("fire d3 d9").accepted
    assert reached.task is None
    assert Tutor(game, lesson).attempt("end").failed


def test_a_file_that_is_no_course_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("castle-danger")
    monkeypatch.setitem(game.__dict__, "folder", tmp_path)
    for text, words in (
        ("minutes = 4", "'first' is missing"),
        ("minutes = = 4", "TOML|Invalid"),
        ('minutes = 4\nhours = 1\n[first]\nsay = "Now play."', "there is no key 'hours'"),
    ):
        lessons._read.cache_clear()
        (tmp_path / "lessons.toml").write_text(text)
        with pytest.raises(BadLesson, match=words):
            read_lessons(game)
    (tmp_path / "lessons.toml").unlink()
    lessons._read.cache_clear()
    with pytest.raises(UnknownLesson):
        read_puzzles(game)
    monkeypatch.undo()
    lessons._read.cache_clear()
    assert isinstance(read_lessons(game), Lessons)


def test_the_first_thing_in_card_barrage_is_a_throw() -> None:
    tutor = begun("card-barrage", "throw")
    assert read_lessons(registry.get("card-barrage")).lesson[0].id == "throw"
    assert tutor.task is not None
    assert not tutor.task.is_look
    (card,) = tutor.lit
    choice = next(one for one in tutor.scene.choices if one.items == (card,))
    assert choice.throw
    assert tutor.attempt("throw 6v lob azimuth 40").accepted  # any throw at all, even one that misses
    assert tutor.match.history.moves[-1].text.startswith("report 6v miss")


def test_a_throw_that_is_not_meant_is_shown_and_taken_back() -> None:
    tutor = begun("card-barrage", "walls")
    before = tutor.match.digest()
    judged = tutor.attempt("throw 6v lob azimuth 40")
    assert not judged.accepted
    assert judged.said.startswith("A miss")
    flown, back = judged.scenes
    assert flown.flown is not None
    assert flown.status.ply == 1
    assert (back.flown, back.status.ply) == (None, 0)
    assert (tutor.match.digest(), tutor.done) == (before, [])
    assert tutor.attempt("throw 6v lob at 2.4").accepted


THROWN = [(name, one) for name, one in LESSONS if "throws" in find_lesson(name, one)[1].options]


@pytest.mark.parametrize(("name", "lesson"), THROWN)
def test_what_is_shown_of_a_throw_does_what_is_asked(name: str, lesson: str) -> None:
    tutor = begun(name, lesson)
    for now, task in do(tutor):
        hint = now.hint
        if hint is not None and hint.text.startswith("throw "):
            judged = Tutor(now.game, now.lesson, now.done).attempt(hint.text)
            assert judged.accepted, (task.say, hint.text, judged.said)
