"""Make random streams inside compiled code: BLAKE2b, as `bartizan.engine.rng.stream` does.

A table derives a new stream before every ply. Batches do the same, so their games could have been played at a
table: their records can be replayed from the seed alone. (Saarinen, Aumasson: "The BLAKE2 cryptographic
hash", RFC 7693, 2015.) Interpreted code uses the standard library's BLAKE2b.
"""

from __future__ import annotations

import hashlib
from typing import Any

from bartizan.engine.mode import COMPILED
from bartizan.engine.record import Array
from bartizan.engine.rng import stream, u64
from bartizan.engine.rule import rule

SEED_DIGITS = 16  # of the seeds of such games: two words of text
LONGEST = 96  # the longest text that a number can follow: both must fit into one block
WORDS = 32  # the working memory of `ply_stream`: 16 for the message, 16 for the hash's state


def seed_words(seed: str) -> tuple[int, int]:
    """Return a seed of `SEED_DIGITS` hexadecimal digits as two words of text, the first digit lowest."""
    text = seed.encode()
    return int.from_bytes(text[:8], "little"), int.from_bytes(text[8:], "little")


if COMPILED:
    import numpy as np

    # fmt: off
    SIGMA = np.array([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
        11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
        7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
        9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
        2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
        12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
        13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
        6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
        10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
    ], np.int64)
    # fmt: on
    IV = np.array(
        [
            *(0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1),
            *(0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179),
        ],
        np.uint64,
    )
    ROUNDS = 12
    # The parameter block: a digest of 8 bytes, no key, one leaf.
    FIRST = 0x01010008
    PLY, DEAL, DICE = (int.from_bytes(text, "little") for text in (b"/ply/", b"/deal", b"/dice/"))

    @rule
    def rotated(word: Any, by: int) -> Any:
        """Return a word rotated right by some bits."""
        return u64(u64(word >> u64(by)) | u64(word << u64(64 - by)))

    @rule
    def quarter(w: Array, a: int, b: int, c: int, d: int, x: Any, y: Any) -> None:
        """Mix two words of the message into a column or a diagonal: BLAKE2b's function G."""
        w[a] = u64(u64(w[a] + w[b]) + x)
        w[d] = rotated(u64(w[d] ^ w[a]), 32)
        w[c] = u64(w[c] + w[d])
        w[b] = rotated(u64(w[b] ^ w[c]), 24)
        w[a] = u64(u64(w[a] + w[b]) + y)
        w[d] = rotated(u64(w[d] ^ w[a]), 16)
        w[c] = u64(w[c] + w[d])
        w[b] = rotated(u64(w[b] ^ w[c]), 63)

    @rule
    def put_seed(low: Any, high: Any, what: int, length: int, w: Array) -> int:
        """Write a seed and then `length` bytes of text into the message; return its size in bytes."""
        for place in range(16, WORDS):
            w[place] = u64(0)
        w[16], w[17], w[18] = low, high, u64(what)
        return SEED_DIGITS + length

    @rule
    def put_text(text: Array, w: Array) -> int:
        """Write a text (at most LONGEST bytes, uint8) into the message; return its number of bytes."""
        for place in range(16, WORDS):
            w[place] = u64(0)
        for at in range(len(text)):
            w[16 + at // 8] = u64(w[16 + at // 8] | u64(u64(text[at]) << u64(8 * (at % 8))))
        return len(text)

    @rule
    def put_number(number: int, size: int, w: Array) -> int:
        """Write a number's digits after the `size` bytes of the message; return the new number of bytes."""
        power = 1
        while power <= number // 10:
            power *= 10
        while power > 0:
            digit = u64(48 + number // power % 10)
            w[16 + size // 8] = u64(w[16 + size // 8] | u64(digit << u64(8 * (size % 8))))
            size += 1
            power //= 10
        return size

    @rule
    def hashed(size: int, w: Array) -> Any:
        """Return the 8-byte BLAKE2b hash of the message's first `size` bytes as a word."""
        for place in range(8):
            w[place], w[8 + place] = IV[place], IV[place]
        w[0] = u64(w[0] ^ u64(FIRST))
        w[12] = u64(w[12] ^ u64(size))
        w[14] = u64(~w[14])  # the last block
        for turn in range(ROUNDS):
            at = turn % 10 * 16
            for column in range(4):
                x, y = w[16 + SIGMA[at + 2 * column]], w[16 + SIGMA[at + 2 * column + 1]]
                quarter(w, column, 4 + column, 8 + column, 12 + column, x, y)
            for column in range(4):
                x, y = w[16 + SIGMA[at + 8 + 2 * column]], w[16 + SIGMA[at + 9 + 2 * column]]
                b, c, d = 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4
                quarter(w, column, b, c, d, x, y)
        return u64(u64(u64(IV[0] ^ u64(FIRST)) ^ w[0]) ^ w[8])

    @rule
    def digits(word: Any, first: int) -> Any:
        """Return eight hexadecimal digits of a word as text, from digit number `first` on."""
        text = u64(0)
        for place in range(8):
            digit = u64(u64(word >> u64(60 - 4 * (first + place))) & u64(15))
            sign = u64(digit + u64(48 if digit < u64(10) else 87))
            text = u64(text | u64(sign << u64(8 * place)))
        return text

    @rule
    def ply_stream(low: Any, high: Any, ply: int, w: Array) -> Any:
        """Return the start of a ply's stream for the seed in these words; `w` (WORDS,) uint64 is memory."""
        return hashed(put_number(ply, put_seed(low, high, PLY, 5, w), w), w)

    @rule
    def write_deal(text: Array, deal: int, number: int, w: Array, row: Array) -> None:
        """Write the streams of a deal's game to `row` (4,) uint64: its seed in two words, two streams.

        The seed is a hash of `text` and the deal's number.
        """
        seed = hashed(put_number(deal, put_text(text, w), w), w)
        low, high = digits(seed, 0), digits(seed, 8)
        row[0], row[1] = low, high
        row[2] = hashed(put_seed(low, high, DEAL, 5, w), w)
        row[3] = hashed(put_number(number, put_seed(low, high, DICE, 6, w), w), w)

else:

    def ply_stream(low: Any, high: Any, ply: int, w: Array) -> Any:
        """Return the start of a ply's stream for the seed in these words."""
        seed = int(low).to_bytes(8, "little") + int(high).to_bytes(8, "little")
        return stream(seed.decode(), "ply", ply)

    def write_deal(text: Any, deal: int, number: int, w: Any, row: Any) -> None:
        """Write the streams of a deal's game to `row`: its seed in two words, the deal's, the dice's."""
        digest = hashlib.blake2b(bytes(text) + str(deal).encode(), digest_size=8).digest()
        seed = f"{int.from_bytes(digest, 'little'):016x}"
        row[0], row[1] = seed_words(seed)
        row[2], row[3] = stream(seed, "deal"), stream(seed, "dice", number)
