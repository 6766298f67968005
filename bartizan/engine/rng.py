"""Draw random numbers inside rules: splitmix64, the same on every machine.

The stream is the field ``rng`` of the state.  Every operand is wrapped in
`u64`: mixing signed and unsigned 64-bit integers gives floats in Numba.
(Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014;
bounded draws after Lemire: "Fast random integer generation in an interval", 2019.)
"""

from __future__ import annotations

import hashlib
from typing import Any

from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Pile
from bartizan.engine.rule import rule

if COMPILED:
    import numpy as np

    u64: Any = np.uint64
    i64: Any = np.int64
else:

    def u64(value: int) -> int:
        """Wrap to 64 bits, as the compiled code does by itself."""
        return int(value) & 0xFFFF_FFFF_FFFF_FFFF

    i64 = int


@rule
def next_word(s: Any) -> int:
    """Advance the stream of `s` and return 64 random bits."""
    s.rng = u64(u64(s.rng) + u64(0x9E3779B97F4A7C15))
    z = u64(s.rng)
    z = u64(u64(z ^ u64(z >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    z = u64(u64(z ^ u64(z >> u64(27))) * u64(0x94D049BB133111EB))
    return u64(z ^ u64(z >> u64(31)))


@rule
def below(s: Any, n: int) -> int:
    """Return a random number from 0 to `n` - 1, all equally likely (1 <= n < 2**31)."""
    bound = u64(n)
    product = u64(u64(next_word(s) >> u64(32)) * bound)
    low = u64(product & u64(0xFFFFFFFF))
    if low < bound:
        rejected = u64(u64(u64(0x100000000) - bound) % bound)
        while low < rejected:
            product = u64(u64(next_word(s) >> u64(32)) * bound)
            low = u64(product & u64(0xFFFFFFFF))
    return i64(u64(product >> u64(32)))


@rule
def shuffle(s: Any, p: Pile) -> None:
    """Shuffle the cards of pile `p`, all orders equally likely."""
    for last in range(p.count - 1, 0, -1):
        other = below(s, last + 1)
        card = p.cards[last]
        p.cards[last] = p.cards[other]
        p.cards[other] = card


def stream(seed: str, *parts: object) -> int:
    """Return the start of a random stream derived from `seed` and `parts` alone (64 bits).

    A table derives its stream from the secret seed before every ply, so a state in memory never reveals
    future random numbers.
    """
    text = "/".join([seed, *map(str, parts)])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
