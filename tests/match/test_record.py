"""Game records: their text, and every way in which one can be spoilt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bartizan.engine.errors import BadSeed, CorruptRecord, UnknownGame, UnknownOption
from bartizan.match import GameRecord, Match
from bartizan.match.progress import check_seed, hash_of_seed

WORD = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)
MOVE = st.from_regex(r"[a-z]{2,8}( [a-z0-9.]{1,8}){0,4}", fullmatch=True)
KEY = st.from_regex(r"[a-z_]+", fullmatch=True)
VALUE = st.recursive(
    st.booleans() | st.integers(-(2**31), 2**31) | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=6,
)


@given(
    record=st.builds(
        GameRecord,
        game=WORD,
        rules=st.integers(0, 99),
        seats=st.integers(1, 9),
        seed=st.none() | st.from_regex(r"[0-9a-f]{1,32}", fullmatch=True),
        seed_hash=WORD,
        options=st.dictionaries(KEY, st.booleans() | st.integers(0, 9) | WORD, max_size=4),
        position=st.none() | st.dictionaries(WORD, VALUE, max_size=4),
        moves=st.lists(MOVE, max_size=6).map(tuple),
        result=WORD,
    )
)
def test_records_read_what_they_print(record: GameRecord) -> None:
    text = record.text()
    assert GameRecord.parse(text) == record
    assert GameRecord.parse(text).text() == text


@pytest.fixture(scope="module")
def game() -> Match:
    """Return a finished game of some plies."""
    match = Match("alcazar", {"havoc": True}, seed="5")
    while not match.is_over:
        match.play(match.legal()[0])
    assert match.ply > 4
    return match


@pytest.fixture(scope="module")
def text(game: Match) -> str:
    return game.record().text()


def line_of(text: str, ply: int) -> int:
    """Return the number of the line on which a ply stands."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(f"{ply}. "))


def test_comments_blank_lines_and_spaces_are_free(game: Match, text: str) -> None:
    lines = text.splitlines()
    dressed = [f"  {line}   # why not" if line[:1].isdigit() else line for line in lines]
    loose = "# a record\n" + "\n\n# more\n".join(dressed)
    assert GameRecord.parse(loose) == game.record()
    assert GameRecord.parse(text.replace("\n", "\r\n")) == game.record()
    assert Match.of(GameRecord.parse(loose)).digest() == game.digest()


def test_a_record_of_a_loaded_position_replays() -> None:
    position = {"tower": ["7c", "~3h"], "right": ["8s", "~2c"], "hand": ["5d", "4h"]}
    match = Match("alcazar", seed="ab", position=position)
    match.play("end")
    record = match.record(secret_seed=True)
    assert record.position == position
    assert GameRecord.parse(record.text()) == record
    assert Match.of(GameRecord.parse(record.text())).digest() == match.digest()


def test_a_running_record_keeps_the_seed_secret() -> None:
    match = Match("alcazar", seed="123456789abcdef0")
    assert "123456789abcdef0" not in match.record().text()
    assert match.record().seed_hash == hash_of_seed("123456789abcdef0") == match.seed_hash
    assert "123456789abcdef0" in match.record(secret_seed=True).text()
    with pytest.raises(CorruptRecord, match="seed's hash only"):
        Match.of(match.record())


def test_a_ply_that_cannot_be_played_is_named_with_its_clause(game: Match) -> None:
    record = game.record()
    for ply in (1, 3, len(record.moves)):
        for move, reason in (("dance", "isn't a move"), ("defend right.front with 2c 2c", "ALC-")):
            moves = (*record.moves[: ply - 1], move, *record.moves[ply:])
            with pytest.raises(CorruptRecord, match=reason) as caught:
                Match.of(replace(record, moves=moves))
            assert caught.value.ply == ply
            assert str(caught.value).startswith(f"Ply {ply}, '{move}': ")
    assert Match.of(record, 2).ply == 2  # what comes later does not matter
    with pytest.raises(CorruptRecord, match="The game is over"):
        Match.of(replace(record, moves=(*record.moves, "end")))


def test_wrong_ply_numbers_are_named(text: str) -> None:
    for wrong in ("2", "4", "0", "33"):
        spoilt = text.replace("\n3. ", f"\n{wrong}. ")
        with pytest.raises(CorruptRecord) as caught:
            GameRecord.parse(spoilt)
        assert str(caught.value) == f"Line {line_of(text, 3)}: ply {wrong} where 3 is due."
        assert caught.value.ply == 3
    with pytest.raises(CorruptRecord, match=f"Line {line_of(text, 3)}: ply 4 where 3 is due"):
        GameRecord.parse("\n".join(line for line in text.splitlines() if not line.startswith("3. ")))


def test_a_line_that_is_no_move_is_named(text: str) -> None:
    number = line_of(text, 2)
    lines = text.splitlines()
    for junk in ("end", "x = 1", "-1. end", "[options]"):
        spoilt = "\n".join([*lines[:number], junk, *lines[number:]])
        with pytest.raises(CorruptRecord) as caught:
            GameRecord.parse(spoilt)
        assert str(caught.value) == f"Line {number + 1}: {junk!r} isn't a numbered move."


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ("", "'game' is missing"),
        ("rules = 1", "'game' is missing"),
        (
            'game = "alcazar"\ncolour = 3',
            "head has an unknown key 'colour'; it has game, rules,",
        ),
        ('game = "alcazar"\nmoves = ["end"]', "unknown key 'moves'"),
        ('game = "alcazar', "This is not the record of a game, or its first lines are damaged"),
        (
            'game = "alcazar"\nseats = "one"',
            "The record's head is not right: seats is a text; it must be a whole number.",
        ),
        ('game = "alcazar"\nseed = 5', "The record's head is not right"),
        ('game = "alcazar"\noptions = 5', "The record's head is not right"),
        ("\x00", "This is not the record of a game, or its first lines are damaged."),
        ("hello", "This is not the record of a game, or its first lines are damaged."),
    ],
)
def test_a_head_that_is_not_right_is_explained(head: str, sentence: str) -> None:
    with pytest.raises(CorruptRecord) as caught:
        GameRecord.parse(head + "\n1. end\n")
    assert sentence in str(caught.value)


def test_other_rules_games_and_options_are_named(game: Match) -> None:
    good = game.record()
    with pytest.raises(CorruptRecord, match=r"version 99 of the rules of alcazar; these are version \d+"):
        Match.of(replace(good, rules=99))
    with pytest.raises(UnknownGame, match="Did you mean 'alcazar'"):
        Match.of(replace(good, game="alcazor"))
    with pytest.raises(UnknownOption, match="Did you mean 'havoc'"):
        Match.of(replace(good, options={"havok": True}))
    with pytest.raises(BadSeed):
        Match.of(replace(good, seed="no"))


def test_seeds_have_one_form() -> None:
    assert check_seed(" 0xABC ") == "abc"
    assert check_seed("f" * 32) == "f" * 32
    for wrong in ("", "g", "f" * 33, "0x", "-1", "1.5", "a b"):
        with pytest.raises(BadSeed) as caught:
            check_seed(wrong)
        assert str(caught.value).startswith(f"{wrong!r} isn't a seed: a seed is 1 to 32 hexadecimal digits")
    one, two = Match("alcazar", seed="AB"), Match("alcazar", seed="ab")
    assert one.digest() == two.digest()
    assert Match("alcazar", seed="ac").digest() != one.digest()
    assert Match("alcazar").seed != Match("alcazar").seed
    assert len(Match("alcazar").seed) == 32
