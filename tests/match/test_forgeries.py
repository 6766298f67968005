"""Forged records of finished games, and the changes that no record shows by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bartizan.cli.main import main
from bartizan.engine import chain
from bartizan.engine.errors import BadCheckValue
from bartizan.engine.fairness import Fairness
from bartizan.engine.settlement import Settlement
from bartizan.match import GameRecord, Match
from bartizan.match.verify import verdict, verify
from tests.match.finished import SHARES, fair_record, logged

Forge = Callable[[GameRecord], GameRecord]
replace = msgspec.structs.replace
PLIES = 24


@pytest.fixture(scope="module")
def honest() -> GameRecord:
    """A game in which a move was undone and played again, that ends when seat 2 resigns."""
    return told(Settlement(reason="resignation", loser=2), "resign 2")


@pytest.fixture(scope="module")
def agreed() -> GameRecord:
    """The same game, ended by agreement."""
    return told(Settlement(reason="agreement"), "offer 1", "agree 2")


@pytest.fixture(scope="module")
def flagged() -> GameRecord:
    """The same game, ended by the clock."""
    return told(Settlement(reason="time", loser=1), "flag 1")


def told(settled: Settlement, *ends: str) -> GameRecord:
    dealt = fair_record("tower")
    assert dealt.log is not None
    match = Match.of(replace(dealt, moves=dealt.moves[:PLIES], settled=None))
    record = match.record(secret_seed=True, settlement=settled, fairness=dealt.fairness)
    moves = dealt.log.entries[:PLIES]
    back = [f"{PLIES - 1} ask 1 takeback", f"{PLIES - 2} grant 2", f"{PLIES - 1} redo 1"]
    entries = [*moves[: PLIES - 1], *back, moves[-1], *(f"{PLIES} {end}" for end in ends)]
    return logged(record, entries)


def moves(change: Callable[[list[str]], Sequence[str]]) -> Forge:
    return lambda record: replace(record, moves=tuple(change(list(record.moves))))


def entries(change: Callable[[list[str]], Sequence[str]]) -> Forge:
    return lambda record: log(entries=tuple(change(list(_log(record).entries))))(record)


def log(**change: Any) -> Forge:
    return lambda record: replace(record, log=replace(_log(record), **change))


def fair(**change: Any) -> Forge:
    def forge(record: GameRecord) -> GameRecord:
        assert record.fairness is not None
        return replace(record, fairness=replace(record.fairness, **change))

    return forge


def record(**change: Any) -> Forge:
    return lambda each: replace(each, **change)


def both(*forges: Forge) -> Forge:
    def forge(each: GameRecord) -> GameRecord:
        for one in forges:
            each = one(each)
        return each

    return forge


def won_by(winner: int, reason: str) -> Forge:
    loser = 3 - winner if winner else 0
    settled = msgspec.convert({"reason": reason, "loser": loser}, Settlement)
    returns = settled.outcome(2).returns
    return record(settled=settled, returns=returns, scores=returns)


def _log(each: GameRecord) -> chain.GameLog:
    assert each.log is not None
    return each.log


def without(at: int) -> Callable[[list[str]], list[str]]:
    return lambda items: [item for number, item in enumerate(items) if number != at % len(items)]


def swapped(at: int) -> Callable[[list[str]], list[str]]:
    return lambda items: [*items[:at], items[at + 1], items[at], *items[at + 2 :]]


def with_at(at: int, item: str) -> Callable[[list[str]], list[str]]:
    def change(items: list[str]) -> list[str]:
        items[at] = item
        return items

    return change


def another_game(each: GameRecord) -> GameRecord:
    other = fair_record("tower", {1: "05" * 16, 2: SHARES[2]})
    return replace(each, log=other.log)


def of_another_deal(each: GameRecord) -> GameRecord:
    other = fair_record("tower", {1: "05" * 16, 2: SHARES[2]})
    return replace(other, log=each.log, moves=each.moves, settled=each.settled)


def other_options(each: GameRecord) -> GameRecord:
    key = next(key for key, value in each.options.items() if isinstance(value, int))
    return replace(each, options={**each.options, key: int(each.options[key]) + 1})  # type: ignore[arg-type]


FORGED: dict[str, Forge] = {
    # Moves and their number.
    "the last move cut off": moves(lambda items: items[:-1]),
    "the last eight moves cut off": moves(lambda items: items[:-8]),
    "all moves cut off": moves(lambda items: []),
    "the last move cut off, also in the log": both(
        moves(lambda items: items[:-1]), entries(lambda items: [*items[:-2], f"{PLIES - 1} resign 2"])
    ),
    "a move in the middle cut out": moves(without(9)),
    "two moves swapped": moves(swapped(4)),
    "a move changed": moves(with_at(-1, "end")),
    "a move changed, also in the log": both(moves(with_at(0, "end")), entries(with_at(0, "1 move 1 end"))),
    "a move added": moves(lambda items: [*items, "end"]),
    # How it ended.
    "the other one resigned": won_by(2, "resignation"),
    "the other one resigned, also in the log": both(
        won_by(2, "resignation"), entries(with_at(-1, f"{PLIES} resign 1"))
    ),
    "no one resigned": record(settled=None, returns=(), scores=()),
    "no one resigned, also in the log": both(
        record(settled=None, returns=(), scores=()), entries(lambda items: items[:-1])
    ),
    "a resignation became a loss on time": won_by(1, "time"),
    "a resignation became a loss on time, also in the log": both(
        won_by(1, "time"), entries(with_at(-1, f"{PLIES} flag 2"))
    ),
    "a resignation became an agreement": won_by(0, "agreement"),
    "a resignation became an agreement, also in the log": both(
        won_by(0, "agreement"), entries(with_at(-1, f"{PLIES} agree 2"))
    ),
    "another result": record(result="2"),
    "other returns": record(returns=(-1.0, 1.0)),
    # Take-backs, offers.
    "a take-back hidden": entries(lambda items: [item for item in items if " grant " not in item]),
    "a take-back and its redo hidden": entries(
        lambda items: [item for item in items if item.split()[1] not in ("ask", "grant", "redo")]
    ),
    "an undo invented": entries(lambda items: [*items[:3], "2 undo 1", "3 redo 1", *items[3:]]),
    "an offer invented": entries(lambda items: [*items[:3], "3 offer 1", *items[3:]]),
    "a hint hidden behind another name": entries(with_at(-4, f"{PLIES - 1} hint 1")),
    # How it began.
    "other options": other_options,
    "other rules": lambda each: replace(each, rules=each.rules + 1),
    "more seats": record(seats=3),
    "a program instead of a person": log(players=("person", "hard")),
    "a person fewer": fair(persons=(1,), commitments={}, shares={}),
    "another share": fair(shares={"1": SHARES[1], "2": "03" * 16}),
    "another commitment of a share": fair(commitments={"1": "0" * 64, "2": "0" * 64}),
    "another secret": fair(secret="cd" * 32),
    "another commitment": fair(commitment="0" * 64),
    "another seed": record(seed="1234"),
    "another table": both(fair(table="another"), log(table="another")),
    "another table in the log": log(table="another"),
    "no fair deal": record(fairness=None),
    "a position": record(position={"x": 1}),
    # The log itself.
    "another head": log(head="0" * 64),
    "no head": log(head=""),
    "a head cut short": lambda each: log(head=_log(each).head[:20])(each),
    "an entry changed": entries(with_at(5, "6 move 1 end")),
    "the seat of an entry changed": entries(with_at(-1, f"{PLIES} resign 1")),
    "an entry cut out": entries(without(7)),
    "an entry twice": entries(lambda items: [*items[:-1], items[-2], items[-1]]),
    "the last entry cut off": entries(lambda items: items[:-1]),
    "the first half cut off": entries(lambda items: items[PLIES // 2 :]),
    "no entries": log(entries=()),
    "entries swapped": entries(swapped(2)),
    "an entry after the end": entries(lambda items: [*items, f"{PLIES} offer 1"]),
    "an entry that is none": entries(with_at(0, "nonsense")),
    "an entry of a seat that is none": entries(with_at(0, "1 move 9 end")),
    "an entry of two lines": entries(with_at(0, "1 move 1 end\n2 move 2 end")),
    "another protocol": log(protocol=2),
    "the log of another game": another_game,
    "the log under another deal": of_another_deal,
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_record_is_found_out(honest: GameRecord, what: str) -> None:
    forged = FORGED[what](honest)
    assert forged != honest
    assert verdict(verify(honest)) == "fair"
    assert verdict(verify(forged)) == "forged"
    assert GameRecord.parse(forged.text()) == forged  # it isn't found out merely because it can't be read


@pytest.mark.parametrize("reason", ["resignation", "time"])
def test_an_agreement_did_not_become_a_win(agreed: GameRecord, reason: str) -> None:
    assert verdict(verify(agreed)) == "fair"
    assert verdict(verify(won_by(1, reason)(agreed))) == "forged"
    also = entries(lambda items: [*items[:-2], f"{PLIES} {'flag' if reason == 'time' else 'resign'} 2"])
    assert verdict(verify(also(won_by(1, reason)(agreed)))) == "forged"


@pytest.mark.parametrize("change", [(2, "time"), (1, "time"), (2, "resignation"), (0, "agreement")])
def test_a_loss_on_time_did_not_become_something_else(flagged: GameRecord, change: tuple[int, str]) -> None:
    forged = won_by(*change)(flagged)
    assert verdict(verify(flagged)) == "fair"
    assert verdict(verify(forged)) == ("fair" if forged == flagged else "forged")


OPEN: dict[str, Forge] = {
    "the log taken out": record(log=None),
    "the log taken out, and moves cut off": both(record(log=None), moves(lambda items: items[:-5])),
    "the log taken out, and the other one resigned": both(record(log=None), won_by(2, "resignation")),
    "log and fair deal taken out": record(log=None, fairness=None),
}


@pytest.mark.parametrize("what", OPEN)
def test_what_takes_the_log_out_is_open(honest: GameRecord, what: str) -> None:
    """It can't be told from a record of before tables chained their logs, so no one should trust it."""
    found = verify(OPEN[what](honest))
    assert verdict(found) == "open"
    assert "whoever passed the record on" in {each.changer for each in found}


RECOMPUTED: dict[str, Callable[[GameRecord], GameRecord]] = {
    "the other one resigned": lambda each: logged(
        won_by(2, "resignation")(each), [*_log(each).entries[:-1], f"{PLIES} resign 1"]
    ),
    "moves cut off": lambda each: logged(
        moves(lambda items: items[:-4])(each), [*_log(each).entries[: PLIES - 4], f"{PLIES - 4} resign 2"]
    ),
    "a take-back hidden": lambda each: logged(
        each, [entry for entry in _log(each).entries if entry.split()[1] not in ("ask", "grant", "redo")]
    ),
}


@pytest.mark.parametrize("what", RECOMPUTED)
def test_a_forger_who_computes_all_hashes_again_is_only_found_out_by_a_check_value(
    honest: GameRecord, what: str
) -> None:
    forged = RECOMPUTED[what](honest)
    seen = chain.check_value(_log(honest).head)
    assert verdict(verify(forged)) == "fair"
    assert verdict(verify(forged, head=seen)) == "forged"
    assert verdict(verify(honest, head=seen.upper())) == "fair"


def test_a_check_value_of_before_the_end_says_how_much_it_covers(honest: GameRecord) -> None:
    noted = _log(logged(honest, _log(honest).entries[:10])).head
    said = {each.part: each.says for each in verify(honest, head=noted)}
    assert "after entry 10 of 28" in said["check value"]
    for few in ("3f2a", "x" * 20, ""):
        if few:
            with pytest.raises(BadCheckValue, match="20 hexadecimal digits"):
                verify(honest, head=few)


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_command_takes_a_check_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], honest: GameRecord, code: int
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(honest.text(), "utf-8")
    noted = [chain.check_value(_log(honest).head), "0" * 20, "0" * 5][code]
    assert main(["verify", str(path), "--head", noted]) == code
    out = capsys.readouterr()
    said = ["covers the whole game", "doesn't occur", "20 hexadecimal digits"][code]
    assert said in out.out + out.err


def test_a_long_log_of_hostile_entries_is_refused_in_a_sentence(honest: GameRecord) -> None:
    for entry in ("", " ", "1", "1 move", "-1 move 1 a", "1 move 1 ", "99999999999 move 1 a", "1 MOVE 1 a"):
        forged = entries(lambda items, entry=entry: [entry, *items])(honest)  # type: ignore[misc]
        assert "log" in [each.part for each in verify(forged) if not each.holds]


def test_the_hashes_are_the_same_in_the_browser() -> None:
    """The same values stand in web/src/net/chain.test.ts."""
    begins = chain.first_head(
        table="t",
        game="tower",
        rules=3,
        options={"b.c": True, "a": 7, "z": 'any ü "x"'},
        players=("person", "hard"),
        commitment="1a" * 32,
        fairness=Fairness(
            protocol=1,
            table="t",
            commitment="1a" * 32,
            persons=(1, 2),
            commitments={"1": "2b" * 32},
            shares={"1": "01" * 16},
        ),
    )
    told = chain.GameLog(
        protocol=1,
        table="t",
        players=("person", "hard"),
        head="",
        entries=("1 move 1 attack 2 with 9l", "1 resign 2"),
    )
    assert [chain.check_value(head) for head in chain.heads(told, begins, "ab" * 32)] == [
        "5478 e97b c897 0fbb 9aa5",
        "9a92 8840 f073 ad92 d9c4",
        "e0a6 7ac1 1dd4 6505 55bd",
    ]
