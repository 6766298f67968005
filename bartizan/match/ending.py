"""Check what binds a record to how its game went and ended: the log of its table, chained by hashes."""

from __future__ import annotations

from collections.abc import Iterator

from bartizan.engine import chain
from bartizan.engine.chain import GameLog, LoggedGame
from bartizan.engine.errors import CorruptRecord
from bartizan.engine.fairness import is_hash, is_table
from bartizan.engine.options import flat
from bartizan.engine.settlement import Settlement
from bartizan.match.finding import Finding
from bartizan.match.match import Match
from bartizan.match.record import GameRecord

PASSED_ON = "whoever passed the record on"


def ending(record: GameRecord, noted: str = "") -> Iterator[Finding]:
    """Check a record's log, and that a check value which someone noted occurs in it."""
    log = record.log
    if log is None:
        says = "It has no log, so nothing shows that these are all the moves, or how the game ended."
        yield Finding("log", not noted, says, changer=PASSED_ON)
        return
    try:
        _check(record, log)
        course = LoggedGame(log, record.seats)
    except CorruptRecord as error:
        yield Finding("log", False, str(error))
        return
    fair = record.fairness
    begins = chain.first_head(
        table=log.table,
        game=record.game,
        rules=record.rules,
        options=flat(record.options),
        players=log.players,
        commitment=fair.commitment if fair else record.seed_hash,
        fairness=fair,
    )
    made = chain.heads(log, begins, fair.secret if fair else "")
    number = len(log.entries)
    entries, lead = (f"{number} entries", "lead") if number != 1 else ("1 entry", "leads")
    if made[-1] == log.head:
        yield Finding("log", True, f"Its {entries} {lead} to the check value {chain.check_value(log.head)}.")
    else:
        yield Finding("log", False, f"Its {entries} and the deal don't lead to its check value.")
    fault = _difference(record, course)
    yield Finding("ending", not fault, fault or "The moves and the ending agree with the log.")
    if noted:
        yield _noted(log, made, noted)


def followed(record: GameRecord, match: Match) -> Iterator[Finding]:
    """Compare a record's log with the replayed game."""
    try:
        course = LoggedGame(record.log, record.seats) if record.log is not None else None
    except CorruptRecord:  # `ending` has said so
        return
    if course is None:
        return
    if course.movers[: course.ply] != match.movers:
        yield Finding("movers", False, "The seats in the log aren't those whose turn it was.")
    if not (match.is_over or record.settled):
        yield Finding("end", False, "The game isn't over, but only a finished game has a log.")


def _check(record: GameRecord, log: GameLog) -> None:
    """Raise `CorruptRecord` for a log that no table can have."""
    fair = record.fairness
    checks = (
        (log.protocol == chain.CHAIN_PROTOCOL, f"Its protocol {log.protocol} is unknown."),
        (is_table(log.table), f"{log.table[:64]!r} isn't a table's name."),
        (fair is None or fair.table == log.table, "It is the log of another table."),
        (is_hash(log.head), "Its head isn't a SHA-256 hash."),
        (len(log.players) == record.seats, "It doesn't have a player for each seat."),
        (
            fair is None
            or all(log.players[seat - 1 : seat] == ("person",) for seat in fair.persons if seat > 0),
            "A seat with a share isn't played by a person.",
        ),
        (record.position is None, "A game at a table doesn't begin from a position."),
    )
    for holds, says in checks:
        if not holds:
            raise CorruptRecord(says)


def _difference(record: GameRecord, course: LoggedGame) -> str:
    """Say how a record differs from its log, or nothing."""
    moves, logged = list(record.moves), course.moves[: course.ply]
    if moves != logged:
        ply = next((at for at, (a, b) in enumerate(zip(moves, logged, strict=False)) if a != b), -1)
        if ply >= 0:
            return f"Ply {ply + 1} is {moves[ply]!r}, but {logged[ply]!r} in the log."
        return f"It has {len(moves)} plies, but the log has {len(logged)}."
    if record.settled != course.settled:
        return f"It {_how(record.settled)}, but according to the log it {_how(course.settled)}."
    return ""


def _how(settled: Settlement | None) -> str:
    if settled is None:
        return "ended by the rules"
    match settled.reason:
        case "agreement":
            return "ended by agreement"
        case "resignation":
            return f"ended when seat {settled.loser} resigned"
        case "time":
            return f"ended when seat {settled.loser} ran out of time"


def _noted(log: GameLog, made: list[str], noted: str) -> Finding:
    digits = chain.read_check_value(noted)
    at = next((at for at, head in enumerate(made) if head.startswith(digits)), -1)
    if at < 0:
        return Finding("check value", False, "The one you noted doesn't occur in this game.")
    if at == len(log.entries):
        return Finding("check value", True, "The one you noted is the last, so it covers the whole game.")
    where = (
        f"after entry {at} of {len(log.entries)}, {log.entries[at - 1]!r}" if at else "before the first move"
    )
    return Finding("check value", True, f"The one you noted is from {where}. It covers nothing after that.")
