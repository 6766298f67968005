"""Write and read Card Barrage's moves; positions are in ``position.py``."""

from __future__ import annotations

import re

from bartizan.engine.cards import TECH, UNKNOWN
from bartizan.engine.errors import IllegalMove, UnknownMove
from bartizan.engine.notation import squeeze, unknown_move
from bartizan.engine.rule import interpreted
from bartizan.games.card_barrage.position import read_position, write_position
from bartizan.games.card_barrage.refusals import refusal
from bartizan.games.card_barrage.state import (
    ACTIONS,
    CASTLE,
    FIRST_PERFECT,
    KINDS,
    MISS,
    MOVED_SHIFT,
    NUM_ACTIONS,
    ON_CASTLE,
    ON_TWO,
    PAIR_HIGH,
    PAIR_LOW,
    PAIRS,
    PER_SEAT,
    PERFECT,
    PLACES,
    SEATS,
    SECOND_MASK,
    SECOND_PERFECT,
    SECOND_SHIFT,
    UNTOLD,
    WALLS,
    State,
)
from bartizan.games.card_barrage.words import spot

from bartizan.games.card_barrage import api  # isort: skip

plain = interpreted(api)

__all__ = ["MOVE_FORMS", "parse_move", "print_move", "read_position", "write_position"]

MOVE_FORMS = (
    "build 7t at 3",
    "upgrade 2 with 9t",
    "upgrade 2 with 9t leave",
    "report 6v hit 2.3",
    "report 6v miss",
    "report 6v hit 2.3 perfect",
    "report 6v hit 2.3 2.castle moved 2.1",
    "replace 3 with 2s",
    "give 2s",
    "effect 7k",
    "effect 7s exchange 2 with 9t",
    "effect 7t build 9t at 3",
    "effect 7v pick 2",
    "decline",
    "discard 4k",
    "reveal",
    "reveal hit",
    "end",
)
VERBS = ("build", "upgrade", "report", "replace", "give", "effect", "decline", "discard", "reveal", "end")

_C = r"(\d{1,2}[A-Z]|W)"
_T = r"(\d{1,2}[A-Z]|W|\?)"  # where a card that nobody tells may stand
_N = r"(\d)"
_SPOT = r"\d\.(?:\d|CASTLE)"
_PATTERNS = {
    "build": rf"BUILD{_C}AT{_N}",
    "upgrade": rf"UPGRADE{_N}WITH{_C}(LEAVE)?",
    "report": rf"REPORT{_T}(?:MISS|HIT((?:{_SPOT}(?:PERFECT)?)+))(?:MOVED((?:{_SPOT})+))?",
    "replace": rf"REPLACE{_N}WITH{_C}",
    "give": rf"GIVE{_C}",
    "exchange": rf"EFFECT{_C}EXCHANGE{_N}WITH{_C}",
    "erect": rf"EFFECT{_C}BUILD{_C}AT{_N}",
    "pick": rf"EFFECT{_C}PICK{_N}",
    "draw": rf"EFFECT{_C}",
    "decline": "DECLINE",
    "discard": rf"DISCARD{_T}",
    "turn_up": "REVEAL(HIT|MISS)",
    "reveal": "REVEAL",
    "end": "END",
}
MOST_TARGETS = 2  # of one throw (CB-37)
# The clause that speaks of the slots that there are, and the one for a card that no hand can hold.
NO_SLOT, NO_WILD = "CB-11", "CB-9"


# --- Writing -----------------------------------------------------------------


def print_move(view: State, action: int) -> str:
    """Return an action in canonical notation; raises `ValueError` for a variant that cannot be."""
    verb, field = ACTIONS.decode(action)
    variant = ACTIONS.variant(action)
    if verb == "report":
        return f"report {TECH.text(field['card'])} {_verdict_text(field['verdict'], variant)}"
    if variant:
        raise ValueError(f"{verb} has no variants")
    if verb in ("decline", "reveal", "end"):
        return verb
    if verb == "turn_up":
        return f"reveal {'hit' if field['hit'] else 'miss'}"
    card = TECH.text(field["card"]) if "card" in field else ""
    if verb in ("give", "discard"):
        return f"{verb} {card}"
    if verb == "pick":
        return f"effect {_scored(view, field)} pick {field['seat'] + 1}"
    if verb == "draw":
        return f"effect {_scored(view, field)}"
    slot = field["slot"] + 1
    if verb == "build":
        return f"build {card} at {slot}"
    if verb == "erect":
        return f"effect {_scored(view, field)} build {card} at {slot}"
    if verb == "exchange":
        return f"effect {_scored(view, field)} exchange {slot} with {card}"
    leave = " leave" if field.get("leave") else ""
    return f"{verb} {slot} with {card}{leave}"


def _scored(view: State, field: dict[str, int]) -> str:
    """Return the newly scored card that an effect names; ``?`` where there is none."""
    return TECH.text(view.scored[field["scored"]]) if field["scored"] < view.newly else "?"


def _verdict_text(verdict: int, variant: int) -> str:
    """Return what a report says behind its card."""
    words = ["miss"]
    if verdict != MISS:
        seat, did = divmod(verdict - 1, PER_SEAT)
        pair = did - ON_TWO
        if pair >= 0:
            places = [PAIR_LOW[pair], PAIR_HIGH[pair]]
        else:
            places = [CASTLE if did == ON_CASTLE else did % PERFECT]
        targets = [(seat, place) for place in places]
        second = variant >> SECOND_SHIFT & SECOND_MASK
        if second:
            targets.append(divmod(second - 1, PLACES))
        perfect = [
            PERFECT <= did < ON_CASTLE or bool(variant & FIRST_PERFECT),
            bool(variant & SECOND_PERFECT),
        ]
        words = ["hit"]
        for (each, place), covered in zip(targets, perfect, strict=False):
            words += [spot(each, place)] + ["perfect"] * covered
    moved = variant >> MOVED_SHIFT
    if moved >> SEATS * WALLS:
        raise ValueError("there are not so many walls")
    if moved:
        words.append("moved")
    words += [spot(*divmod(wall, WALLS)) for wall in range(SEATS * WALLS) if moved >> wall & 1]
    return " ".join(words)


# --- Reading -----------------------------------------------------------------


def parse_move(view: State, text: str) -> int:
    """Read a move in full notation and return its action code; it may be illegal.

    Raises `UnknownMove` for a text of no form, `UnknownCard` for a card that is none, and `IllegalMove`
    where no action could stand for the move, or where what it adds to a listed report cannot be true.
    """
    squeezed = squeeze(text)
    for verb, pattern in _PATTERNS.items():
        found = re.fullmatch(pattern, squeezed, re.IGNORECASE | re.ASCII)
        if found is not None:
            return _encode(view, verb, text, list(found.groups()))
    if squeezed.lower().startswith("throw"):
        raise UnknownMove(
            f"{text.strip()!r}: cards are thrown at the table; say what the throw did, "
            "such as 'report 6v hit 2.3' or 'report 6v miss'.",
            text,
        )
    raise unknown_move(text, MOVE_FORMS, VERBS)


def _encode(view: State, verb: str, text: str, words: list[str | None]) -> int:
    given = [word or "" for word in words]
    if verb == "report":
        return _report(view, text, given)
    if verb in ("decline", "reveal", "end"):
        return ACTIONS.encode(verb)
    if verb == "turn_up":
        return ACTIONS.encode(verb, hit=int(given[0].upper() == "HIT"))
    if verb == "discard":
        return ACTIONS.encode(verb, card=_dropped(given[0], text))
    if verb == "give":
        return ACTIONS.encode(verb, card=_card(given[0], text))
    if verb == "build":
        return ACTIONS.encode(verb, card=_card(given[0], text), slot=_slot(given[1], text))
    if verb in ("upgrade", "replace"):
        field = {"slot": _slot(given[0], text), "card": _card(given[1], text)}
        return ACTIONS.encode(verb, **field, **({"leave": int(bool(given[2]))} if verb == "upgrade" else {}))
    scored = _scored_place(view, given[0], text)
    if verb == "exchange":
        return ACTIONS.encode(verb, scored=scored, slot=_slot(given[1], text), card=_card(given[2], text))
    if verb == "erect":
        return ACTIONS.encode(verb, scored=scored, card=_card(given[1], text), slot=_slot(given[2], text))
    if verb == "pick":
        return ACTIONS.encode(verb, scored=scored, seat=_seat(given[1], text, "CB-40"))
    return ACTIONS.encode(verb, scored=scored)


def _card(word: str, text: str) -> int:
    card = TECH.parse(word)
    if card >= KINDS:
        raise IllegalMove("Wild cards are castles; nobody has one in hand.", NO_WILD, text)
    return card


def _dropped(word: str, text: str) -> int:
    """Return a card that is thrown or discarded; ``?`` is one that nobody tells."""
    return UNTOLD if word == UNKNOWN else _card(word, text)


def _slot(word: str, text: str) -> int:
    slot = int(word) - 1
    if not 0 <= slot < WALLS:
        raise IllegalMove(f"There is no slot {word}; a seat has {WALLS} at most.", NO_SLOT, text)
    return slot


def _seat(word: str, text: str, clause: str) -> int:
    seat = int(word) - 1
    if not 0 <= seat < SEATS:
        raise IllegalMove(f"There is no seat {word}; there are {SEATS} at most.", clause, text)
    return seat


def _scored_place(view: State, word: str, text: str) -> int:
    """Return the place among the newly scored cards; raises `IllegalMove` for a card that is none."""
    card = TECH.parse(word)
    for place in range(view.newly):
        if view.scored[place] == card:
            return place
    raise IllegalMove(f"The {TECH.name(card)} has not just been scored.", "CB-40", text)


def _spot(word: str, text: str) -> tuple[int, int]:
    """Return seat and place of ``2.3`` or ``2.castle``."""
    seat, _, place = word.partition(".")
    return _seat(seat, text, "CB-25"), CASTLE if place.lower() == "castle" else _slot(place, text)


def _report(view: State, text: str, words: list[str]) -> int:
    card = _dropped(words[0], text)
    found = re.findall(rf"({_SPOT})(PERFECT)?", words[1], re.IGNORECASE)
    hits = sorted((*_spot(word, text), bool(perfect)) for word, perfect in found)
    if len(hits) > MOST_TARGETS:
        raise IllegalMove(
            f"A throw scores two targets at most, not {len(hits)}: the attacker picks which.", "CB-37", text
        )
    if any(place == CASTLE and perfect for _, place, perfect in hits):
        raise IllegalMove("A castle cannot be hit perfectly; a wall can.", "CB-36", text)
    if len(hits) == 2 and hits[0][:2] == hits[1][:2]:
        raise IllegalMove("A double hit lands on two different cards.", "CB-37", text)
    verdict, variant = _verdict(hits)
    for word in re.findall(_SPOT, words[2], re.IGNORECASE):
        seat, place = _spot(word, text)
        if place == CASTLE:
            raise IllegalMove("A castle that was moved is put back; only walls stay moved.", "CB-33", text)
        variant |= 1 << MOVED_SHIFT + seat * WALLS + place
    code = ACTIONS.encode("report", card=card, verdict=verdict) + NUM_ACTIONS * variant
    refused = int(plain.why_not(view, code)) if variant else 0
    if refused:
        why = refusal(view, code, refused)
        raise IllegalMove(why.sentence, why.clause, text, why.blockers, why.rule)
    return code


def _verdict(hits: list[tuple[int, int, bool]]) -> tuple[int, int]:
    """Return the verdict and the variant for up to two hits, in order."""
    if not hits:
        return MISS, 0
    seat, place, perfect = hits[0]
    base = 1 + seat * PER_SEAT
    if len(hits) == 2 and hits[1][0] == seat:
        pair = next(n for n in range(PAIRS) if (PAIR_LOW[n], PAIR_HIGH[n]) == (place, hits[1][1]))
        return base + ON_TWO + pair, FIRST_PERFECT * perfect | SECOND_PERFECT * hits[1][2]
    verdict = base + (ON_CASTLE if place == CASTLE else place + PERFECT * perfect)
    if len(hits) == 1:
        return verdict, 0
    other, there, covered = hits[1]
    return verdict, (1 + other * PLACES + there) << SECOND_SHIFT | SECOND_PERFECT * covered
