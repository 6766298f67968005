"""Verdicts on records: fair, open (someone could have chosen the deal) or forged, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.cli.main import main
from bartizan.engine import fairness, registry
from bartizan.engine.errors import BartizanError
from bartizan.engine.fairness import Fairness, VoidRound
from bartizan.match import GameRecord, Match
from bartizan.match.verify import verdict, verify
from tests.match.finished import SECRET, SHARES, TABLE, fair_record

VOID = (VoidRound(commitment="1a" * 32, withheld=(2,)), VoidRound(commitment="2b" * 32, withheld=(1, 2)))
GIVEN_UP = (VoidRound(commitment="1a" * 32, withheld=(2,), given_up=(2,)),)
DEALT = [name for name in registry.names() if registry.get(name).chance]


@pytest.mark.parametrize("what", ["chosen", "no persons", "all left out", "no commitment"])
def test_a_deal_that_someone_could_have_chosen_is_open(what: str) -> None:
    """Each of these was once reported as true."""
    name = "alcazar" if what == "no persons" else "tower"
    record = fair_record(name, {}) if what == "no persons" else fair_record(name, silent=(1, 2))
    if what == "chosen":
        seed = record.seed or ""
        chosen = Fairness(
            protocol=1,
            table=TABLE,
            commitment=fairness.commit_secret(TABLE, SECRET, seed),
            secret=SECRET,
            chosen=True,
        )
        record = msgspec.structs.replace(record, fairness=chosen, log=None)
    if what == "no commitment":
        record = msgspec.structs.replace(record, fairness=None, log=None)
    found = verify(record)
    assert verdict(found) == "open"
    assert any(each.chooser for each in found)


def test_a_record_without_a_log_is_open_since_its_ending_is_not_bound() -> None:
    """Records of before tables chained their logs are like that, and any whose log was taken out."""
    record = fair_record("tower")
    assert verdict(verify(record)) == "fair"
    old = msgspec.structs.replace(record, log=None)
    found = verify(old)
    assert verdict(found) == "open"
    assert [each.changer for each in found if each.changer] == ["whoever passed the record on"]
    assert not any(each.chooser for each in found)
    assert verdict(verify(old, head="0" * 20)) == "forged"


def test_your_own_share_must_be_in_the_deal() -> None:
    record = fair_record("tower")
    assert verdict(verify(record, share=SHARES[1].upper())) == "fair"
    assert verdict(verify(record, share="05" * 16)) == "forged"
    assert verdict(verify(msgspec.structs.replace(record, fairness=None), share=SHARES[1])) == "forged"


def wrong(record: GameRecord, commitment: str = "") -> list[str]:
    return [each.part for each in verify(record, commitment) if not each.holds]


@pytest.mark.parametrize("name", DEALT)
def test_an_honest_record_of_every_game_with_deals_is_true(name: str) -> None:
    record = fair_record(name)
    assert GameRecord.parse(record.text()) == record
    assert wrong(record) == []
    assert wrong(record, fairness.commit_secret(TABLE, SECRET)) == []
    assert wrong(record, "0" * 64) == ["commitment"]


def test_a_share_that_is_missing_is_named() -> None:
    found = verify(fair_record("tower", silent=(2,)))
    assert verdict(found) == "open"
    assert [each.chooser for each in found if each.chooser] == ["seat 2 and the host together"]
    assert "didn't reveal it" in next(each.says for each in found if each.part == "share of seat 2")


def test_a_void_deal_is_named_and_leaves_the_record_open() -> None:
    record = fair_record("tower", void=VOID)
    assert GameRecord.parse(record.text()) == record
    found = verify(record, VOID[0].commitment)  # whoever noted the first one finds it, too
    assert "deal 1, which was void. If you saw no void deal" in found[0].says
    assert verdict(found) == "open"
    assert [each.chooser for each in found if each.chooser] == [
        "seat 2 and the host together, who could have turned deal 1 down",
        "seats 1 and 2 and the host together, who could have turned deal 2 down",
    ]


def test_a_seat_that_was_given_up_is_named_and_leaves_the_record_open() -> None:
    record = fair_record("tower", silent=(2,), void=GIVEN_UP)
    found = verify(record)
    assert verdict(found) == "open"
    assert [each.part for each in found if each.chooser] == ["deal 1", "share of seat 2"]
    assert "gave this seat up" in next(each.says for each in found if each.part == "share of seat 2")


FORGED_VOID: dict[str, tuple[dict[str, Any], str]] = {
    "all hidden": ({"void": ()}, "seed"),
    "all hidden, with another commitment": (
        {"void": (), "commitment": fairness.commit_secret(TABLE, SECRET)},
        "seed",
    ),
    "one hidden": ({"void": VOID[1:]}, "seed"),
    "one added": ({"void": (*VOID, VOID[0])}, "seed"),
    "changed about": ({"void": VOID[::-1]}, "seed"),
    "another one blamed": (
        {"void": (msgspec.structs.replace(VOID[0], withheld=(1,)), VOID[1])},
        "secret",
    ),
    "another commitment": (
        {"void": (msgspec.structs.replace(VOID[0], commitment="3c" * 32), VOID[1])},
        "seed",
    ),
    "no hash": ({"void": (msgspec.structs.replace(VOID[0], commitment="x"), VOID[1])}, "fairness"),
    "no one blamed": ({"void": (msgspec.structs.replace(VOID[0], withheld=()), VOID[1])}, "fairness"),
    "a seat that is none": ({"void": (msgspec.structs.replace(VOID[0], withheld=(3,)), VOID[1])}, "fairness"),
    "given up, with a share": (
        {"void": (msgspec.structs.replace(VOID[0], given_up=(2,)), VOID[1])},
        "fairness",
    ),
    "too many": ({"void": VOID * 26}, "fairness"),
}


@pytest.mark.parametrize("what", FORGED_VOID)
def test_a_record_that_hides_or_invents_void_deals_is_forged(what: str) -> None:
    change, part = FORGED_VOID[what]
    assert part in wrong(with_fair(**change)(fair_record("tower", void=VOID)))


def test_a_seat_that_was_given_up_is_not_hidden_either() -> None:
    record = fair_record("tower", silent=(2,), void=GIVEN_UP)
    assert "seed" in wrong(with_fair(void=(), persons=(1,), commitments={"1": "0" * 64})(record))
    assert "seed" in wrong(with_fair(void=(), left_out=(2,))(record))
    assert "fairness" in wrong(with_fair(left_out=(2,))(record))


@pytest.fixture(scope="module")
def honest() -> GameRecord:
    return fair_record("tower")


def of(fair: Fairness | None, **change: Any) -> Fairness:
    assert fair is not None
    return msgspec.structs.replace(fair, **change)


def with_fair(**change: Any) -> Callable[[GameRecord], GameRecord]:
    return lambda record: msgspec.structs.replace(record, fairness=of(record.fairness, **change))


def without_a_move(record: GameRecord) -> GameRecord:
    return msgspec.structs.replace(record, moves=("nonsense", *record.moves[1:]))


def with_another_seed(record: GameRecord) -> GameRecord:
    """A deal that somebody liked better: all of it plays, but its seed was not made by who sat there."""
    match = Match(record.game, seats=record.seats, seed="1234")
    return match.record(secret_seed=True, fairness=record.fairness, log=record.log)


def with_another_option(record: GameRecord) -> GameRecord:
    return msgspec.structs.replace(record, rules=record.rules + 1)


def test_the_result_is_told_in_words() -> None:
    """It was a code: "1 is the result of the moves"."""
    match = Match("alcazar", seed="7")
    while not match.is_over:
        match.play(match.legal()[0])
    says = {each.part: each.says for each in verify(match.record())}
    assert says["result"] == f"The moves lead to it: {match.views.headline}"


def with_another_result(record: GameRecord) -> GameRecord:
    return msgspec.structs.replace(record, result="2" if record.result != "2" else "1")


FORGED: dict[str, tuple[Callable[[GameRecord], GameRecord], str]] = {
    "secret": (with_fair(secret="cd" * 32), "secret"),
    "secret's form": (with_fair(secret="AB" * 32), "fairness"),
    "no secret": (with_fair(secret=""), "secret"),
    "commitment": (with_fair(commitment="0" * 64), "secret"),
    "table": (with_fair(table="another"), "secret"),
    "table's form": (with_fair(table="a\nb"), "fairness"),
    "share": (with_fair(shares={"1": "01" * 16, "2": "03" * 16}), "share of seat 2"),
    "shares changed about": (with_fair(shares={"1": "02" * 16, "2": "01" * 16}), "share of seat 1"),
    "a share dropped": (with_fair(shares={"1": "01" * 16}, left_out=(2,)), "seed"),
    "a share dropped in silence": (with_fair(shares={"1": "01" * 16}), "fairness"),
    "a person dropped": (with_fair(persons=(1,)), "fairness"),
    "all persons dropped": (with_fair(persons=(), commitments={}, shares={}), "seed"),
    "a share without commitment": (with_fair(commitments={}), "fairness"),
    "a seat that is none": (with_fair(persons=(1, 2, 9), left_out=(9,)), "fairness"),
    "said to be chosen": (with_fair(chosen=True), "fairness"),
    "chosen by one": (with_fair(chosen=True, persons=(), commitments={}, shares={}), "secret"),
    "protocol": (with_fair(protocol=2), "fairness"),
    "no seed": (lambda record: msgspec.structs.replace(record, seed=None), "secret"),
    "another deal": (with_another_seed, "seed"),
    "another seed's hash": (lambda r: msgspec.structs.replace(r, seed_hash="0" * 32), "seed_hash"),
    "other rules": (with_another_option, "seed"),
    "a move": (without_a_move, "moves"),
    "the result": (with_another_result, "result"),
}


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_record_is_false_where_it_was_forged(honest: GameRecord, what: str) -> None:
    forge, part = FORGED[what]
    assert part in wrong(forge(honest))


def test_a_game_that_is_not_over_is_no_forgery(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], honest: GameRecord
) -> None:
    running = msgspec.structs.replace(with_fair(secret="")(honest), seed=None)
    (tmp_path / "record.toml").write_text(running.text(), "utf-8")
    assert main(["verify", str(tmp_path / "record.toml")]) == 2
    assert "This game wasn't over yet." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flag", "sentence"),
    [
        ("--share", "A share has 32 hexadecimal digits"),
        ("--commitment", "A commitment has 64 hexadecimal digits"),
    ],
)
def test_a_value_that_is_misread_is_refused_before_a_record_is_called_forged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], honest: GameRecord, flag: str, sentence: str
) -> None:
    (tmp_path / "record.toml").write_text(honest.text(), "utf-8")
    assert main(["verify", str(tmp_path / "record.toml"), flag, "abc"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (0, "is fair. No one"),
        (1, "WRONG  secret"),
        (2, "not the record of a game"),
        (3, "is open. The deal could"),
    ],
)
def test_the_command_says_fair_open_forged_or_unreadable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], honest: GameRecord, code: int, said: str
) -> None:
    path = tmp_path / "game.txt"
    text = honest.text()
    unopened = msgspec.structs.replace(honest, fairness=None, log=None).text()
    path.write_text([text, text.replace(SECRET, "cd" * 32), "]" + text, unopened][code], "utf-8")
    assert main(["verify", str(path)]) == code
    out = capsys.readouterr()
    assert said in out.out + out.err
    assert "Traceback" not in out.out + out.err


@given(at=st.integers(0, 10_000), letter=st.characters(codec="utf-8"))
def test_a_record_with_any_letter_changed_is_read_or_refused(
    honest: GameRecord, at: int, letter: str
) -> None:
    text = honest.text()
    at %= text.index("\n1. ")  # in its head: what is played is another test's
    try:
        record = GameRecord.parse(text[:at] + letter + text[at + 1 :])
    except BartizanError:
        return
    if record != honest:
        wrong(msgspec.structs.replace(record, moves=()))


def test_the_hashes_are_what_the_browser_makes() -> None:
    """The same values stand in web/src/net/fairness.test.ts."""
    assert fairness.commit_secret("t", SECRET) == fairness.commit_secret("t", SECRET, "")
    assert fairness.commit_share("t", 2, "02" * 16)[:16] == VECTOR["share"]
    assert fairness.commit_secret("t", SECRET, "5")[:16] == VECTOR["secret"]
    before = (
        VoidRound(commitment="1a" * 32, withheld=(2, 3), given_up=(3,)),
        VoidRound(commitment="2b" * 32, given_up=(4,)),
    )
    assert fairness.commit_secret("t", SECRET, "", before)[:16] == VECTOR["secret after void rounds"]
    for void, name in (((), "seed"), (before, "seed after void rounds")):
        seed = fairness.deal_seed(
            table="t",
            game="tower",
            rules=3,
            options={"b.c": True, "a": 7, "z": 'any ü "x"'},
            seats=2,
            secret=SECRET,
            shares={2: SHARES[2], 1: SHARES[1]},
            void=void,
        )
        assert seed == VECTOR[name]


VECTOR = {
    "share": "5e74c9a15b06c9ab",
    "secret": "150175cdf07a7ac7",
    "seed": "ef253a70d61453c18fa78ef73df6608e",
    "secret after void rounds": "35d90f80e0b76617",
    "seed after void rounds": "b121c9b16573846cc6981915bbbb36f7",
}
