"""``bartizan learn``: let a game's network learn from games that it plays against itself."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.main import INTERRUPTED
from bartizan.cli.parser import Parser, add_resume, add_seed, add_threads, whole
from bartizan.cli.progress import bar

if TYPE_CHECKING:
    from bartizan.lab.learn import Course, Learning, Lesson


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.lab.learn import Course

    usual = Course(game="")
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: what searches of this game then take positions to be worth.  "
        "After Ctrl-C a course that is kept with --resume goes on from its last whole batch",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "network", type=Path, metavar="NETWORK", help="the file to write the network to, after every batch"
    )
    add_resume(parsing, "the course", older=True)
    parsing.add_argument(
        "--games", type=whole(1, 10**9), default=usual.games, metavar="N", help=f"in all ({usual.games:,})"
    )
    parsing.add_argument(
        "--batch",
        type=whole(1, 20_000),
        default=usual.batch,
        metavar="N",
        help=f"games between two lessons ({usual.batch:,})",
    )
    parsing.add_argument(
        "--iterations",
        type=whole(2, 10**6),
        default=usual.iterations,
        metavar="N",
        help=f"of a search at the end of the course ({usual.iterations})",
    )
    parsing.add_argument(
        "--hidden", type=whole(1, 2048), default=usual.hidden, metavar="N", help=f"units ({usual.hidden})"
    )
    add_seed(parsing, f"where weights and games come from ({usual.seed})", usual.seed)
    add_threads(parsing, "games played at a time (1)")
    parsing.add_argument("--json", action="store_true", help="print every lesson as JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Teach, with a bar that tells how far the batch and the course are."""
    from bartizan.engine import registry
    from bartizan.engine.files import check_replaceable
    from bartizan.lab.learn import Course, Learning

    game = registry.get(args.game)
    for path in filter(None, (args.network, args.resume)):
        check_replaceable(path)
    course = Course(
        game=game.name,
        seed=args.seed,
        games=args.games,
        batch=args.batch,
        hidden=args.hidden,
        first_iterations=min(Course(game="").first_iterations, args.iterations),
        iterations=args.iterations,
    )
    learning = Learning(game, course, args.threads)
    if args.resume is not None and args.resume.exists():
        learning.resume(args.resume)
    if learning.lessons:
        learning.write(args.network)
    interrupted = False
    try:
        teach(learning, args)
    except KeyboardInterrupt:
        interrupted = True
    if not args.json:
        print(report(learning.lessons, course, args.network))
    return INTERRUPTED if interrupted else 0


def teach(learning: Learning, args: argparse.Namespace) -> None:
    """Take the lessons that are left, and write down each when it is over."""
    course = learning.course
    with bar("games played and learned from", course.games) as progress:

        def played(done: int, _total: int) -> None:
            progress(len(learning.lessons) * course.batch + done, course.games)

        while len(learning.lessons) < course.batches:
            lesson = learning.next_lesson(played)
            if args.resume is not None:
                learning.save(args.resume)
            learning.write(args.network)
            if args.json:
                print(as_json(lesson), flush=True)


def as_json(lesson: Lesson) -> str:
    """Return a lesson as one line of JSON."""
    import msgspec

    return json.dumps(msgspec.to_builtins(lesson))


def report(lessons: list[Lesson], course: Course, network: Path) -> str:
    """Return what came of a course so far as a text."""
    if not lessons:
        return "Nothing has been learned: no batch was played to its end."
    last = lessons[-1]
    stopped = "" if len(lessons) == course.batches else f" of {course.batches:,}"
    return (
        f"{len(lessons):,}{stopped} batches, {sum(each.games for each in lessons):,} games.  In the last, "
        f"with {last.iterations} iterations a decision, the first seat won {last.points:.1%} of the points.\n"
        f"The network is in {network}; `bartizan` plays with it when it lies in "
        f"$BARTIZAN_DATA/{course.game.replace('-', '_')}/data/network.npz."
    )
