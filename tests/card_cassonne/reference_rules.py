"""Which moves of Card-cassonne are legal and what they do (part of the second implementation).

Areas are found anew by flooding whenever something is asked of them. `legal_moves` builds the list,
`clauses_against` asks of one move what forbids it; a test holds the two against each other.
"""

from __future__ import annotations

import re

from tests.card_cassonne.reference_board import (
    FACES,
    Cell,
    Options,
    Position,
    neighbours,
    number,
    on_table,
    read_cell,
    write_cell,
)

Area = frozenset[Cell]

FORMS = re.compile(
    r"play (?P<card>[2-9tjqka][cdhs]) at (?P<at>-?\d+,-?\d+)|score (?P<score>-?\d+,-?\d+)"
    r"|(?P<token>token)|(?P<none>no token)|(?P<done>done)"
)


def read_move(text: str) -> dict[str, str]:
    """Read a move into its named parts; ValueError for a text of no form."""
    found = FORMS.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise ValueError(f"{text!r} is no move")
    move = {name: part for name, part in found.groupdict().items() if part is not None}
    if "card" in move:
        move["card"] = move["card"][0].upper() + move["card"][1]
    return move


# --- areas ----------------------------------------------------------------------------------------------


def area_of(now: Position, options: Options, cell: Cell) -> Area:
    """CC-16: the cards of one suit that hang together with this one."""
    suit = now.board[cell][1]
    found: set[Cell] = set()
    waiting = [cell]
    while waiting:
        each = waiting.pop()
        if each in found or each not in now.board or now.board[each][1] != suit:
            continue
        found.add(each)
        waiting += neighbours(options, each)
    return frozenset(found)


def areas(now: Position, options: Options) -> list[Area]:
    """List all areas of the board, by name."""
    return sorted({area_of(now, options, cell) for cell in now.board}, key=min)


def name(area: Area) -> str:
    """Write an area by its smallest x, then smallest y."""
    return write_cell(min(area))


def open_edges(now: Position, options: Options, area: Area) -> list[Cell]:
    """List the empty neighbours of every card; a cell is there once for each card that it borders."""
    return [each for cell in area for each in neighbours(options, cell) if each not in now.board]


def is_complete(now: Position, options: Options, area: Area) -> bool:
    """CC-17."""
    return not open_edges(now, options, area)


def is_partially_complete(now: Position, options: Options, area: Area) -> bool:
    """CC-18, CC-Q9."""
    edges = open_edges(now, options, area)
    spaces = len(edges) if options["count"] == "edges" else len(set(edges))
    return spaces <= len(area)


def tokens_in(now: Position, area: Area) -> list[Cell]:
    return [cell for cell in now.tokens if cell in area]


def last_scored(now: Position, area: Area) -> int:
    """CC-Q21: the largest size at which a part of this area was scored; 0: never."""
    return max((now.scored.get(cell, 0) for cell in area), default=0)


# --- what forbids a move --------------------------------------------------------------------------------


def clauses_against(now: Position, options: Options, text: str) -> list[str]:
    """List the clauses that forbid a move; none: it is legal."""
    move = read_move(text)
    if now.phase == "over":
        return ["CC-11", "CC-32", "CC-Q6", "CC-Q18"]
    if "card" in move:
        wrong = [] if now.phase == "play" else ["CC-11", "CC-10", "CC-Q7", "CC-Q16"]
        return wrong + against_playing(now, options, move["card"], read_cell(move["at"]))
    if "token" in move:
        return against_token(now, options)
    if "none" in move:
        return [] if now.phase == "token" else ["CC-11", "CC-19", "CC-Q7"]
    if "done" in move:
        return [] if now.phase == "score" else ["CC-11", "CC-22", "CC-Q10"]
    wrong = [] if now.phase == "score" else ["CC-11", "CC-22", "CC-Q10"]
    return wrong + against_scoring(now, options, read_cell(move["score"]))


def against_playing(now: Position, options: Options, card: str, cell: Cell) -> list[str]:
    broken = []
    if card not in now.mover.hand:
        broken += ["CC-11", "CC-6"]
    return broken + against_place(now, options, card, cell)


def against_place(now: Position, options: Options, card: str, cell: Cell) -> list[str]:
    """CC-12 to CC-15."""
    if not on_table(options, cell):
        return ["CC-Q6"]
    if cell in now.board:
        return ["CC-12"]
    touched = [now.board[each] for each in neighbours(options, cell) if each in now.board]
    if not touched:
        return ["CC-12", "CC-Q25"]
    if len(touched) == 1:
        return []  # CC-13
    one_suit = len({each[1] for each in touched}) == 1
    if one_suit and (options["same_suit"] == "touched" or touched[0][1] == card[1]):
        return []  # CC-14, CC-Q4
    numbers = [number(each, options) for each in touched]
    if min(numbers) <= number(card, options) <= max(numbers):
        return []  # CC-15, CC-Q5
    broken = ["CC-15", "CC-Q5"]
    if one_suit:
        broken += ["CC-14", "CC-Q4"]
    if "A" in card or any(each[0] == "A" for each in touched):
        broken += ["CC-Q3"]
    return broken


def against_token(now: Position, options: Options) -> list[str]:
    broken = [] if now.phase == "token" else ["CC-11", "CC-19", "CC-Q7", "CC-Q16"]
    if now.mover.supply == 0:
        broken += ["CC-7", "CC-29", "CC-Q7", "CC-Q17"]
    if now.last is not None and tokens_in(now, area_of(now, options, now.last)):
        broken += ["CC-20", "CC-Q7", "CC-Q8", "CC-Q16"]
    return broken


def against_scoring(now: Position, options: Options, cell: Cell) -> list[str]:
    """CC-22, CC-Q10, CC-Q21."""
    if cell not in now.board:
        return ["CC-16"]
    area = area_of(now, options, cell)
    broken = []
    if not tokens_in(now, area):
        broken += ["CC-25", "CC-Q10"]
    if is_complete(now, options, area):
        broken += ["CC-23", "CC-Q14"]  # scored by itself, as far as there is anything to score
    elif not is_partially_complete(now, options, area):
        broken += ["CC-18", "CC-22", "CC-Q9"]
    if options["partial_scoring"] == "touched" and area not in touched_areas(now, options):
        broken += ["CC-22", "CC-Q10"]
    if options["partial_scoring"] == "own_token" and now.to_move not in owners(now, area):
        broken += ["CC-22", "CC-Q10"]
    return broken + against_growth(now, options, area)


def against_growth(now: Position, options: Options, area: Area) -> list[str]:
    """CC-Q21."""
    if options["rescore_growth"] == "must_have_grown_by_2":
        before = last_scored(now, area)
        if before and len(area) < before + 2:
            return ["CC-Q21", "CC-31"]
    if options["rescore_growth"] == "token_waits_a_turn":
        # A token on the card just played is this turn's, and none other can lie there.
        if now.last in area and now.last in now.tokens:
            return ["CC-Q21", "CC-30"]
    return []


def owners(now: Position, area: Area) -> list[int]:
    return [now.tokens[cell] for cell in tokens_in(now, area)]


def touched_areas(now: Position, options: Options) -> set[Area]:
    """List the area of the card just played and those of the cards that it touches (CC-Q10)."""
    if now.last is None:
        return set()
    cells = [now.last, *(each for each in neighbours(options, now.last) if each in now.board)]
    return {area_of(now, options, each) for each in cells}


# --- the legal moves ------------------------------------------------------------------------------------


def legal_moves(now: Position, options: Options) -> list[str]:
    """List the legal moves in canonical notation, sorted."""
    if now.phase == "play":
        return sorted(plays(now, options))
    if now.phase == "token":
        return ["no token", "token"]
    if now.phase == "score":
        return ["done", *sorted(f"score {name(area)}" for area in scorable(now, options))]
    return []


def plays(now: Position, options: Options) -> set[str]:
    """List the plays of the player to move; equal cards are one."""
    cells = {each for cell in now.board for each in neighbours(options, cell) if each not in now.board}
    return {
        f"play {card} at {write_cell(cell)}"
        for card in now.mover.hand
        for cell in cells
        if not against_place(now, options, card, cell)
    }


def scorable(now: Position, options: Options) -> list[Area]:
    """List the areas that the player may choose to score."""
    return [area for area in areas(now, options) if not against_scoring(now, options, min(area))]


def may_place_token(now: Position, options: Options) -> bool:
    """CC-20, CC-Q7, CC-Q8, CC-Q17."""
    if now.last is None or now.mover.supply == 0:
        return False
    return not tokens_in(now, area_of(now, options, now.last))


# --- what a move does -----------------------------------------------------------------------------------


def play(position: Position, options: Options, text: str) -> Position:
    """Play a move and all forced steps after it on a copy; ValueError where it is illegal."""
    against = clauses_against(position, options, text)
    if against:
        raise ValueError(f"{text} is illegal: {', '.join(against)}")
    now = position.copy()
    move = read_move(text)
    if "card" in move:
        place(now, options, move["card"], read_cell(move["at"]))
        take_steps(now, options, steps(options))
    elif "token" in move or "none" in move:
        if "token" in move and now.last is not None:
            now.mover.supply -= 1
            now.tokens[now.last] = now.to_move
            now.events.append("CC-19")
        take_steps(now, options, steps_after(options, "token"))
    elif "done" in move:
        take_steps(now, options, steps_after(options, "score"))
    else:
        now.events.append("CC-22")
        score(now, options, area_of(now, options, read_cell(move["score"])))
        if not scorable(now, options):
            take_steps(now, options, steps_after(options, "score"))
    return now


def run_on(position: Position, options: Options) -> Position:
    """Take the forced steps of a position that has just been set up."""
    now = position.copy()
    if now.phase in ("token", "score"):
        take_steps(now, options, [now.phase, *steps_after(options, now.phase)])
    elif now.phase == "play" and not plays(now, options):
        next_turn(now, options)
    return now


def steps(options: Options) -> list[str]:
    """CC-11, CC-Q16: the steps between playing and drawing."""
    return ["token", "score"] if options["token_before_score"] else ["score", "token"]


def steps_after(options: Options, step: str) -> list[str]:
    order = steps(options)
    return order[order.index(step) + 1 :]


def place(now: Position, options: Options, card: str, cell: Cell) -> None:
    """CC-11a, CC-24: lay the card down; the areas that it completes pay the bonus at once."""
    now.mover.hand.remove(card)
    now.board[cell] = card
    now.last = cell
    for area in touched_areas(now, options):
        # Every one of them had an empty cell, this one, or was not there at all (CC-Q12).
        if is_complete(now, options, area):
            now.mover.score += options["complete_bonus"]
            now.events.append("CC-24")
    own = area_of(now, options, cell)
    if size := last_scored(now, own):  # parts that were scored go by the name of the whole (CC-Q21)
        remember_size(now, own, size)


def take_steps(now: Position, options: Options, left: list[str]) -> None:
    """Take the steps left of this turn up to the next decision; a step without a choice is skipped."""
    for step in left:
        if step == "token" and may_place_token(now, options):
            now.phase = "token"
            return
        if step == "score":
            score_complete(now, options)
            if scorable(now, options):
                now.phase = "score"
                return
    if now.deck:  # CC-11d, CC-Q18
        now.mover.hand.append(now.deck.pop(0))
    next_turn(now, options)


def score_complete(now: Position, options: Options) -> None:
    """CC-23, CC-Q13: complete areas score by themselves, whatever their age."""
    for area in areas(now, options):
        if is_complete(now, options, area) and tokens_in(now, area):
            now.events.append("CC-23")
            score(now, options, area)


def score(now: Position, options: Options, area: Area) -> None:
    """CC-25 to CC-28, CC-Q15: every token pays its owner in full and goes home."""
    points = len(area) if len(area) <= 2 else 2 * len(area)
    found = tokens_in(now, area)
    now.events += ["CC-27", *(["CC-26"] if len(found) > 1 else [])]
    for cell in found:
        owner = now.players[now.tokens.pop(cell) - 1]
        owner.score += points
        owner.supply += 1
    if options["rescore_growth"] == "must_have_grown_by_2":
        remember_size(now, area, len(area))


def remember_size(now: Position, area: Area, size: int) -> None:
    now.scored = {cell: each for cell, each in now.scored.items() if cell not in area}
    now.scored[min(area)] = size


def next_turn(now: Position, options: Options) -> None:
    """CC-10, CC-Q6, CC-Q18: pass over who cannot play; end where the option or the cards say so."""
    now.phase, now.last = "play", None
    for _ in range(now.seats):
        now.to_move = now.to_move % now.seats + 1
        if options["end"] == "deck_empty_round" and not now.deck and now.to_move == now.first:
            now.events.append("CC-Q18")
            break
        if plays(now, options):
            return
        if now.mover.hand:
            now.events.append("CC-Q6")
    finish(now, options)


def finish(now: Position, options: Options) -> None:
    """CC-32, CC-Q19, CC-Q20."""
    if options["final_partial_scoring"]:
        for area in areas(now, options):
            if tokens_in(now, area) and is_partially_complete(now, options, area):
                now.events.append("CC-Q19")
                score(now, options, area)
    for cell, seat in now.tokens.items():
        if now.board[cell][0] in FACES:
            now.players[seat - 1].score += 3
            now.events.append("CC-32")
    best = max(player.score for player in now.players)
    now.winner = [seat for seat, player in enumerate(now.players, 1) if player.score == best]
    now.phase, now.to_move, now.last = "over", 0, None
