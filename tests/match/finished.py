"""Make records of finished games, as tables give them: with a fair deal, and a log chained by hashes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from bartizan.engine import chain, fairness, registry
from bartizan.engine.chain import Chain, GameLog
from bartizan.engine.fairness import Fairness, VoidRound
from bartizan.engine.options import flat
from bartizan.engine.settlement import Settlement
from bartizan.match import GameRecord, Match

TABLE = "5eed5eed5eed"
SECRET = "ab" * 32
SHARES = {1: "01" * 16, 2: "02" * 16}


def fair_record(
    name: str,
    shares: dict[int, str] = SHARES,
    *,
    silent: tuple[int, ...] = (),
    void: tuple[VoidRound, ...] = (),
) -> GameRecord:
    """Return a finished game of a table whose people gave these shares; those who are silent committed."""
    seats = max(2, registry.get(name).min_seats) if registry.get(name).max_seats > 1 else 1
    here = {seat: share for seat, share in shares.items() if seat <= seats}
    given = {seat: share for seat, share in here.items() if seat not in silent}
    blank = Match(name, seats=seats, seed="1")
    seed = fairness.deal_seed(
        table=TABLE,
        game=name,
        rules=blank.game.rules_version,
        options=flat(blank.options),
        seats=seats,
        secret=SECRET,
        shares=given,
        void=void,
    )
    match = Match(name, seats=seats, seed=seed)
    dice = random.Random(name)
    while not match.is_over and (seats == 1 or match.ply < 60):
        match.play(dice.choice(match.legal()))
    told = Fairness(
        protocol=1,
        table=TABLE,
        commitment=fairness.commit_secret(TABLE, SECRET, void=void),
        secret=SECRET,
        persons=tuple(here),
        commitments={str(s): fairness.commit_share(TABLE, s, share) for s, share in here.items()},
        shares={str(s): share for s, share in given.items()},
        left_out=silent if not void else (),
        void=void,
    )
    settled = None if match.is_over else Settlement(reason="resignation", loser=1)
    record = match.record(secret_seed=True, settlement=settled, fairness=told)
    return logged(record, [*moved(match), *([f"{match.ply} resign 1"] if settled else [])])


def moved(match: Match) -> list[str]:
    """Return a game's moves as entries of a log."""
    pairs = enumerate(zip(match.movers, match.moves, strict=True), start=1)
    return [f"{ply} move {seat} {move}" for ply, (seat, move) in pairs]


def logged(record: GameRecord, entries: Sequence[str], players: Sequence[str] = ()) -> GameRecord:
    """Return a record with this log and the hashes that go with it."""
    fair = record.fairness
    players = tuple(players) or ("person",) * record.seats
    chained = Chain(
        chain.first_head(
            table=fair.table if fair else TABLE,
            game=record.game,
            rules=record.rules,
            options=flat(record.options),
            players=players,
            commitment=fair.commitment if fair else record.seed_hash,
            fairness=fair,
        ),
        fair.secret if fair else "",
    )
    for entry in entries:
        chained.add(entry)
    log = GameLog(
        protocol=chain.CHAIN_PROTOCOL,
        table=fair.table if fair else TABLE,
        players=players,
        entries=tuple(entries),
        head=chained.head,
    )
    return msgspec.structs.replace(record, log=log)
