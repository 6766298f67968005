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
    from bartizan.lab.learn import Training, TrainingPlan, TrainingRound


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    from bartizan.lab.learn import TrainingPlan

    usual = TrainingPlan(game="")
    parsing = Parser(
        prog=prog,
        description=f"{meaning}; it estimates what a position is worth. With --resume, training that "
        "was interrupted continues after its last complete batch",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "network", type=Path, metavar="NETWORK", help="file to write the network to after each batch"
    )
    add_resume(parsing, "the training", older=True)
    parsing.add_argument(
        "--games",
        type=whole(1, 10**9),
        default=usual.games,
        metavar="N",
        help=f"number of games (default: {usual.games:,})",
    )
    parsing.add_argument(
        "--batch",
        type=whole(1, 20_000),
        default=usual.batch,
        metavar="N",
        help=f"games per batch (default: {usual.batch:,})",
    )
    parsing.add_argument(
        "--iterations",
        type=whole(2, 10**6),
        default=usual.iterations,
        metavar="N",
        help=f"search iterations per move at the end of training (default: {usual.iterations})",
    )
    parsing.add_argument(
        "--hidden",
        type=whole(1, 2048),
        default=usual.hidden,
        metavar="N",
        help=f"hidden units (default: {usual.hidden})",
    )
    add_seed(parsing, f"seed of weights and games (default: {usual.seed})", usual.seed)
    add_threads(parsing, "games played at the same time (default: 1)")
    parsing.add_argument("--json", action="store_true", help="print each batch as JSON")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Train a network, with a progress bar."""
    from bartizan.engine import registry
    from bartizan.engine.files import check_replaceable
    from bartizan.lab.learn import Training, TrainingPlan

    game = registry.get(args.game)
    for path in filter(None, (args.network, args.resume)):
        check_replaceable(path)
    plan = TrainingPlan(
        game=game.name,
        seed=args.seed,
        games=args.games,
        batch=args.batch,
        hidden=args.hidden,
        first_iterations=min(TrainingPlan(game="").first_iterations, args.iterations),
        iterations=args.iterations,
    )
    training = Training(game, plan, args.threads)
    if args.resume is not None and args.resume.exists():
        training.resume(args.resume)
    if training.rounds:
        training.write(args.network)
    interrupted = False
    try:
        teach(training, args)
    except KeyboardInterrupt:
        interrupted = True
    if not args.json:
        print(report(training.rounds, plan, args.network))
    return INTERRUPTED if interrupted else 0


def teach(training: Training, args: argparse.Namespace) -> None:
    """Play the rounds that are left, and write down each when it is over."""
    plan = training.plan
    with bar("games played and learned from", plan.games) as progress:

        def played(done: int, _total: int) -> None:
            progress(len(training.rounds) * plan.batch + done, plan.games)

        while len(training.rounds) < plan.batches:
            finished = training.next_round(played)
            if args.resume is not None:
                training.save(args.resume)
            training.write(args.network)
            if args.json:
                print(as_json(finished), flush=True)


def as_json(finished: TrainingRound) -> str:
    """Return a round as one line of JSON."""
    import msgspec

    return json.dumps(msgspec.to_builtins(finished))


def report(rounds: list[TrainingRound], plan: TrainingPlan, network: Path) -> str:
    """Return a text report on the training so far."""
    if not rounds:
        return "Nothing was learned: no batch was completed."
    last = rounds[-1]
    stopped = "" if len(rounds) == plan.batches else f" of {plan.batches:,}"
    return (
        f"{len(rounds):,}{stopped} batches, {sum(each.games for each in rounds):,} games.  In the last, "
        f"with {last.iterations} iterations a decision, the first seat won {last.points:.1%} of the points.\n"
        f"The network is in {network}; `bartizan` plays with it when it lies in "
        f"$BARTIZAN_DATA/{plan.game.replace('-', '_')}/data/network.npz."
    )
