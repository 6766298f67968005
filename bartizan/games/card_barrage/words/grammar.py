"""Write and read the parts of Card Barrage's moves: cards, slots, seats and the result of a throw."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bartizan.engine.cards import UNKNOWN
from bartizan.engine.errors import IllegalMove, UnknownMove
from bartizan.engine.notation.grammar import Word
from bartizan.engine.notation.text import squeeze
from bartizan.games.card_barrage import verdicts
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.state import (
    CASTLE,
    FIRST_PERFECT,
    KINDS,
    MISS,
    MOVED_SHIFT,
    PLACES,
    SEATS,
    SECOND_PERFECT,
    SECOND_SHIFT,
    UNTOLD,
    VERDICTS,
    WALLS,
    State,
)
from bartizan.games.card_barrage.words.names import spot

NAMED = r"\d{1,2}[A-Z]|W"
SPOT = r"\d\.(?:\d|CASTLE)"
MOST_TARGETS = 2  # of one throw (CB-37)

Hit = tuple[int, int, bool]  # seat, place, and whether it was covered perfectly


# --- Cards, slots, seats --------------------------------------------------------


def _write_card(state: State, card: int) -> str:
    return TECH.text(card)


def _read_card(state: State, text: str) -> int:
    card = TECH.parse(text)
    if card >= KINDS:
        raise IllegalMove("Wild cards are castles, so you can't hold one.", "CB-9")
    return card


def _read_dropped(state: State, text: str) -> int:
    return UNTOLD if text == UNKNOWN else _read_card(state, text)


def _read_slot(state: State, text: str) -> int:
    slot = int(text) - 1
    if not 0 <= slot < WALLS:
        raise IllegalMove(f"There is no slot {text}. A seat has at most {WALLS}.", "CB-11")
    return slot


def _read_seat(text: str, clause: str) -> int:
    seat = int(text) - 1
    if not 0 <= seat < SEATS:
        raise IllegalMove(f"There is no seat {text}. There are at most {SEATS}.", clause)
    return seat


def _write_scored(state: State, place: int) -> str:
    return TECH.text(state.scored[place]) if place < state.newly else UNKNOWN


def _read_scored(state: State, text: str) -> int:
    card = TECH.parse(text)
    for place in range(state.newly):
        if state.scored[place] == card:
            return place
    raise IllegalMove(f"You didn't just score the {TECH.name(card)}.", "CB-40")


CARD = Word(NAMED, _write_card, _read_card)
DROPPED = Word(rf"{NAMED}|\?", _write_card, _read_dropped)  # thrown or discarded; ``?`` is an unnamed card
SLOT = Word(r"\d", lambda state, slot: str(slot + 1), _read_slot)
PICKED = Word(r"\d", lambda state, seat: str(seat + 1), lambda state, text: _read_seat(text, "CB-40"))
SCORED = Word(NAMED, _write_scored, _read_scored)  # by its place among the cards newly scored


# --- What a throw did -----------------------------------------------------------
#
# Its number combines the verdict with what the report's variant says about the two targets.


def _write_hits(state: State, number: int) -> str:
    variant, verdict = divmod(number, VERDICTS)
    words = ["miss" if verdict == MISS else "hit"]
    for nth in range(verdicts.count_targets(verdict, variant)):
        words.append(spot(*divmod(verdicts.nth_target(verdict, variant, nth), PLACES)))
        if verdicts.nth_is_perfect(verdict, variant, nth):
            words.append("perfect")
    return " ".join(words)


def _read_hits(state: State, text: str) -> int:
    spots = re.findall(rf"({SPOT})(PERFECT)?", text, re.IGNORECASE)
    hits = sorted((*_read_spot(state, word), bool(perfect)) for word, perfect in spots)
    if len(hits) > MOST_TARGETS:
        sentence = f"A throw scores at most two targets, not {len(hits)}. Pick two."
        raise IllegalMove(sentence, "CB-37")
    if any(place == CASTLE and perfect for _, place, perfect in hits):
        raise IllegalMove("You can't hit a castle perfectly, only a wall.", "CB-36")
    if len(hits) == 2 and hits[0][:2] == hits[1][:2]:
        raise IllegalMove("A double hit needs two different cards.", "CB-37")
    verdict, variant = _verdict(hits)
    return verdict + VERDICTS * variant


def _read_spot(state: State, word: str) -> tuple[int, int]:
    """Return seat and place of ``2.3`` or ``2.castle``."""
    seat, _, place = word.partition(".")
    return _read_seat(seat, "CB-25"), CASTLE if place.lower() == "castle" else _read_slot(state, place)


def _verdict(hits: list[Hit]) -> tuple[int, int]:
    """Return the verdict and the variant for up to two hits, in order."""
    if not hits:
        return MISS, 0
    seat, place, perfect = hits[0]
    target = seat * PLACES + place
    if len(hits) == 1:
        return verdicts.verdict_on(target, perfect), 0
    other, there, covered = hits[1]
    if other == seat:
        both = FIRST_PERFECT * perfect | SECOND_PERFECT * covered
        return verdicts.verdict_on_two(target, there), both
    second = 1 + other * PLACES + there
    return verdicts.verdict_on(target, perfect), second << SECOND_SHIFT | SECOND_PERFECT * covered


HITS = Word(rf"MISS|HIT(?:{SPOT}(?:PERFECT)?)+", _write_hits, _read_hits)


# --- Moved walls: one bit each --------------------------------------------------


def _write_moved(state: State, walls: int) -> str:
    if walls >> SEATS * WALLS:
        raise ValueError("there aren't that many walls")
    return " ".join(spot(*divmod(wall, WALLS)) for wall in range(SEATS * WALLS) if walls >> wall & 1)


def _read_moved(state: State, text: str) -> int:
    walls = 0
    for word in re.findall(SPOT, text, re.IGNORECASE):
        seat, place = _read_spot(state, word)
        if place == CASTLE:
            raise IllegalMove("Put a moved castle back. Only walls stay where they were pushed.", "CB-33")
        walls |= 1 << seat * WALLS + place
    return walls


MOVED = Word(rf"(?:{SPOT})+", _write_moved, _read_moved)


def hits_and_moved(verdict: int, variant: int) -> tuple[int, int]:
    """Return the numbers of `HITS` and `MOVED` for a report."""
    return verdict + VERDICTS * (variant % (1 << MOVED_SHIFT)), verdicts.moved_walls(variant)


def verdict_and_variant(hits: int, moved: int) -> tuple[int, int]:
    """Return the verdict and the variant of a report for these numbers."""
    variant, verdict = divmod(hits, VERDICTS)
    return verdict, variant | moved << MOVED_SHIFT


def misread(state: State, text: str, beginnings: Sequence[str]) -> None:
    """Raise `UnknownMove` for a throw, which must be reported by its result."""
    if squeeze(text).lower().startswith("throw"):
        raise UnknownMove(
            f"{text.strip()!r}: cards are thrown at a real table. Report what the throw did, such as "
            "'report 6v hit 2.3' or 'report 6v miss'. To throw on screen, use the option throws = thrown.",
            text,
        )
