"""Check what a record says of its deal: commitment, shares, seed, and by playing it anew every draw.

Nothing here asks a server; docs/fairness.md says what each check shows and what none can.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bartizan.engine import fairness
from bartizan.engine.errors import BartizanError
from bartizan.engine.fairness import Fairness
from bartizan.engine.options import flat
from bartizan.engine.rng import stream
from bartizan.match.match import Match
from bartizan.match.progress import check_seed, hash_of_seed
from bartizan.match.record import GameRecord


class Finding(msgspec.Struct, frozen=True):
    """What one check has found."""

    part: str  # of the record
    holds: bool
    says: str


def verify(record: GameRecord, commitment: str = "") -> list[Finding]:
    """Check a record; it is true where every finding holds.

    `commitment` is what was seen at the table before the deal, if that was noted.
    """
    checks = list(_fairness(record, commitment))
    return [*checks, *_replay(record)]


def _fairness(record: GameRecord, commitment: str) -> Iterator[Finding]:
    fair, seed = record.fairness, record.seed
    if fair is None:
        yield Finding("fairness", False, "It has no commitment: nothing shows how the deal came about.")
        if seed and record.seed_hash:
            same = record.seed_hash == _seed_hash(seed)
            yield Finding("seed_hash", same, "It is " + ("" if same else "not ") + "the hash of the seed.")
        return
    if fault := _fault(record, fair):
        yield Finding("fairness", False, fault)
        return
    if commitment:
        same = commitment.strip().lower() == fair.commitment
        yield Finding(
            "commitment", same, f"It is {'' if same else 'not '}the one that was seen before the deal."
        )
    if not fair.secret or seed is None:
        yield Finding("secret", False, "The server's secret or the seed is missing: the game was not over.")
        return
    opened = fairness.commit_secret(fair.table, fair.secret, seed if fair.chosen else "")
    fits = opened == fair.commitment
    yield Finding(
        "secret", fits, f"The server's secret {'is' if fits else 'is not'} the one it was committed to."
    )
    shares: dict[int, str] = {}
    for seat in fair.persons:
        key = str(seat)
        share = fair.shares.get(key)
        if share is None:
            why = "it committed to one and did not show it" if key in fair.commitments else "it gave none"
            yield Finding(f"share of seat {seat}", True, f"Missing: {why}, and was left out.")
            continue
        shares[seat] = share
        fits = fairness.commit_share(fair.table, seat, share) == fair.commitments[key]
        yield Finding(
            f"share of seat {seat}", fits, f"It {'is' if fits else 'is not'} the one it was committed to."
        )
    if fair.chosen:
        yield Finding("seed", True, "It was chosen by whoever made the table, and committed to.")
        return
    made = fairness.deal_seed(
        table=fair.table,
        game=record.game,
        rules=record.rules,
        options=flat(record.options),
        seats=record.seats,
        secret=fair.secret,
        shares=shares,
    )
    parts = "the secret and all shares that were given" if fair.persons else "the server's secret alone"
    fits = made == seed
    yield Finding("seed", fits, f"It {'follows' if fits else 'does not follow'} from {parts}.")


def _seed_hash(seed: str) -> str:
    try:
        return hash_of_seed(check_seed(seed))
    except BartizanError:
        return ""


def _fault(record: GameRecord, fair: Fairness) -> str:
    """Say what cannot be in a record of any deal, or an empty text."""
    persons = {str(seat) for seat in fair.persons}
    given = tuple(seat for seat in fair.persons if str(seat) not in fair.shares)
    checks = (
        (fair.protocol == fairness.PROTOCOL, f"Protocol {fair.protocol} is not known here."),
        (fairness.is_table(fair.table), f"{fair.table[:64]!r} is no table's name."),
        (fairness.is_hash(fair.commitment), "The commitment is no SHA-256."),
        (not fair.secret or fairness.is_secret(fair.secret), "The secret has not the form of one."),
        (
            list(fair.persons) == sorted(set(fair.persons))
            and all(1 <= seat <= record.seats for seat in fair.persons),
            "The seats that were asked for a share are not seats of this game.",
        ),
        (fair.commitments.keys() <= persons, "There is a commitment of a seat that was not asked."),
        (fair.shares.keys() <= fair.commitments.keys(), "There is a share without a commitment."),
        (all(map(fairness.is_hash, fair.commitments.values())), "A commitment to a share is no SHA-256."),
        (all(map(fairness.is_share, fair.shares.values())), "A share has not the form of one."),
        (fair.left_out == given, "The seats that are said to be left out are not those without a share."),
        (not (fair.chosen and fair.persons), "A seed that was chosen does not go with shares."),
        (record.position is None, "It began with a position, not with a deal."),
    )
    return next((says for holds, says in checks if not holds), "")


def _replay(record: GameRecord) -> Iterator[Finding]:
    """Deal and play a record anew; every draw then comes from the seed."""
    if record.seed is None:
        return
    try:
        match = Match.of(record)
    except BartizanError as error:
        yield Finding("moves", False, str(error))
        return
    drew = sum(_drew(match, ply) for ply in range(1, match.last_ply + 1))
    plies = f"{match.last_ply} {'ply' if match.last_ply == 1 else 'plies'}"
    chance = f"chance spoke at {drew} of them" if drew else "chance spoke at none after the deal"
    yield Finding("moves", True, f"The deal and all {plies} follow from the seed; {chance}.")
    if record.fairness and record.seed_hash and record.seed_hash != match.seed_hash:
        yield Finding("seed_hash", False, "It is not the hash of the seed.")
    said = (record.result, record.scores, record.returns)
    anew = match.record(secret_seed=True)
    same = said == (anew.result, anew.scores, anew.returns)
    came = "what the moves come to" if same else f"not what the moves come to, {anew.result}"
    yield Finding("result", same, f"{record.result} is {came}.")


def _drew(match: Match, ply: int) -> bool:
    """Say whether random numbers were drawn in a ply: the stream that was keyed for it has moved on."""
    match.go_to(ply)
    return int(match.view().rng) != stream(match.seed, "ply", ply - 1)
