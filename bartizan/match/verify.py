"""Check a record: the deal's commitment, shares and seed, the log, and every draw by replaying it.

Nothing here asks a server. docs/fairness.md says what each check shows and what none can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from bartizan.engine import fairness
from bartizan.engine.errors import BartizanError
from bartizan.engine.fairness import Fairness
from bartizan.engine.options import flat
from bartizan.engine.rng import stream
from bartizan.match.ending import ending, followed
from bartizan.match.finding import Finding
from bartizan.match.match import Match
from bartizan.match.progress import check_seed, hash_of_seed
from bartizan.match.record import GameRecord

Verdict = Literal["fair", "open", "forged"]


class Unfinished(BartizanError):
    """A record from before its game was over, when the server's secret was still one."""

    code = "unfinished"


def verify(record: GameRecord, commitment: str = "", share: str = "", head: str = "") -> list[Finding]:
    """Check a record.

    Args:
        record: a finished game's.
        commitment: what the table published before the deal, if you noted it.
        share: what your own browser added to the deal, if you noted it.
        head: a check value that the table showed during or after the game, if you noted it.

    Raises `Unfinished`, and `BadCheckValue` if `head` can't be one.
    """
    if record.seed is None and record.fairness is not None and not record.fairness.secret:
        raise Unfinished("This game wasn't over yet. Its deal can be checked once it is.")
    return [
        *_fairness(record, commitment),
        *_own_share(record, share),
        *ending(record, head),
        *_replay(record),
    ]


def verdict(findings: Iterable[Finding]) -> Verdict:
    """Return *fair* if all is bound, *open* if someone could have chosen or changed it, else *forged*."""
    checked = tuple(findings)
    if not all(each.holds for each in checked):
        return "forged"
    return "open" if any(each.chooser or each.changer for each in checked) else "fair"


def _own_share(record: GameRecord, share: str) -> Iterator[Finding]:
    if share:
        own = record.fairness is not None and share.strip().lower() in record.fairness.shares.values()
        yield Finding("your share", own, f"It is {'' if own else 'not '}part of the deal.")


def _fairness(record: GameRecord, commitment: str) -> Iterator[Finding]:
    fair, seed = record.fairness, record.seed
    if fair is None:
        says = "It has no commitment, so nothing shows where the deal came from."
        yield Finding("fairness", not commitment, says, "whoever created the game")
        if seed and record.seed_hash:
            same = record.seed_hash == _seed_hash(seed)
            yield Finding("seed_hash", same, f"It {_is(same)} the hash of the seed.")
        return
    if fault := _fault(record, fair):
        yield Finding("fairness", False, fault)
        return
    if commitment:
        yield _noted(fair, commitment.strip().lower())
    if not fair.secret or seed is None:
        says = "The server's secret or the seed is missing."
        yield Finding("secret", False, says)
        return
    opened = fairness.commit_secret(fair.table, fair.secret, seed if fair.chosen else "", fair.void)
    fits = opened == fair.commitment
    matches = "matches" if fits else "doesn't match"
    yield Finding("secret", fits, f"The server's secret {matches} its commitment from before the deal.")
    yield from _void(fair)
    shares: dict[int, str] = {}
    for seat in fair.persons:
        key = str(seat)
        share = fair.shares.get(key)
        if seat in fair.given_up:
            says = "The others gave this seat up, so the deal was made without its share."
            yield Finding(f"share of seat {seat}", True, says, f"the host and all others but seat {seat}")
            continue
        if share is None:
            why = "it committed to one but didn't reveal it" if key in fair.commitments else "it gave none"
            says = f"Missing: {why}. The deal was made without it."
            yield Finding(f"share of seat {seat}", True, says, f"seat {seat} and the host together")
            continue
        shares[seat] = share
        fits = fairness.commit_share(fair.table, seat, share) == fair.commitments[key]
        matches = "matches" if fits else "doesn't match"
        yield Finding(f"share of seat {seat}", fits, f"It {matches} its commitment.")
    if fair.chosen:
        says = "It was chosen, and it matches the commitment."
        yield Finding("seed", True, says, "whoever created the table")
        return
    made = fairness.deal_seed(
        table=fair.table,
        game=record.game,
        rules=record.rules,
        options=flat(record.options),
        seats=record.seats,
        secret=fair.secret,
        shares=shares,
        void=fair.void,
    )
    parts = "the secret and all shares" if fair.persons else "the server's secret alone"
    fits = made == seed
    chooser = "" if fair.persons else "the host"
    yield Finding("seed", fits, f"It {'follows' if fits else 'does not follow'} from {parts}.", chooser)


def _noted(fair: Fairness, commitment: str) -> Finding:
    """Compare a commitment that someone noted at the table."""
    rounds = [each.commitment for each in fair.void]
    if commitment in rounds:
        says = f"It is that of deal {rounds.index(commitment) + 1}, which was void. If you saw no void deal, "
        return Finding("commitment", True, f"{says}the record is forged.")
    same = commitment == fair.commitment
    return Finding("commitment", same, f"It {_is(same)} the one you saw before the deal.")


def _void(fair: Fairness) -> Iterator[Finding]:
    """Name who didn't show a share: with the host, they could have seen that deal and turned it down."""
    for number, each in enumerate(fair.void, start=1):
        if each.withheld:
            seats = f"seat{'s' if len(each.withheld) > 1 else ''} {' and '.join(map(str, each.withheld))}"
            says = f"It was void: {seats} didn't show a share. Everything was drawn again."
            chooser = f"{seats} and the host together, who could have turned deal {number} down"
            yield Finding(f"deal {number}", True, says, chooser)


def _is(same: bool) -> str:
    return "is" if same else "isn't"


def _seed_hash(seed: str) -> str:
    try:
        return hash_of_seed(check_seed(seed))
    except BartizanError:
        return ""


def _fault(record: GameRecord, fair: Fairness) -> str:
    """Say what no deal's record can contain, or nothing."""
    persons = {str(seat) for seat in fair.persons}
    silent = tuple(seat for seat in fair.persons if str(seat) not in fair.shares)
    checks = (
        (fair.protocol == fairness.PROTOCOL, f"Protocol {fair.protocol} is unknown."),
        (fairness.is_table(fair.table), f"{fair.table[:64]!r} isn't a table's name."),
        (fairness.is_hash(fair.commitment), "The commitment isn't a SHA-256 hash."),
        (not fair.secret or fairness.is_secret(fair.secret), "The secret is malformed."),
        (
            list(fair.persons) == sorted(set(fair.persons))
            and all(1 <= seat <= record.seats for seat in fair.persons),
            "It lists seats this game doesn't have.",
        ),
        (fair.commitments.keys() <= persons, "It has a commitment from a seat that wasn't asked."),
        (fair.shares.keys() <= fair.commitments.keys(), "It has a share without a commitment."),
        (all(map(fairness.is_hash, fair.commitments.values())), "A commitment isn't a SHA-256 hash."),
        (all(map(fairness.is_share, fair.shares.values())), "A share is malformed."),
        (
            tuple(sorted(fair.left_out + fair.given_up)) == silent,
            "The seats listed as left out or given up aren't the ones without a share.",
        ),
        (len(fair.void) <= fairness.MOST_VOID, "It lists more void deals than a table can have."),
        (all(_is_round(fair, number) for number in range(len(fair.void))), "A void deal is malformed."),
        (not (fair.void and fair.left_out), "Once a deal was void, no seat can be left out."),
        (not (fair.chosen and fair.persons), "A chosen seed can't have shares."),
        (record.position is None, "It started from a position, not from a deal."),
    )
    return next((says for holds, says in checks if not holds), "")


def _is_round(fair: Fairness, number: int) -> bool:
    """Say whether a void round names a reason, and only seats that were asked in it, in order."""
    each = fair.void[number]
    gone = {seat for earlier in fair.void[:number] for seat in earlier.given_up}
    asked = {*fair.persons} - gone
    ordered = all(list(seats) == sorted({*seats} & asked) for seats in (each.withheld, each.given_up))
    return ordered and bool(each.withheld or each.given_up) and fairness.is_hash(each.commitment)


def _replay(record: GameRecord) -> Iterator[Finding]:
    """Deal and replay a record; every draw then comes from the seed."""
    if record.seed is None:
        return
    try:
        match = Match.of(record)
    except BartizanError as error:
        yield Finding("moves", False, str(error))
        return
    drew = sum(_drew(match, ply) for ply in range(1, match.last_ply + 1))
    plies = f"{match.last_ply} {'ply' if match.last_ply == 1 else 'plies'}"
    chance = f"{drew} of them drew random numbers" if drew else "none drew random numbers after the deal"
    yield Finding("moves", True, f"The deal and all {plies} follow from the seed; {chance}.")
    if record.fairness and record.seed_hash and record.seed_hash != match.seed_hash:
        yield Finding("seed_hash", False, "It isn't the hash of the seed.")
    yield from followed(record, match)
    said = (record.result, record.scores, record.returns)
    replayed = match.record(secret_seed=True)
    same = said == (replayed.result, replayed.scores, replayed.returns)
    came = "The moves lead to it:" if same else "The moves don't lead to it, but to this:"
    led = match.views.headline if match.outcome else "no result."
    yield Finding("result", same, f"{came} {led}")


def _drew(match: Match, ply: int) -> bool:
    """Say whether a ply drew random numbers: its stream has moved on."""
    match.go_to(ply)
    return int(match.view().rng) != stream(match.seed, "ply", ply - 1)
