"""Which moves of Tower are legal (part of the second implementation).

`legal_moves` builds the list from the cards, `clauses_against` asks of one text what forbids it; a test
holds the two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.tower.reference_table import (
    BEATS,
    GONE,
    JOKER,
    LEVELS,
    PART_ONE,
    SUITS,
    Attack,
    Position,
    attack_rank,
    complete,
    deck_of,
    defence_rank,
    suit_of,
)

Options = Mapping[str, Any]
HAND_CARD = r"(?P<card>[2-9TJQKA][rpswl]|\*)"
IN_FLIGHT = r"(?P<flying>[2-9TJQKA][rpswl]|\*[rpswl])"
LEVEL = f"(?P<level>{'|'.join(LEVELS)})"
FORMS = {
    "exchange": f"exchange {HAND_CARD}",
    "discard": f"discard {HAND_CARD}",
    "attack": f"attack (?P<seat>[1-6]) with {HAND_CARD}(?: as (?P<suit>[rpswl]))?",
    "deflect": f"deflect {IN_FLIGHT} from (?P<seat>[1-6])(?: at (?P<at>[1-6]))? with {HAND_CARD}",
    "repair": f"repair {LEVEL} with {HAND_CARD}",
    "rebuild": f"rebuild {LEVEL} with {HAND_CARD}",
    "hit": f"hit {LEVEL}(?: of (?P<at>[1-6]))? with {IN_FLIGHT}",
    **{word: word for word in ("draw", "take", "lay", "stop", "pass")},
}


@dataclass(frozen=True)
class Move:
    """A move in parts; what a form does not have is empty or 0."""

    kind: str
    card: str = ""
    flying: str = ""
    level: str = ""
    seat: int = 0
    at: int = 0
    suit: str = ""


def read_move(text: str) -> Move:
    """Read a move in full notation; ValueError for a text of no form."""
    words = " ".join(text.split())
    kind = words.split(" ")[0]
    found = re.fullmatch(FORMS[kind], words) if kind in FORMS else None
    if found is None:
        raise ValueError(f"{text!r} is no move of Tower; add the form of a new verb to FORMS")
    part = {key: value or "" for key, value in found.groupdict().items()}
    if kind == "attack" and (part["card"] == JOKER) != bool(part["suit"]):
        raise ValueError(f"{text!r} is no move of Tower: a Joker, and only a Joker, is given a suit")
    return Move(
        kind,
        part.get("card", ""),
        part.get("flying", ""),
        part.get("level", ""),
        int(part.get("seat") or 0),
        int(part.get("at") or 0),
        part.get("suit", ""),
    )


def meant(position: Position, move: Move) -> list[Attack]:
    """List the attacks in flight that a `hit` or `deflect` can mean, each kind once."""
    sender = position.to_move if move.kind == "hit" else move.seat
    return [
        attack
        for attack in dict.fromkeys(position.attacks_from(sender))
        if attack.card == move.flying and move.at in (0, attack.at)
    ]


def twin_elsewhere(position: Position, attack: Attack) -> bool:
    """Say whether its sender has an equal card on the way to another tower: then a text names the tower."""
    return any(
        other.card == attack.card and other.at != attack.at for other in position.attacks_from(attack.seat)
    )


def hit_text(position: Position, level: str, attack: Attack) -> str:
    tower = f" of {attack.at}" if twin_elsewhere(position, attack) else ""
    return f"hit {level}{tower} with {attack.card}"


def deflect_text(position: Position, attack: Attack, card: str) -> str:
    tower = f" at {attack.at}" if twin_elsewhere(position, attack) else ""
    return f"deflect {attack.card} from {attack.seat}{tower} with {card}"


def written_as(position: Position, move: Move, attack: Attack) -> str:
    """Write a `hit` or `deflect` that means this attack."""
    if move.kind == "hit":
        return hit_text(position, move.level, attack)
    return deflect_text(position, attack, move.card)


# --- the legal moves, built from the cards ----------------------------------------------------------------


def legal_moves(position: Position, options: Options) -> list[str]:
    """List the legal moves in canonical notation, sorted."""
    hand = set(position.mover.hand)
    match position.phase:
        case "exchange":
            moves = [f"exchange {card}" for card in hand]
            if complete(position.mover.hand):
                moves.append("lay")
        case "source":
            moves = sources(position)
        case "lay":
            moves = ["lay", "stop"]
        case "arrival":
            moves = [hit_text(position, level, attack) for attack, level in hits(position)]
        case "battle":
            moves = list(plays(position, options))
        case "draw":
            moves = sources(position) + (["stop"] if position.draws_must == 0 else [])
        case "defend":
            moves = ["pass", *deflections(position, options)]
        case _:
            moves = []
    return sorted(moves)


def can_draw(position: Position) -> bool:
    """TWR-57, TWR-Q17: the draw pile has a card, or can be renewed."""
    return bool(position.deck or position.discard or position.rubble)


def sources(position: Position) -> list[str]:
    """TWR-8, TWR-55: the draw pile and the discard pile, as far as they have cards."""
    return ["draw"] * can_draw(position) + ["take"] * bool(position.discard)


def vulnerable(position: Position, attack: Attack) -> list[str]:
    """TWR-24: the levels of the target that the attack can harm."""
    target = position.of(attack.at)
    return [
        level
        for level in LEVELS
        if target.level(level) != GONE and LEVELS[level] in BEATS[suit_of(attack.card)]
    ]


def hits(position: Position) -> Iterator[tuple[Attack, str]]:
    """TWR-22, TWR-Q21: each own attack and each level that it can harm."""
    for attack in dict.fromkeys(position.attacks_from(position.to_move)):
        for level in vulnerable(position, attack):
            yield attack, level


def plays(position: Position, options: Options) -> Iterator[str]:
    """TWR-13, TWR-15: attack, defend, repair, rebuild, or discard."""
    yield from attacks(position)
    yield from deflections(position, options)
    yield from mendings(position)
    for card in set(position.mover.hand):
        yield f"discard {card}"
    if may_stop(position, options):
        yield "stop"


def attacks(position: Position) -> Iterator[str]:
    """TWR-17, TWR-20, TWR-29: any card at any other standing tower."""
    launched = len(position.attacks_from(position.to_move))
    if launched >= (2 if position.mover.intact("lizard") else 1):
        return
    for seat in position.seats:
        if seat == position.to_move or not position.of(seat).stands:
            continue
        for card in set(position.mover.hand):
            for suit in SUITS if card == JOKER else [""]:
                yield f"attack {seat} with {card}" + (f" as {suit}" if suit else "")


def deflections(position: Position, options: Options) -> Iterator[str]:
    """TWR-30, TWR-33, TWR-34, TWR-Q18: a stronger suit and at least the same rank."""
    if position.deflected >= (2 if position.mover.intact("scissors") else 1):
        return
    for attack in reachable(position, options, position.to_move):
        for card in set(position.mover.hand):
            stronger = card == JOKER or suit_of(attack.card) in BEATS[suit_of(card)]
            if stronger and defence_rank(card) >= attack_rank(attack.card):
                yield deflect_text(position, attack, card)


def reachable(position: Position, options: Options, seat: int) -> list[Attack]:
    """List the attacks that a seat may deflect now, whatever it holds (TWR-34, TWR-Q18, TWR-Q23, TWR-Q24)."""
    return [
        attack
        for attack in dict.fromkeys(position.attacks)
        if attack.seat != seat
        and (position.phase != "defend" or attack.seat == position.arriving)
        and (options["deflect_for_others"] or attack.at == seat)
    ]


def mendings(position: Position) -> Iterator[str]:
    """TWR-36, TWR-39, TWR-41, TWR-43."""
    mover = position.mover
    if position.mended:
        return
    for level, suit in LEVELS.items():
        fitting = {card for card in mover.hand if card == JOKER or suit_of(card) == suit}
        if mover.damaged(level) and (mover.intact("paper") or level == "paper"):
            yield from (f"repair {level} with {card}" for card in fitting)
        if mover.level(level) == GONE and mover.intact("rock") and mover.intact("paper"):
            yield from (f"rebuild {level} with {card}" for card in fitting)


def may_stop(position: Position, options: Options) -> bool:
    """TWR-Q12, TWR-52: only where the option allows fewer plays, and not above the hand limit."""
    made = options["plays"] - position.plays_left
    return made >= options["min_plays"] and len(position.mover.hand) <= position.mover.hand_limit(options)


# --- what forbids a move --------------------------------------------------------------------------------

ALLOWED_IN = {
    "exchange": ("exchange",),
    "draw": ("source", "draw"),
    "take": ("source", "draw"),
    "lay": ("exchange", "lay"),
    "stop": ("lay", "battle", "draw"),
    "attack": ("battle",),
    "deflect": ("battle", "defend"),
    "repair": ("battle",),
    "rebuild": ("battle",),
    "discard": ("battle",),
    "hit": ("arrival",),
    "pass": ("defend",),
}


def clauses_against(position: Position, options: Options, text: str) -> list[str]:
    """List the clauses that forbid a move; none: it is legal."""
    move = read_move(text)
    if position.phase == "over":
        return ["TWR-64"]
    if position.phase not in ALLOWED_IN[move.kind]:
        return against_the_phase(position, move)
    against = ["TWR-13", "TWR-14"] if move.card and move.card not in position.mover.hand else []
    match move.kind:
        case "attack":
            against += against_attack(position, move)
        case "deflect":
            against += against_deflection(position, options, move)
        case "repair" | "rebuild":
            against += against_mending(position, move)
        case "hit":
            against += against_hit(position, move)
        case "draw" | "take":
            against += against_source(position, move)
        case "lay" if not complete(position.mover.hand):
            against += ["TWR-5", "TWR-9"]
        case "stop":
            against += against_stop(position, options)
    return list(dict.fromkeys(against))


def against_the_phase(position: Position, move: Move) -> list[str]:
    """Name what the wrong moment breaks: the part of the game or the order of a turn."""
    if move.kind == "pass":
        return against_passing(position)
    if position.phase in PART_ONE:
        if move.kind in ("attack", "hit"):
            return ["TWR-17", "TWR-13", "TWR-7"]
        if move.kind == "stop":
            return ["TWR-7", "TWR-Q6"]
        if move.kind in ("deflect", "repair", "rebuild", "discard"):
            return ["TWR-12", "TWR-13"]
        return ["TWR-7", "TWR-8", "TWR-13"]
    if move.kind in ("exchange", "lay"):
        return ["TWR-12", "TWR-13", "TWR-18"]
    if move.kind == "stop":
        return ["TWR-18", "TWR-21", "TWR-Q21"]
    extra = {"hit": ["TWR-21"], "deflect": ["TWR-31", "TWR-Q18"]}
    return ["TWR-18", "TWR-Q10", *extra.get(move.kind, [])]


def against_passing(position: Position) -> list[str]:
    """Name what has to be done instead: only a defence out of turn is left off."""
    if position.phase in PART_ONE:
        return ["TWR-7", "TWR-Q6"]
    if position.phase == "battle":
        return ["TWR-13", "TWR-Q12"]
    if position.phase == "draw":
        return against_leaving_draws(position)
    return ["TWR-18", "TWR-Q10"]


def against_leaving_draws(position: Position) -> list[str]:
    """Name the rule of the draws that are due: three after laying, or those at the end of a turn."""
    return ["TWR-12" if position.laying else "TWR-19", "TWR-Q13"]


def against_attack(position: Position, move: Move) -> list[str]:
    against = []
    if move.seat not in position.seats:
        return ["TWR-17", "TWR-20"]
    target = position.of(move.seat)
    if move.seat == position.to_move:
        against += ["TWR-17", "TWR-20", "TWR-Q20"]
    if target.tower is None or target.out:
        against += ["TWR-17", "TWR-Q20"] + (["TWR-61"] if target.out else [])
    launched = len(position.attacks_from(position.to_move))
    if launched == 1 and not position.mover.intact("lizard"):
        against += ["TWR-29", "TWR-48", "TWR-Q19"]
    if launched > 1:
        against += ["TWR-29", "TWR-13"]
    return against


def against_deflection(position: Position, options: Options, move: Move) -> list[str]:
    limit = []
    if position.deflected == 1 and not position.mover.intact("scissors"):
        limit = ["TWR-33", "TWR-46", "TWR-Q19"]
    if position.deflected > 1:
        limit = ["TWR-33", "TWR-13"]
    found = [against_one_deflection(position, options, move, attack) for attack in meant(position, move)]
    if not found:
        return [*limit, "TWR-30", "TWR-31"]
    return limit + min(found, key=len)


def against_one_deflection(position: Position, options: Options, move: Move, attack: Attack) -> list[str]:
    against = []
    if attack.seat == position.to_move:
        against += ["TWR-34", "TWR-30", "TWR-Q23"]
    if position.phase == "defend" and attack.seat != position.arriving:
        against += ["TWR-31", "TWR-Q18"]
    if not options["deflect_for_others"] and attack.at != position.to_move:
        against += ["TWR-34", "TWR-Q24"]
    if move.card != JOKER and suit_of(attack.card) not in BEATS[suit_of(move.card)]:
        against += ["TWR-30"]
    if defence_rank(move.card) < attack_rank(attack.card):
        against += ["TWR-30"] + (["TWR-Q2"] if move.card == JOKER else [])
    return against


def against_mending(position: Position, move: Move) -> list[str]:
    mover, level = position.mover, move.level
    rebuilding = move.kind == "rebuild"
    against = []
    if position.mended:
        against += ["TWR-43", "TWR-Q28"]
    if move.card != JOKER and suit_of(move.card) != LEVELS[level]:
        against += ["TWR-41"] if rebuilding else ["TWR-36"]
    if rebuilding:
        if mover.level(level) != GONE:
            against += ["TWR-41", "TWR-Q25"]
        if not mover.intact("rock") or not mover.intact("paper"):
            against += ["TWR-41", "TWR-44"]
            against += ["TWR-40"] if level == "paper" else []
            against += ["TWR-Q26"] if level == "rock" else []
        return against
    if not mover.damaged(level):
        against += ["TWR-36", *(["TWR-41", "TWR-40"] if mover.level(level) == GONE else [])]
    if level != "paper" and not mover.intact("paper"):
        against += ["TWR-36", "TWR-45", "TWR-39" if mover.damaged("paper") else "TWR-40"]
    return against


def against_hit(position: Position, move: Move) -> list[str]:
    flying = meant(position, move)
    if not flying:
        return ["TWR-21", "TWR-22"]
    if any(move.level in vulnerable(position, attack) for attack in flying):
        return []
    return ["TWR-24"]


def against_source(position: Position, move: Move) -> list[str]:
    if move.kind == "take":
        return [] if position.discard else ["TWR-55", "TWR-8", "TWR-Q4", "TWR-Q16"]
    return [] if can_draw(position) else ["TWR-57"]


def against_stop(position: Position, options: Options) -> list[str]:
    if position.phase == "draw":
        return against_leaving_draws(position) if position.draws_must else []
    if position.phase == "lay":
        return []
    against = []
    if options["plays"] - position.plays_left < options["min_plays"]:
        against += ["TWR-13", "TWR-15", "TWR-Q12"]
    if len(position.mover.hand) > position.mover.hand_limit(options):
        against += ["TWR-52", "TWR-14", "TWR-49"]
    return against


def every_text(position: Position, options: Options) -> list[str]:
    """Write every move that can be written about a position, legal or not."""
    cards = sorted(set(deck_of(options)))
    texts = ["draw", "take", "lay", "stop", "pass"]
    texts += [f"{kind} {card}" for kind in ("exchange", "discard") for card in cards]
    for card in cards:
        suits = [f" as {suit}" for suit in SUITS] if card == JOKER else [""]
        texts += [f"attack {seat} with {card}{suit}" for seat in position.seats for suit in suits]
        texts += [f"{kind} {level} with {card}" for kind in ("repair", "rebuild") for level in LEVELS]
        texts += [deflect_text(position, attack, card) for attack in position.attacks]
    texts += [hit_text(position, level, attack) for attack in position.attacks for level in LEVELS]
    return sorted(set(texts))
