"""``bartizan train``: train a policy for a game, and rate it."""

from __future__ import annotations

import argparse
import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING

from bartizan.cli.errors import UsageError
from bartizan.cli.lab_flags import varied
from bartizan.cli.parser import (
    Parser,
    add_seats,
    add_seed,
    add_settings,
    add_threads,
    read_settings,
    whole,
)
from bartizan.cli.progress import bar
from bartizan.engine.extras import require

if TYPE_CHECKING:
    from bartizan.engine.game import Game
    from bartizan.train.tables import TrainedVariants

ALGORITHMS = ("ppo", "expert")
MINUTES = 10
DEALS = 1_000
RATED = 40
SUGGESTED = 200  # ladder games in the command that is printed where none are played
MOST_VARIANTS = 128


def parser(prog: str, meaning: str) -> Parser:
    """Return the parser of this command."""
    parsing = Parser(
        prog=prog,
        description=f"{meaning}: it learns from games against itself and greedy. "
        "After Ctrl-C or a kill, the same command continues from the last checkpoint",
    )
    parsing.add_argument("game", metavar="GAME")
    parsing.add_argument(
        "--minutes",
        type=whole(1, 100_000),
        default=MINUTES,
        metavar="N",
        help=f"processor time in minutes, all threads together (default: {MINUTES})",
    )
    parsing.add_argument(
        "--algorithm",
        choices=ALGORITHMS,
        default=ALGORITHMS[0],
        help="ppo: proximal policy optimization; expert: learn what the tree search plays (default: ppo)",
    )
    parsing.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder for checkpoints and results (default: GAME-ALGORITHM)",
    )
    add_seed(parsing, "seed of weights and games (default: 0)", "0")
    parsing.add_argument(
        "--deals",
        type=whole(2, 10**6),
        default=DEALS,
        metavar="N",
        help=f"new deals to evaluate it on (default: {DEALS:,})",
    )
    parsing.add_argument(
        "--rate",
        type=whole(0, 10**6),
        default=RATED,
        metavar="N",
        help=f"ladder games against each of greedy and random (default: {RATED}; 0: none)",
    )
    parsing.add_argument(
        "--skill", metavar="LEVEL", help="how well everyone throws, in games with throws (default: expert)"
    )
    add_settings(parsing)
    parsing.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="KEY=A,B,…",
        help="train one policy for several variants, in every combination; 3..6 means 3,4,5,6 (repeatable)",
    )
    add_seats(parsing)
    add_threads(parsing, "PyTorch threads (default: 1)")
    return parsing


def run(args: argparse.Namespace) -> int:
    """Train, write the policy, and say how well it plays."""
    require("train", "Training")
    from bartizan.engine import registry

    game = registry.get(args.game)  # before PyTorch, which takes seconds to import

    from bartizan.train.evaluation import SEED, results_of
    from bartizan.train.run import PolicyTraining

    least = game.min_seats if game.max_seats == 1 else max(2, game.min_seats)
    seats = game.check_seats(args.seats or least)
    out = args.out or Path(f"{game.name}-{args.algorithm}")
    variants = _variants(game, seats, args)
    seed = seed_of(args.seed)
    training = PolicyTraining(
        game,
        out,
        seats=seats,
        seed=seed,
        threads=args.threads,
        variants=variants,
        algorithm=args.algorithm,
    )
    if training.spent:
        goes_on = "Continuing." if training.spent < 60 * args.minutes else "Increase --minutes for more."
        print(f"{out} has {training.spent:.0f} s of training. {goes_on}", flush=True)
    try:
        with bar("seconds of training") as progress:
            training.run(60.0 * args.minutes, progress)
    except KeyboardInterrupt:
        print("Stopped. The same command continues from the last checkpoint.")
        raise
    path = training.finish()
    print(f"{path} is written after {training.trainer.decisions:,} decisions.")
    results = results_of(training.trainer.network, game, seats, args.deals, SEED, variants)
    if seats == 1:
        print(f"It wins {results[0].mean():.1%} of {args.deals:,} fresh deals.")
    for seat, each in enumerate(results if seats > 1 else (), start=1):
        print(
            f"In seat {seat} it takes {each.mean():.1%} of the points of {args.deals:,} fresh games "
            "against greedy."
        )
    count = len(variants.options)
    for place, options in enumerate(variants.options if variants.differ else ()):
        named = " ".join(f"{key}={str(value).lower()}" for key, value in options.items())
        if place < args.deals:
            print(f"  {results[:, place::count].mean():.1%} with {named}")
    return _rate(game.name, path, seats, args.settings, 0 if variants.differ else args.rate)


def seed_of(text: str) -> int:
    """Return the seed of a training: below 2**32 the number itself, else 62 bits in which every digit counts.

    Raises `BadSeed`.
    """
    from bartizan.engine.rng import stream
    from bartizan.match.progress import check_seed

    number = int(check_seed(text), 16)
    return number if number < 1 << 32 else stream(f"{number:x}", "train") >> 2


def _variants(game: Game, seats: int, args: argparse.Namespace) -> TrainedVariants:
    """Return the variants that the flags name; raises `UsageError`, `UnknownOption`."""
    from bartizan.envs.settings import check_choice, check_options
    from bartizan.train.tables import SKILL, TrainedVariants

    fixed = read_settings(args.settings)
    choices = varied("--vary", args.vary)
    for key, values in choices.items():
        for value in values:
            if values.count(value) > 1:
                raise UsageError(f"--vary {key} has the value {str(value).lower()} twice.")
        if key in fixed:
            raise UsageError(f"{key} is both set and varied. Leave out --set {key} or --vary {key}.")
    count = math.prod(len(values) for values in choices.values())
    if count > MOST_VARIANTS:
        raise UsageError(f"--vary makes {count:,} variants; at most {MOST_VARIANTS} are allowed.")
    found = [
        {**fixed, **dict(zip(choices, values, strict=True))}
        for values in itertools.product(*choices.values())
    ]
    for options in found:
        check_options(game, options, seats)
    if args.skill and not game.throw_skills:
        raise UsageError(f"Nothing is thrown in {game.title}. Leave out --skill.")
    skill = check_choice(args.skill, "--skill", game.throw_skills) if args.skill else SKILL
    return TrainedVariants(tuple(found), skill)


def _rate(game: str, path: Path, seats: int, settings: list[str], games: int) -> int:
    """Print the ladder of the policy, greedy and random, or the command for it."""
    from bartizan.cli import main
    from bartizan.engine.extras import installed

    words = [
        game,
        "--players",
        f"policy:{path},greedy,random",
        "--games",
        str(max(2, games or SUGGESTED)),
        "--seats",
        str(seats),
        *(word for setting in settings for word in ("--set", setting)),
    ]
    if not games or not installed("lab"):
        print(f"Rate it with: bartizan ladder {' '.join(words)}")
        return 0
    return main.run(["ladder", *words])
