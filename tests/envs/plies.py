"""Play batches beside two other implementations of the rules, ply by ply: ``python -m tests.envs.plies``.

Tables of all games are dealt in batches, with options and seats random.  At every ply the rules as
plain Python play the same action on a copy of the state, which must come to the same bytes, the same list and
the same observation; and a trace is written of the batch, which each game's second implementation, written by
somebody else from the rulebook, goes through move by move.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bartizan
from bartizan.engine import registry
from bartizan.engine.errors import UnknownOption
from bartizan.engine.game import ANY_OUTCOME
from bartizan.engine.rule import interpreted
from bartizan.envs.batch import Batch
from tests.envs.seeing import plainly_observed
from tests.games.tables import GAMES, random_options, seat_counts

TABLES = 8  # of a batch
TESTS = Path(__file__).resolve().parents[1]
# The games of which there is a second implementation.
AUDITED = [name for name in GAMES if (TESTS / name.replace("-", "_") / "reference.py").exists()]
LONGEST = 400  # plies of a table that are followed


class Count(NamedTuple):
    """What was played and compared."""

    plies: int
    finished: int  # games that came to their end
    compared: int  # observations


def auditor_of(name: str) -> Any:
    """Return a fresh auditor of a game's second implementation."""
    module = importlib.import_module(f"tests.{name.replace('-', '_')}.reference")
    (kind,) = (
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__ and each.__name__.endswith("Auditor")
    )
    return kind()


def play(name: str, number: int, most: int = LONGEST) -> Count:
    """Play a batch, `most` plies of each table at most; raises `AssertionError` at a difference."""
    dice = random.Random(f"{name}/{number}/plies")
    env = batch_of(name, dice)
    game, written = env.game, env.game.read_options(env.settings.options, env.seats).write()
    auditors = [auditor_of(name) for _ in range(TABLES)]
    step, plies, finished, compared = env.reset(), 0, 0, 0
    for _ in range(most):
        running = np.flatnonzero(step.to_play >= 0).tolist()
        if not running:
            break
        actions = env.random_actions()
        records = {i: follow(env, i, int(actions[i]), auditors[i], written) for i in running}
        seen = dice.choice(running)
        mine = env.last.observation[seen]
        assert (
            mine == plainly_observed(game, env.game_state(seen).view(), int(step.to_play[seen]) + 1)
        ).all()
        compared += 1
        step = env.step(actions)
        for i, record in records.items():
            assert record.to_array().tobytes() == env.copy_of(i).state, f"{name} {number}, table {i}"
            plies += 1
            if step.terminated[i]:
                finished += 1
                conclude(env, i, auditors[i])
    env.close()
    for auditor in auditors:
        assert not auditor.report.differences, "\n".join(map(str, auditor.report.differences[:5]))
    return Count(plies, finished, compared)


def batch_of(name: str, dice: random.Random) -> Batch:
    """Return a batch of any seats and options with which programs and the second implementation can play."""
    game = registry.get(name)
    skill = ANY_OUTCOME if game.throw_skills else None
    while True:
        seats = dice.choice(list(seat_counts(game)))
        options = random_options(game, dice, seats)
        try:
            game.check_programs(options, seats)
            written = game.read_options(options, seats).write()
            auditor_of(name).begin({"options": written, "seats": seats})
        except (UnknownOption, ValueError):  # a reading that the second implementation does not know
            continue
        seed = f"{dice.getrandbits(64):x}"
        return bartizan.batch(
            game, TABLES, seats=seats, options=options, seed=seed, skill=skill, autoreset="disabled"
        )


def follow(env: Batch, i: int, action: int, auditor: Any, options: object) -> Any:
    """Hand a table's position and move to the auditor; return a record that plain rules have played on."""
    game, game_state = env.game, env.game_state(i)
    record, plain = game_state.view(), interpreted(env.game.rules)
    listed: Any = [0] * game.max_legal
    legal = listed[: plain.legal_actions(record, listed)]
    assert legal == env.last.legal[i, : env.last.legal_count[i]].tolist()
    assert plain.turn_of(record) == env.last.to_play[i] + 1
    text = {each: game.vocabulary.print_move(record, each) for each in legal}
    ply = int(env.plies[i])
    line = {"game_no": i, "ply": ply, "position": game.positions.write(record)}
    line |= {"legal": sorted(text.values()), "move": text[action]}
    if ply == 0:
        line |= {"options": options, "seats": env.seats}
    read(auditor, line)
    plain.apply(record, action)
    return record


def conclude(env: Batch, i: int, auditor: Any) -> None:
    """Hand a finished table to the auditor, with what the batch says that it is worth."""
    game, game_state = env.game, env.game_state(i)
    outcome = game.outcome(game_state)
    assert outcome is not None
    returns = env.last.reward[i].tolist()
    assert np.allclose(returns, outcome.returns)
    result = {
        "winner": game.winner(game_state.view()),
        "scores": list(outcome.points or outcome.returns),
        "returns": list(outcome.returns),
    }
    read(auditor, {"game_no": i, "position": game.positions.write(game_state.view()), "result": result})


def read(auditor: Any, line: dict[str, Any]) -> None:
    """Have an auditor read a line as it stands in a file."""
    auditor.read(json.loads(json.dumps(line)))


def main(words: Sequence[str] | None = None) -> int:
    """Play until enough plies were compared or the time is up; print how many it were."""
    parsing = argparse.ArgumentParser(prog="python -m tests.envs.plies", description=__doc__)
    parsing.add_argument("--plies", type=int, default=1_000_000)
    parsing.add_argument("--seconds", type=float, default=3_600.0, help="of processor time")
    parsing.add_argument("--first", type=int, default=0, help="the number of the first batch")
    args = parsing.parse_args(words)
    counts, number, total = dict.fromkeys(AUDITED, Count(0, 0, 0)), args.first, 0
    began = time.process_time()
    while True:
        for name in AUDITED:
            played = play(name, number)
            counts[name] = Count(*map(sum, zip(counts[name], played, strict=True)))
            total = sum(each.plies for each in counts.values())
            if total >= args.plies or time.process_time() - began > args.seconds:
                for game, each in counts.items():
                    print(f"{game}: {each.plies:,} plies, {each.finished:,} games to the end, all the same")
                print(f"{total:,} plies in {time.process_time() - began:,.0f} s of processor time")
                return 0
        number += 1
        spent = time.process_time() - began
        print(f"batch {number} of each game, {total:,} plies, {spent:,.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
