"""Read the moves of Card Barrage and say what forbids them (part of the second implementation)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.card_barrage.reference_board import NOTHING, Place, Position, domain_of, read_place, value_of

C = r"(?:1[0-3]|[1-9])[kstv]"
D = rf"(?:{C}|\?)"  # thrown or discarded: an untold card has no name
T = r"\d\.(?:\d|castle)"
FORMS = re.compile(
    rf"(?P<verb>build) (?P<card_1>{C}) at (?P<slot_1>\d)"
    rf"|(?P<verb_2>upgrade) (?P<slot_2>\d) with (?P<card_2>{C})(?P<leave> leave)?"
    rf"|(?P<verb_3>report) (?P<card_3>{D}) (?:miss|hit(?P<targets>(?: {T}(?: perfect)?)+))"
    r"(?: moved(?P<moved>(?: \d\.\d)+))?"
    rf"|(?P<verb_4>replace) (?P<slot_4>\d) with (?P<card_4>{C})"
    rf"|(?P<verb_5>give) (?P<card_5>{C})|(?P<verb_9>discard) (?P<card_9>{D})"
    rf"|(?P<verb_6>effect) (?P<scored>{C})(?: (?P<exchange>exchange) (?P<slot_6>\d) with (?P<card_6>{C})"
    rf"| (?P<build>build) (?P<card_7>{C}) at (?P<slot_7>\d)| (?P<pick>pick) (?P<seat>\d))?"
    r"|(?P<verb_8>decline|reveal(?: hit| miss)?|end)"
)


@dataclass(frozen=True)
class Move:
    """A move's parts; those that its form has not are empty."""

    verb: str
    card: str = ""
    slot: int = 0
    leave: bool = False
    targets: tuple[tuple[Place, bool], ...] = ()
    moved: tuple[Place, ...] = ()
    scored: str = ""
    what: str = ""
    seat: int = 0


def read_move(text: str) -> Move:
    """Read a move into its parts; ValueError for a text of no form."""
    found = FORMS.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise ValueError(f"{text!r} is no move; add the form of a new verb to FORMS")
    parts = {name: part for name, part in found.groupdict().items() if part is not None}

    def named(stem: str) -> str:
        return next((part for name, part in parts.items() if re.fullmatch(rf"{stem}(_\d)?", name)), "")

    targets = [
        (read_place(place), bool(perfect))
        for place, perfect in re.findall(rf"({T})( perfect)?", parts.get("targets", ""))
    ]
    return Move(
        verb=named("verb"),
        card=named("card"),
        slot=int(named("slot") or 0),
        leave="leave" in parts,
        targets=tuple(targets),
        moved=tuple(read_place(place) for place in parts.get("moved", "").split()),
        scored=parts.get("scored", ""),
        what=next((each for each in ("exchange", "build", "pick") if each in parts), ""),
        seat=int(parts.get("seat", 0)),
    )


def write_target(place: Place) -> str:
    seat, slot = place
    return f"{seat}.{slot or 'castle'}"


# --- what forbids a move --------------------------------------------------------------------------------

ORDER = ["CB-15"]
PENDING = {  # what a defender or the attacker has to do first
    "walls": ["CB-12", "CB-Q6"],
    "turn": [],
    "give": ["CB-38", "CB-Q20", "CB-Q21"],
    "effect": ["CB-40", "CB-Q21", "CB-Q27"],
    "discard": ["CB-40", "CB-50", "CB-Q27"],
    "replace": ["CB-42", "CB-Q20", "CB-Q21"],
    "reveal": ["CB-46", "CB-Q35"],
    "over": ["CB-5", "CB-22", "CB-23", "CB-24", "CB-Q31"],
}


REFILLED = ["CB-47", "CB-Q21", "CB-Q36"]  # in place of the simulacrum's wall any card lies


def clauses_against(now: Position, text: str) -> list[str]:
    """List the clauses that forbid a move; none: it is legal, whether it is listed or not."""
    move = read_move(text)
    if now.phase == "over":
        return [*ORDER, *PENDING["over"]]
    if move.verb == "build":
        return against_build(now, move)
    if move.verb == "upgrade":
        return against_upgrade(now, move)
    if move.verb == "report":
        return against_report(now, move)
    if move.verb == "give":
        return [*out_of_phase(now, "give", ["CB-38"]), *not_shown(now, move, ["CB-38", "CB-Q20"])]
    if move.verb == "discard":
        clauses = ["CB-40", "CB-50", "CB-Q27"]
        return [*out_of_phase(now, "discard", clauses), *not_held(now, move, clauses)]
    if move.verb == "replace":
        return against_replacing(now, move)
    if move.verb == "effect":
        return [*out_of_phase(now, "effect", ["CB-40", "CB-Q27"]), *against_effect(now, move)]
    if move.verb == "decline":
        return [] if may_pass(now) else out_of_phase(now, "effect", ["CB-40", "CB-Q27"])
    if move.verb.startswith("reveal"):
        wrong = [] if move.verb in reveals(now) else ["CB-46"]
        return out_of_phase(now, "reveal", ["CB-46"]) or wrong
    return out_of_phase(now, "turn", ["CB-22", "CB-23"])


def out_of_phase(now: Position, phase: str, clauses: list[str]) -> list[str]:
    """Say that this is not the time: the order of the turn, the move's clause, and what comes first."""
    if now.phase == phase:
        return []
    refilled = now.phase == "replace" and now.table.is_simulacrum(now.to_move)
    return [*ORDER, *clauses, *(REFILLED if refilled else PENDING[now.phase])]


def not_held(now: Position, move: Move, clauses: list[str]) -> list[str]:
    """Say that there is no such card to throw or discard."""
    return [] if move.card in now.at(now.to_move).hand else list(clauses)


def may_show(now: Position, seat: int, card: str) -> bool:
    """Say whether a seat has a card to lay or give, or may have it, where cards are untold.

    One that is asked for may come off the deck.
    """
    hand = now.at(seat).hand
    if not now.table.untold:
        return card in hand
    return bool(hand or now.phase in ("walls", "give", "replace")) and now.unseen(card)


def not_shown(now: Position, move: Move, clauses: list[str]) -> list[str]:
    """Say that there is no such card to lay or give."""
    return [] if may_show(now, now.to_move, move.card) else list(clauses)


def may_pass(now: Position) -> bool:
    """Say whether somebody is taken at their word that no card fits (CB-43)."""
    return now.phase == "replace" and now.table.untold and not now.table.is_simulacrum(now.to_move)


def reveals(now: Position) -> list[str]:
    """List what can be said of the simulacrum's card: what it does, where it is a real one (CB-46)."""
    pile = now.deck_of(2)
    real = now.table.untold and (pile.deck or pile.discard)
    return ["reveal hit", "reveal miss"] if real else ["reveal"]


def may_build_at(now: Position, seat: int) -> bool:
    """Say whether a seat has a slot that takes a wall."""
    own = now.at(seat)
    return any(slot not in own.lost for slot in own.empty())


def against_build(now: Position, move: Move) -> list[str]:
    """CB-18, CB-Q11."""
    broken = []
    if now.phase not in ("turn", "walls"):
        broken += out_of_phase(now, "turn", ["CB-18"])
    if now.phase == "turn" and (now.built or now.upgraded or now.attacked):
        broken += [*ORDER, "CB-18", "CB-Q11"]
        broken += ["CB-21"] if now.attacked else []
    broken += not_shown(now, move, ["CB-18"])
    laying = against_laying(now, now.to_move, move.slot)
    if now.phase == "walls" and now.table.untold and move.slot != (now.at(now.to_move).empty() or [0])[0]:
        laying.append("CB-12")  # real walls are told from left to right
    return broken + laying


def against_laying(now: Position, seat: int, slot: int) -> list[str]:
    """Ask whether a slot is empty and may be filled."""
    own = now.at(seat)
    if not 1 <= slot <= now.table.walls:
        return ["CB-11", "CB-18"]
    if own.wall(slot) != NOTHING:
        return ["CB-18"]
    return ["CB-18", "CB-36", "CB-44", "CB-Q23"] if slot in own.lost else []


def against_upgrade(now: Position, move: Move) -> list[str]:
    """CB-19, CB-20, CB-Q11."""
    broken = out_of_phase(now, "turn", ["CB-19"])
    if now.upgraded or now.attacked:
        broken += [*ORDER, "CB-19", "CB-Q11"]
    broken += not_shown(now, move, ["CB-19", "CB-52"])
    own = now.at(now.to_move)
    if not has_wall(now, now.to_move, move.slot):
        return [*broken, "CB-19", "CB-11"]
    if move.leave and move.slot not in own.moved:
        broken += ["CB-20", "CB-32", "CB-Q26"]
    too_low = value_of(move.card) <= value_of(own.wall(move.slot))
    if now.table.options["upgrade_must_be_higher"] and too_low:
        broken += ["CB-19", "CB-Q11"]
    return broken


def has_wall(now: Position, seat: int, slot: int) -> bool:
    return (
        1 <= seat <= now.table.seats and 1 <= slot <= now.table.walls and (now.at(seat).wall(slot) != NOTHING)
    )


def against_report(now: Position, move: Move) -> list[str]:
    """CB-21, CB-25, CB-34 to CB-38, CB-Q12, CB-Q15, CB-Q22."""
    broken = out_of_phase(now, "turn", ["CB-21"])
    if now.attacked:
        broken += [*ORDER, "CB-21", "CB-Q12"]
    if now.built:
        broken += [*ORDER, "CB-18", "CB-21"]
    broken += not_held(now, move, ["CB-21", "CB-25", "CB-Q12"])
    places = [place for place, _ in move.targets]
    if len(places) > 2 or len(set(places)) < len(places):
        broken += ["CB-37", "CB-Q22"]
    for place, perfect in move.targets:
        broken += against_target(now, place, perfect)
    if len(set(move.moved)) < len(move.moved):
        broken += ["CB-32"]
    for place in move.moved:
        if not has_wall(now, *place) or place in places:
            broken += ["CB-32", "CB-Q26"]
    return broken


def against_target(now: Position, place: Place, perfect: bool) -> list[str]:
    """Ask whether a place can be hit."""
    seat, slot = place
    base = ["CB-34", "CB-35"]
    if not 1 <= seat <= now.table.seats:
        return [*base, "CB-21", "CB-25", "CB-6"]
    if seat not in now.table.enemies(now.active):
        return [*base, "CB-21", "CB-25", "CB-28", "CB-29", "CB-38", "CB-Q15"]
    if slot == 0:
        return ["CB-36", "CB-38", "CB-Q22"] if perfect else []
    if not has_wall(now, seat, slot):
        return [*base, "CB-11", "CB-25", "CB-43"]
    return []


def against_replacing(now: Position, move: Move) -> list[str]:
    """CB-42."""
    broken = out_of_phase(now, "replace", ["CB-42"])
    refilled = now.phase == "replace" and now.table.is_simulacrum(now.to_move)
    broken += not_shown(now, move, ["CB-47"] if refilled else ["CB-42"])
    fallen = now.open.get((now.to_move, move.slot))
    if fallen is None:
        return [*broken, "CB-47" if refilled else "CB-42", "CB-43", "CB-44"]
    if now.table.is_simulacrum(now.to_move):
        return broken
    return [*broken, *(["CB-42"] if value_of(move.card) > value_of(fallen) else [])]


def against_effect(now: Position, move: Move) -> list[str]:
    """CB-40, CB-Q27: the card, its domain's verb, and what that verb asks for."""
    base = ["CB-40", "CB-Q27"]
    verbs = {"k": "", "s": "exchange", "t": "build", "v": "pick"}
    own = now.at(now.active)
    broken = [] if move.scored in now.scored else list(base)
    if verbs[domain_of(move.scored)] != move.what:
        return [*broken, *base]
    if move.what in ("exchange", "build") and not may_show(now, now.active, move.card):
        broken += base
    if move.what == "exchange" and not has_wall(now, now.active, move.slot):
        broken += [*base, "CB-19", "CB-52"]
    if move.what == "build" and (against := against_laying(now, now.active, move.slot)):
        broken += [*base, *against]
    if move.what == "pick":
        enemy = move.seat in now.table.enemies(now.active)
        if not enemy or not now.at(move.seat).hand:
            broken += [*base, "CB-54"]
    if not move.what:  # two cards are drawn
        limit = now.table.options["hand_limit"]
        pile = now.deck_of(now.active)
        if not pile.deck and not pile.discard:
            broken += [*base, "CB-17", "CB-Q10"]
        if limit and len(own.hand) >= limit:
            broken += [*base, "CB-16", "CB-Q9"]
    return broken
