"""Train a policy for every game, measure and ship it: write docs/baselines.md and bartizan/policies.

What has been trained and played is kept in .build/baselines, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.cli.progress import bars
from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.extras import require
from bartizan.engine.files import alone, read_text, write_atomically
from bartizan.engine.game import Game
from bartizan.envs import shipped
from bartizan.envs.policy import admit
from bartizan.lab.journal import Journal
from bartizan.lab.ladder import LadderGame, Meeting, meetings, neighbours, ratings
from bartizan.lab.store import versions
from scripts.baseline_figures import (
    FOLDER,
    POLICY,
    BadBaseline,
    Baseline,
    RatedPlayer,
    SeedRun,
    best_of,
    curve_of,
    read,
    shares,
    write,
)
from scripts.baseline_pages import ALGORITHMS, curve, filled
from scripts.progress import ROOT

if TYPE_CHECKING:
    from bartizan.train.run import PolicyTraining

PAGE = FOLDER.with_suffix(".md")
MADE = ROOT / ".build" / "baselines"
BASE = "greedy"  # has 0 points
SLOW = "castellan"  # the level that takes minutes a game


def main(argv: Sequence[str] | None = None) -> int:
    """Make the baselines that are asked for; return 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(prog="make baselines", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (all of them)")
    parser.add_argument(
        "--seeds",
        type=_seeds,
        default="5",
        metavar="N",
        help="trainings of each game (5), or their seeds: 0,4 or 4,",
    )
    parser.add_argument(
        "--algorithm", choices=ALGORITHMS, help="of `bartizan train` (that of the shipped policy, else ppo)"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="CPU time of a training (10)")
    parser.add_argument("--deals", type=int, default=4_000, help="fresh deals to evaluate a policy on (4000)")
    parser.add_argument("--rounds", type=int, default=50, help="deals of each pair on the ladder (50)")
    parser.add_argument(
        "--slow", type=int, default=0, help=f"deals of each pair with {SLOW}, who takes a minute a game (0)"
    )
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores", help="what the page says it ran on")
    parser.add_argument("--kept", action="store_true", help="train nothing: write the page from kept figures")
    args = parser.parse_args(argv)
    try:
        if min(len(args.seeds), args.deals - 1, args.rounds - 1, args.slow + 1) < 1 or not args.minutes > 0:
            raise BadBaseline(
                "--seeds must be 1 or more, --deals and --rounds 2 or more, --slow 0 or more, "
                "--minutes above 0."
            )
        games = [registry.get(name) for name in _named(args.games, kept=args.kept)]
        if not args.kept:
            require("train", "Training")
        for game in games:
            write_page(read(_figures(game)) if args.kept else _make(game, args))
    except BartizanError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped. What was trained is kept; the same command goes on from there.", file=sys.stderr)
        return 130
    return 0


def _named(wanted: Sequence[str], *, kept: bool) -> list[str]:
    known = sorted(path.stem for path in FOLDER.glob("*.json")) if kept else list(registry.names())
    for name in wanted:
        if name not in known:
            raise BadBaseline(
                f"There is no game {name!r}.{nearest(name, known)} There are {', '.join(known)}."
            )
    return list(dict.fromkeys(wanted)) or known


def _seeds(text: str) -> tuple[int, ...]:
    """Return the seeds that are named, or the first so many."""
    try:
        numbers = [int(each) for each in text.removesuffix(",").split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number nor a list such as 0,4 or 4,"
        ) from None
    return tuple(numbers) if "," in text else tuple(range(numbers[0]))


def _figures(game: Game) -> Path:
    return FOLDER / f"{game.name}.json"


def write_page(baseline: Baseline) -> None:
    """Write a game's picture, and its part of the page."""
    page = filled(read_text(PAGE), [baseline])
    write_atomically(FOLDER / f"{baseline.game}.svg", curve(baseline))
    write_atomically(PAGE, page)
    print(f"{PAGE.relative_to(ROOT)}: {baseline.game} is written")


# --- Training -----------------------------------------------------------------------


def _make(game: Game, args: argparse.Namespace) -> Baseline:
    """Train, evaluate and rate what is missing; ship the best policy and keep the figures."""
    seats = game.min_seats if game.max_seats == 1 else max(2, game.min_seats)
    made_with = {key: str(value) for key, value in versions(game).items()} | _versions()
    kept = read(_figures(game)) if _figures(game).exists() else None
    algorithm = args.algorithm or (kept.algorithm if kept else "ppo")
    if kept and not kept.same_as(made_with, args.minutes, args.deals):
        kept = None
    folder = MADE / game.name
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder / "lock", wait=False), bars(sys.stderr) as shown:
        began = time.monotonic()
        total = round(60 * args.minutes)
        task = shown.add_task(f"{game.name}, CPU seconds of training", total=len(args.seeds) * total)
        trained = []
        for number, seed in enumerate(args.seeds):

            def progress(spent: int, _: int, before: int = number * total) -> None:
                shown.update(task, completed=before + spent)

            trained.append(_run(game, seats, seed, algorithm, folder, args, progress))
            _say(f"{game.name}, seed {seed}: wins {_percents(trained[-1])} of {args.deals:,} deals", began)
        runs = {(run.algorithm, run.seed): run for run in (*(kept.runs if kept else ()), *trained)}
        ships = kept.algorithm if kept else algorithm
        best = best_of(runs.values(), ships)
        path = _policy_of(best, game, folder, args)
        shown.reset(task, description=f"{game.name}, deals on the ladder")

        def met(done: int, total: int) -> None:
            shown.update(task, completed=done, total=total)

        if kept and kept.rates(best, args.rounds, args.slow):
            players, slow = kept.players, kept.slow
        else:
            levels = [level.name for level in game.player_levels if args.slow or level.name != SLOW]
            players = tuple(_rate(game, seats, path, levels, folder, (args.rounds, args.slow), met))
            slow = args.slow
            _say(f"{game.name}: rated", began)
    baseline = Baseline(
        game=game.name,
        seats=seats,
        algorithm=ships,
        minutes=args.minutes,
        machine=args.machine,
        made_with=made_with,
        deals=args.deals,
        rounds=args.rounds,
        slow=slow,
        best=best.seed,
        runs=tuple(run for _, run in sorted(runs.items())),
        players=players,
    )
    named = "" if ships == "ppo" else f"--algorithm {ships} "
    command = f"bartizan train {game.name} {named}--minutes {args.minutes:g} --seed {best.seed}"
    wins = tuple(each.estimate for each in best.wins)
    if sum(wins) >= WORTH_SHIPPING * len(wins):
        shipped.ship(path, game, command=command, deals=args.deals, wins=wins)
    FOLDER.mkdir(exist_ok=True)
    write_atomically(_figures(game), write(baseline))
    return baseline


def _made(folder: Path, seed: int, algorithm: str, args: argparse.Namespace) -> Path:
    """Return the folder of a seed's training."""
    suffix = "" if algorithm == "ppo" else f"-{algorithm}"
    return folder / f"seed-{seed}-{args.minutes:g}min{suffix}"


def _policy_of(run: SeedRun, game: Game, folder: Path, args: argparse.Namespace) -> Path:
    """Return the file of a run's policy, made here or shipped earlier; raises `BadBaseline` if it is gone."""
    made = _made(folder, run.seed, run.algorithm, args) / "policy.onnx"
    if made.exists() and sha256(made.read_bytes()).hexdigest() == run.sha256:
        return made
    told = shipped.index().get(game.name)
    if told is not None and told.sha256 == run.sha256:
        return shipped.path_of(game)
    raise BadBaseline(
        f"{game.title}: the policy of seed {run.seed} isn't here. Train it again, with --seeds {run.seed}, "
        "(a comma for one)."
    )


def _say(what: str, began: float) -> None:
    print(f"  {what}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def _percents(run: SeedRun) -> str:
    return " and ".join(f"{each.estimate:.1%}" for each in run.wins)


def _versions() -> dict[str, str]:
    import torch

    return {"torch": torch.__version__.partition("+")[0]}


def _run(
    game: Game, seats: int, seed: int, algorithm: str, made: Path, args: argparse.Namespace, progress: Any
) -> SeedRun:
    """Return one seed's run: as it was kept, or trained and evaluated now."""
    folder = _made(made, seed, algorithm, args)
    kept = folder / f"run-{args.deals}-deals.json"
    if kept.exists():  # one kept by an older version doesn't say its algorithm, which the folder does
        run = msgspec.json.decode(read_text(kept), type=SeedRun)
        return msgspec.structs.replace(run, algorithm=algorithm)
    from bartizan.train.evaluation import SEED
    from bartizan.train.run import PolicyTraining

    training = PolicyTraining(game, folder, seats=seats, seed=seed, algorithm=algorithm)
    training.run(60 * args.minutes, progress)
    path = training.finish()
    run = SeedRun(
        seed=seed,
        algorithm=algorithm,
        decisions=training.trainer.decisions,
        curve=curve_of(training.course, args.minutes),
        wins=shares(_evaluated(training, args.deals, SEED)),
        sha256=sha256(path.read_bytes()).hexdigest(),
    )
    write_atomically(kept, msgspec.json.encode(run).decode())
    return run


WORTH_SHIPPING = 0.25  # share that a policy must win: nobody wants a weaker opponent than the levels
PART = 500  # deals at a time, so that memory stays small


def _evaluated(training: PolicyTraining, deals: int, seed: str) -> NDArray[np.float64]:
    """Return the results of fresh deals (seats, deals)."""
    from bartizan.train.evaluation import results_of

    network, game, seats = training.trainer.network, training.game, training.trainer.seats
    sizes = [min(PART, deals - at) for at in range(0, deals, PART)]
    parts = [
        results_of(network, game, seats, size, f"{seed}{number:02x}", training.trainer.variants)
        for number, size in enumerate(sizes)
    ]
    return np.concatenate(parts, axis=1)


# --- The ladder ---------------------------------------------------------------------


def _rate(
    game: Game,
    seats: int,
    path: Path,
    levels: list[str],
    folder: Path,
    rounds: tuple[int, int],  # of each pair, and of each with the slow level
    progress: Any,
) -> list[RatedPlayer]:
    """Let the policy and the game's own players meet on the ladder; the rounds are kept."""
    own = admit(game, path, POLICY)
    names = ["random", BASE, *levels, own]
    contest = LadderGame(game, seats)
    about: Mapping[str, Any] = {
        "game": game.name,
        "seats": seats,
        "policy": game.guests[own].digest,
        **versions(game),
    }
    file = folder / f"ladder-{game.guests[own].digest[:12]}.jsonl"
    with Journal(file, about, Meeting) as journal:
        due = {pair: rounds[SLOW in pair] for pair in _pairs(levels, own)}
        for deals in rounds:
            pairs = [pair for pair in due if due[pair] == deals]
            games = deals * contest.games_a_round
            for meeting in meetings(contest, pairs, games, 1, journal.findings, progress):
                journal.add(meeting)
        played = [each for each in journal.findings if each.number < due.get((each.first, each.second), 0)]
    return [
        RatedPlayer(
            player=rating.player.removeprefix(f"{own[: -len(POLICY)]}"),
            wins=_against_base(rating.player, played, seats),
            elo=round(rating.elo, 1),
            low=round(rating.low, 1),
            high=round(rating.high, 1),
            games=rating.games,
        )
        for rating in ratings(names, played, BASE)
    ]


def _pairs(levels: Sequence[str], own: str) -> Iterator[tuple[str, str]]:
    """Yield who meets: everyone greedy, the policy everyone, and each level the one below."""
    yield from ((each, BASE) for each in ("random", *levels, own))
    yield from ((own, each) for each in ("random", *levels))
    yield from neighbours(levels)
    yield (levels[0], "random")


def _against_base(player: str, played: Sequence[Meeting], seats: int) -> tuple[Any, ...]:
    """Return what a player won against greedy, by seat; alone, of the deals."""
    if player == BASE:
        if seats > 1:
            return ()
        wins = {each.number: float(each.wins[1] > 0) for each in played if each.second == BASE}
        return shares(np.array([list(wins.values())]))
    met = [each for each in played if (each.first, each.second) == (player, BASE)]
    if seats == 1:
        return shares(np.array([[float(each.wins[0] > 0) for each in met]]))
    return shares(np.array([each.points for each in met]).T)


if __name__ == "__main__":
    sys.exit(main())
