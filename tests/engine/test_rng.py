"""The random stream: known values, fair bounded draws, the same numbers in both modes."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from bartizan.engine import rng
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import U64, Array, Pile, Record, field, pile
from bartizan.engine.rng import below, next_word, shuffle, stream
from bartizan.engine.rule import entry, interpreted

plain: Any = interpreted(rng)


class Dice(Record):
    rng: int = field(U64)
    deck: Pile = pile(8)


@entry
def fill_words(states: Any, out: Array) -> None:
    for index in range(len(out)):
        out[index] = next_word(states[0])


@entry
def fill_below(states: Any, n: int, out: Array) -> None:
    for index in range(len(out)):
        out[index] = below(states[0], n)


@entry
def shuffle_deck(states: Any) -> None:
    shuffle(states[0], states[0].deck)


def dice(seed: int) -> Any:
    record = Dice()
    record.rng = seed
    return record.to_array() if COMPILED else [record]


def plain_dice(seed: int) -> Dice:
    record = Dice()
    record.rng = seed
    return record


def drawn(seed: int, n: int, count: int) -> list[int]:
    out = np.zeros(count, np.int64)
    fill_below(dice(seed), n, out)
    return [int(number) for number in out]


# The first outputs of Vigna's splitmix64.c, as its ports are checked by.
KNOWN = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B),
    1234567: (
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ),
}


@pytest.mark.parametrize("seed", KNOWN)
def test_words_are_those_of_splitmix64(seed: int) -> None:
    out = np.zeros(5, np.uint64)
    fill_words(dice(seed), out)
    assert tuple(int(word) for word in out) == KNOWN[seed]
    record = plain_dice(seed)
    assert tuple(plain.next_word(record) for _ in range(5)) == KNOWN[seed]


def test_the_stream_wraps_at_64_bits() -> None:
    record = plain_dice(2**64 - 1)
    states = dice(2**64 - 1)
    out = np.zeros(50, np.uint64)
    fill_words(states, out)
    assert [int(word) for word in out] == [plain.next_word(record) for _ in range(50)]
    left = int(states["rng"][0]) if COMPILED else states[0].rng
    assert left == record.rng < 2**64


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 54, 1000, 2**16 + 1, 3 * 2**29, 2**31 - 1])
def test_bounded_draws_are_in_range_and_the_same_interpreted(n: int) -> None:
    numbers = drawn(n, n, 3_000)
    assert min(numbers) >= 0
    assert max(numbers) < n
    record = plain_dice(n)
    assert numbers == [plain.below(record, n) for _ in range(3_000)]


# Critical values of chi-square at 0.1%, by degrees of freedom (any table of it).
CHI_SQUARE = {1: 10.83, 2: 13.82, 5: 20.52, 6: 22.46, 23: 49.73, 51: 87.97}


def chi_square(counts: Counter[Any], classes: int) -> float:
    expected = sum(counts.values()) / classes
    return sum((counts[each] - expected) ** 2 / expected for each in counts) + expected * (
        classes - len(counts)
    )


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52])
def test_bounded_draws_are_fair(n: int) -> None:
    assert chi_square(Counter(drawn(99, n, 100_000)), n) < CHI_SQUARE[n - 1]


def test_a_bound_that_does_not_divide_is_fair_too() -> None:
    """Scaling 32 bits to three eighths of them without rejecting gives residues 3 : 3 : 2."""
    numbers = drawn(7, 3 * 2**29, 60_000)
    assert chi_square(Counter(number % 3 for number in numbers), 3) < CHI_SQUARE[2]


def test_all_orders_are_equally_likely() -> None:
    states = dice(5)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        deck = states[0]["deck"] if COMPILED else states[0].deck
        for index in range(4):
            if COMPILED:
                deck["cards"][index] = index
            else:
                deck.cards[index] = index
        if COMPILED:
            deck["count"] = 4
        else:
            deck.count = 4
        shuffle_deck(states)
        counts[tuple(Dice.from_array(states).deck.listed() if COMPILED else states[0].deck.listed())] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < CHI_SQUARE[23]


def test_shuffling_is_the_same_interpreted_and_leaves_short_piles() -> None:
    for count in range(9):
        record = plain_dice(count)
        record.deck.count = count
        for index in range(count):
            record.deck.cards[index] = index
        states: Any = record.to_array() if COMPILED else [record.copy()]
        shuffle_deck(states)
        plain.shuffle(record, record.deck)
        left = states.tobytes() if COMPILED else states[0].to_array().tobytes()
        assert left == record.to_array().tobytes()
        assert sorted(record.deck.listed()) == list(range(count))


def test_streams_belong_to_seed_and_purpose_alone() -> None:
    assert stream("ab", "ply", 1) == stream("ab", "ply", 1)
    purposes = [(seed, purpose, ply) for seed in "ab" for purpose in ("ply", "deal") for ply in (1, 2)]
    streams = {stream(*each) for each in purposes}
    assert len(streams) == 8
    assert all(0 <= each < 2**64 for each in streams)
    assert stream("1f", "deal") == 0xCCEB56386FBF3E2  # old records need it to stay so
