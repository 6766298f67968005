"""What the moves of Card Barrage do, and which are listed as legal (part of the second implementation).

`legal_moves` builds the list here; `clauses_against` in the file beside it asks of one move, listed or not,
what forbids it. A test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.card_barrage.reference_board import (
    NOTHING,
    SUITED,
    UNTOLD,
    Place,
    Position,
    domain_of,
    value_of,
)
from tests.card_barrage.reference_moves import (
    Move,
    clauses_against,
    may_build_at,
    may_pass,
    may_show,
    read_move,
    reveals,
)

Shuffle = Callable[[int, list[str]], list[str]]  # a side and its discard; gives the new deck, top first


# --- the legal moves ------------------------------------------------------------------------------------


def legal_moves(now: Position) -> list[str]:
    """List the legal moves in canonical notation, sorted; reports that need not be listed are left out."""
    lists: dict[str, Callable[[Position], Iterator[str]]] = {
        "walls": builds,
        "turn": turn_moves,
        "give": gifts,
        "effect": offers,
        "discard": discards,
        "replace": replacements,
    }
    if now.phase == "reveal":
        return reveals(now)
    if now.phase == "over":
        return []
    moves = set(lists[now.phase](now))
    return sorted(moves | {"decline"} if now.phase == "effect" or may_pass(now) else moves)


def turn_moves(now: Position) -> Iterator[str]:
    """CB-15: build, upgrade, attack, in this order; the turn may end at any time."""
    yield "end"
    if now.attacked:
        return
    if not now.built and not now.upgraded:
        yield from builds(now)
    if not now.upgraded:
        yield from upgrades(now)
    if not now.built:
        yield from reports(now)


def builds(now: Position) -> Iterator[str]:
    """CB-18; in phase walls the choice of CB-Q6."""
    own = now.at(now.to_move)
    told = now.phase == "walls" and now.table.untold
    for slot in own.empty()[:1] if told else own.empty():
        if slot not in own.lost:
            for card in shown(now, now.to_move):
                yield f"build {card} at {slot}"


def shown(now: Position, seat: int) -> list[str]:
    """List the kinds of cards that a seat may lay or give."""
    if now.table.untold:
        return [card for card in SUITED if may_show(now, seat, card)]
    return now.at(seat).hand


def upgrades(now: Position) -> Iterator[str]:
    """CB-19, CB-20."""
    own = now.at(now.to_move)
    for slot in own.standing():
        for card in shown(now, now.to_move):
            higher = value_of(card) > value_of(own.wall(slot))
            if higher or not now.table.options["upgrade_must_be_higher"]:
                yield f"upgrade {slot} with {card}"
                if slot in own.moved:
                    yield f"upgrade {slot} with {card} leave"


def reports(now: Position) -> Iterator[str]:
    """CB-21: the plain verdicts."""
    for card in now.at(now.to_move).hand:
        yield f"report {card} miss"
        for seat in now.table.enemies(now.to_move):
            slots = now.at(seat).standing()
            for slot in slots:
                yield f"report {card} hit {seat}.{slot}"
                yield f"report {card} hit {seat}.{slot} perfect"
                yield f"report {card} hit {seat}.{slot} {seat}.castle"
                yield from (
                    f"report {card} hit {seat}.{slot} {seat}.{other}" for other in slots if other > slot
                )
            yield f"report {card} hit {seat}.castle"


def gifts(now: Position) -> Iterator[str]:
    return (f"give {card}" for card in shown(now, now.to_move))


def discards(now: Position) -> Iterator[str]:
    return (f"discard {card}" for card in now.at(now.to_move).hand)


def replacements(now: Position) -> Iterator[str]:
    """CB-42."""
    for (seat, slot), fallen in now.open.items():
        if seat == now.to_move:
            for card in shown(now, now.to_move) if now.table.untold else fitting(now, seat, fallen):
                if now.table.is_simulacrum(seat) or value_of(card) <= value_of(fallen):
                    yield f"replace {slot} with {card}"


def fitting(now: Position, seat: int, fallen: str) -> list[str]:
    """List the hand cards that may take a destroyed wall's place; of untold ones, all that there are."""
    if now.table.untold:
        pile = now.deck_of(seat)
        return [*pile.deck, *pile.discard] if now.table.is_simulacrum(seat) else now.at(seat).hand
    return [card for card in now.at(seat).hand if value_of(card) <= value_of(fallen)]


def offers(now: Position) -> Iterator[str]:
    """CB-Q27: the uses of the newly scored cards that do something."""
    own = now.at(now.active)
    for card in now.scored:
        domain = domain_of(card)
        if domain == "k" and can_draw(now, now.active):
            yield f"effect {card}"
        for hand_card in shown(now, now.active):
            if domain == "s":
                yield from (f"effect {card} exchange {slot} with {hand_card}" for slot in own.standing())
            if domain == "t":
                yield from (
                    f"effect {card} build {hand_card} at {slot}"
                    for slot in own.empty()
                    if slot not in own.lost
                )
        if domain == "v":
            for seat in now.table.enemies(now.active):
                if now.at(seat).hand:
                    yield f"effect {card} pick {seat}"


def offer_stands(now: Position) -> bool:
    """CB-40: a third, sixth, ninth … card has just been scored, and its side uses effects."""
    if now.table.options["effects"] == "off" or now.table.is_simulacrum(now.active):
        return False
    scored = len(now.score_of(now.active).pile)
    return scored // 3 > (scored - len(now.scored)) // 3


# --- drawing --------------------------------------------------------------------------------------------


def can_draw(now: Position, seat: int) -> bool:
    pile = now.deck_of(seat)
    limit = now.table.options["hand_limit"]
    return bool(pile.deck or pile.discard) and not (limit and len(now.at(seat).hand) >= limit)


def take_top(now: Position, seat: int, shuffle: Shuffle) -> str | None:
    """CB-17, CB-Q10: the top card of the side's deck, which its discard renews; None: there is no card."""
    pile = now.deck_of(seat)
    if not pile.deck and pile.discard:
        now.events.append("CB-17")
        pile.deck = shuffle(now.table.side(seat), pile.discard)
        pile.discard = []
    return pile.deck.pop(0) if pile.deck else None


def draw(now: Position, seat: int, cards: int, shuffle: Shuffle) -> None:
    """Draw up to so many cards, none above the hand limit (CB-Q9)."""
    for _ in range(cards):
        if not can_draw(now, seat):
            now.events.append("CB-Q9")
            return
        card = take_top(now, seat, shuffle)
        assert card is not None
        now.at(seat).hand.append(card)


# --- playing --------------------------------------------------------------------------------------------


def play(position: Position, text: str, shuffle: Shuffle) -> Position:
    """Play a move and all forced steps after it on a copy; ValueError where it is illegal."""
    against = clauses_against(position, text)
    if against:
        raise ValueError(f"{text} is illegal: {', '.join(against)}")
    now, move = position.copy(), read_move(text)
    actions: dict[str, Callable[[Position, Move, Shuffle], None]] = {
        "build": build,
        "upgrade": upgrade,
        "report": report,
        "give": give,
        "effect": use_effect,
        "decline": decline,
        "discard": discard,
        "replace": replace_wall,
        "reveal": reveal,
        "reveal hit": reveal,
        "reveal miss": reveal,
        "end": end,
    }
    actions[move.verb](now, move, shuffle)
    return now


def run_on(position: Position, shuffle: Shuffle) -> Position:
    """Take the forced steps of a position that has just been set up."""
    now = position.copy()
    if now.phase in ("give", "effect", "replace"):
        go_on(now, now.phase, shuffle)
    elif now.phase == "discard" and not now.at(now.to_move).hand:
        go_on(now, "replace", shuffle)
    return now


def start(dealt: Position, shuffle: Shuffle) -> Position:
    """Begin the first turn of a fresh deal, unless walls are still to be chosen."""
    now = dealt.copy()
    if now.phase != "walls":
        start_turn(now, now.first, shuffle)
    return now


def start_turn(now: Position, seat: int, shuffle: Shuffle) -> None:
    """CB-16: the draw comes by itself; the simulacrum waits for its card to be turned up (CB-46)."""
    now.active, now.to_move = seat, seat
    now.built = now.upgraded = now.attacked = False
    now.phase = "turn"
    if now.table.is_simulacrum(seat):
        now.phase, now.to_move = "reveal", 1
        return
    now.events.append("CB-16")
    draw(now, seat, 2 if len(now.at(seat).hand) < 3 else 1, shuffle)


def build(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-18, or a wall of the set-up."""
    own = now.at(now.to_move)
    if now.phase == "turn":
        spend(now, now.to_move, move.card)
        own.lay(move.slot, move.card)
        now.built = True
        now.events.append("CB-18")
        return
    now.events.append("CB-Q6")
    own.lay(move.slot, move.card)
    if now.table.options["wall_setup"] == "dealt" or now.table.is_simulacrum(now.to_move):
        take_top(now, now.to_move, shuffle)
    else:
        spend(now, now.to_move, move.card)
    choosing = [seat for seat in range(1, now.table.seats + 1) if may_build_at(now, seat)]
    if now.to_move not in choosing:
        if choosing:
            now.to_move = choosing[0]
        else:
            start_turn(now, now.first, shuffle)


def spend(now: Position, seat: int, card: str) -> None:
    """Take a card out of a hand; an untold one has no name there."""
    now.at(seat).hand.remove(UNTOLD if now.table.untold else card)


def show(now: Position, card: str, shuffle: Shuffle) -> None:
    """Take a card that is given or laid out of the hand of who decides, or off the deck where it is empty."""
    if now.at(now.to_move).hand:
        spend(now, now.to_move, card)
    else:
        take_top(now, now.to_move, shuffle)


def upgrade(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-19, CB-52: wall and card change places."""
    exchange(now, move, moved=move.leave)
    now.upgraded = True
    now.events += ["CB-19", *(["CB-20"] if move.leave else [])]


def exchange(now: Position, move: Move, moved: bool) -> None:
    own = now.at(now.to_move)
    spend(now, now.to_move, move.card)
    own.hand.append(UNTOLD if now.table.untold else own.wall(move.slot))
    own.lay(move.slot, move.card, moved)


def report(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-25 to CB-38: what a throw did."""
    now.attacked = True
    now.at(now.active).hand.remove(move.card)
    now.deck_of(now.active).discard.insert(0, move.card)
    for seat, slot in move.moved:
        now.at(seat).moved.add(slot)
        now.events.append("CB-32")
    if not move.targets:
        now.events.append("CB-31")
    hit(now, dict(move.targets), shuffle)


def hit(now: Position, targets: dict[Place, bool], shuffle: Shuffle) -> None:
    """Score the places that an attack hit, each perfectly or not, and take what follows."""
    storm(now, [seat for seat, slot in targets if slot == 0])
    for (seat, slot), perfect in sorted(targets.items()):
        if slot == 0:
            hit_castle(now, seat, shuffle)
        else:
            hit_wall(now, seat, slot, perfect)
    if len(targets) == 2:
        now.events.append("CB-37")
    go_on(now, "give", shuffle)


def storm(now: Position, seats: list[int]) -> None:
    """CB-Q29: a castle without a wall when the attack was launched."""
    trigger = now.table.options["castle_trigger"]
    for seat in seats:
        judged = now.table.seats_of(now.table.side(seat)) if trigger == "whole_side" else [seat]
        if trigger != "off" and not any(now.at(each).standing() for each in judged):
            now.ending = True
            now.events.append("CB-Q29")
            if now.table.options["castle_trigger_wins"]:
                now.stormed.add(now.table.side(now.active))


def score(now: Position, card: str | None, point: bool = True) -> None:
    """CB-34, CB-Q18: a point, and a card into the pile where there is one."""
    scorer = now.score_of(now.active)
    scorer.points += point
    if card is not None:
        scorer.pile.append(card)
        now.scored.append(card)


def hit_wall(now: Position, seat: int, slot: int, perfect: bool) -> None:
    """CB-35, CB-36."""
    owner = now.at(seat)
    card = owner.wall(slot)
    owner.lay(slot, NOTHING)
    score(now, card)
    now.events.append("CB-36" if perfect else "CB-35")
    if not perfect:
        now.open[seat, slot] = card
    elif now.table.options["perfect_slot"] == "lost":
        owner.lost.add(slot)


def hit_castle(now: Position, seat: int, shuffle: Shuffle) -> None:
    """CB-38, CB-Q19, CB-Q39."""
    now.events.append("CB-38")
    if now.at(seat).hand:
        score(now, None)
        now.gives.add(seat)
        return
    empty = now.table.options["castle_hit_empty"]
    if now.table.is_simulacrum(seat):
        empty = "deck_card"
    now.events.append("CB-Q19")
    if now.table.untold and empty == "deck_card":
        score(now, None)
        pile, owed = now.deck_of(seat), [each for each in now.gives if not now.at(each).hand]
        side = now.table.side(seat)
        if len(pile.deck) + len(pile.discard) > sum(now.table.side(each) == side for each in owed):
            now.gives.add(seat)
        return
    card = take_top(now, seat, shuffle) if empty == "deck_card" else None
    score(now, card, point=empty != "nothing")


# --- after an attack ------------------------------------------------------------------------------------


def go_on(now: Position, step: str, shuffle: Shuffle) -> None:
    """Take the steps after an attack from this one on, up to the next decision."""
    if step == "give":
        if now.gives:
            now.phase, now.to_move = "give", min(now.gives)
            return
        step = "effect"
    if step == "effect":
        if offer_stands(now) and next(offers(now), None):
            now.phase, now.to_move = "effect", now.active
            return
        step = "replace"
    now.scored = []
    for place in sorted(now.open):
        if now.table.untold and fitting(now, place[0], now.open[place]):
            continue
        fill_or_leave_empty(now, place, shuffle)
    if now.open:
        now.phase, now.to_move = "replace", min(now.open)[0]
    elif now.table.is_simulacrum(now.active):
        end_turn(now, shuffle)
    else:
        now.phase, now.to_move = "turn", now.active


def fill_or_leave_empty(now: Position, place: Place, shuffle: Shuffle) -> None:
    """CB-43: no card fits; CB-47: the simulacrum takes the top card of its deck, whatever it is."""
    seat, slot = place
    if now.table.is_simulacrum(seat):
        card = take_top(now, seat, shuffle)
        now.at(seat).lay(slot, card or NOTHING)
        del now.open[place]
        now.events.append("CB-47")
    elif not fitting(now, seat, now.open[place]):
        del now.open[place]
        now.events.append("CB-43")


def give(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-38: the defender's card goes to the attacker."""
    show(now, move.card, shuffle)
    now.gives.remove(now.to_move)
    scorer = now.score_of(now.active)
    scorer.pile.append(move.card)
    now.scored.append(move.card)
    go_on(now, "give", shuffle)


def replace_wall(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-42."""
    own = now.at(now.to_move)
    show(now, move.card, shuffle)
    own.lay(move.slot, move.card)
    del now.open[now.to_move, move.slot]
    now.events.append("CB-42")
    go_on(now, "replace", shuffle)


def decline(now: Position, move: Move, shuffle: Shuffle) -> None:
    """Use no effect; or leave the walls of who decides as they are, as no card fits."""
    if now.phase == "replace":
        now.open = {place: card for place, card in now.open.items() if place[0] != now.to_move}
        now.events.append("CB-43")
    go_on(now, "replace", shuffle)


def use_effect(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-40, CB-Q27."""
    now.events.append("CB-40 " + domain_of(move.scored))
    own = now.at(now.active)
    if move.what == "exchange":
        exchange(now, move, moved=False)
    elif move.what == "build":
        spend(now, now.active, move.card)
        own.lay(move.slot, move.card)
    else:
        now.scored = []
        now.phase = "discard"
        if move.what == "pick":
            now.to_move = move.seat
            return
        draw(now, now.active, 2, shuffle)
        return  # at least one card was drawn, or this would not have been offered
    go_on(now, "replace", shuffle)


def discard(now: Position, move: Move, shuffle: Shuffle) -> None:
    now.at(now.to_move).hand.remove(move.card)
    now.deck_of(now.to_move).discard.insert(0, move.card)
    go_on(now, "replace", shuffle)


# --- the simulacrum -------------------------------------------------------------------------------------


def reveal(now: Position, move: Move, shuffle: Shuffle) -> None:
    """CB-46, CB-Q37, CB-Q38."""
    card = take_top(now, 2, shuffle)
    now.events.append("CB-46")
    if card is not None:
        now.deck_of(2).discard.insert(0, card)
    hits = move.verb == "reveal hit" or (
        card is not None and card != UNTOLD and value_of(card) < now.table.options["solo_hit_below"]
    )
    if not hits:
        end_turn(now, shuffle)
        return
    person = now.at(1)
    slots = person.standing()
    lowest = min(slots, key=lambda slot: (value_of(person.wall(slot)), slot), default=0)
    hit(now, {(1, lowest): False}, shuffle)


# --- the end --------------------------------------------------------------------------------------------


def end(now: Position, move: Move, shuffle: Shuffle) -> None:
    end_turn(now, shuffle)


def end_turn(now: Position, shuffle: Shuffle) -> None:
    """CB-22, CB-23, CB-Q31, CB-Q33: the end check, then the next seat, unless the last round is finished."""
    if any(player.points >= now.table.options["target"] for player in now.players):
        now.ending = True
        now.events.append("CB-22")
    following = now.active % now.table.seats + 1
    if following == now.first:
        if now.ending or now.round >= now.table.options["turn_cap"]:
            now.events += [] if now.ending else ["CB-Q33"]
            finish(now)
            return
        now.round += 1
    start_turn(now, following, shuffle)


def finish(now: Position) -> None:
    """CB-24, CB-Q30, CB-Q32: the best side wins; equal sides share."""
    sides = sorted(now.stormed) or list(range(1, now.table.sides + 1))
    best = max(standing_of(now, side) for side in sides)
    winners = [side for side in sides if standing_of(now, side) == best]
    now.winner = sorted(seat for side in winners for seat in now.table.seats_of(side))
    now.phase, now.to_move = "over", 0
    now.events += ["CB-24", *(["CB-Q30"] if now.stormed else [])]


def standing_of(now: Position, side: int) -> tuple[int, ...]:
    """Give what sides are compared by, first things first."""
    scorers = {now.table.scorer(seat) for seat in now.table.seats_of(side)}
    points = sum(now.at(seat).points for seat in scorers)
    if now.table.options["tiebreak"] == "shared":
        return (points,)
    pile = [card for seat in scorers for card in now.at(seat).pile]
    return points, sum(map(value_of, pile)), len({domain_of(card) for card in pile})
