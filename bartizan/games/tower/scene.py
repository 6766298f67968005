"""Draw Tower's table for a seat: towers, attacks in flight, hands, piles, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bartizan.engine.cards import JANKEN
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import interpreted
from bartizan.engine.scene import (
    Aid,
    Fact,
    Item,
    Layout,
    Livery,
    Result,
    Scene,
    Slot,
    Status,
    Suit,
    Theme,
    Zone,
)
from bartizan.games.tower.choices import choices_of
from bartizan.games.tower.position import phase_name
from bartizan.games.tower.refusals import intents, refusal
from bartizan.games.tower.state import DRAWN, OPEN, SUITS, Phase, Player, Standing, State
from bartizan.games.tower.story import events
from bartizan.games.tower.words import (
    BONUSES,
    COLOURS,
    LEVEL_NAMES,
    LEVELS,
    UNSEEN,
    Tokens,
    cards,
    face_name,
    face_text,
    hand_zone,
    level_name,
    plays_to_come,
    seat_name,
    slot_id,
    tower_zone,
    turns_until,
    upper,
)

if TYPE_CHECKING:
    from bartizan.games.tower import battle as plain_battle
    from bartizan.games.tower import draw as plain_draw
    from bartizan.games.tower import values as plain
else:
    from bartizan.games.tower import battle, draw, values

    plain, plain_battle, plain_draw = interpreted(values), interpreted(battle), interpreted(draw)

__all__ = ["events", "intents", "refusal", "scene", "seen", "status"]

SUIT_COLOURS = ("grey", "orange", "red", "blue", "green")
THEME = Theme(
    accent="#7a4b1f",
    table="#39506b",
    suits={
        letter: Suit(name=name, shape=name, colour=colour)
        for letter, name, colour in zip(JANKEN.suits, LEVELS, SUIT_COLOURS, strict=True)
    },
    ranks={"T": "10"},
    liveries=tuple(
        Livery(name=name, colour=name.lower(), shape="square" if seat % 2 else "round")
        for seat, name in enumerate(COLOURS)
    ),
)
BUILDING_STEPS = ("Put a card down", "Replace it", "Lay the tower?")
BATTLE_STEPS = ("Attacks arrive", "Two plays", "Draw")
WINDOW_STEP = "Last defence"


def seen(view: State, seat: int) -> State:
    """Return the table with everything blanked out that a seat does not know (TWR-Q37)."""
    blank = view.copy()
    blank.rng = 0
    for pile in (blank.deck, blank.buried):
        for index in range(len(pile.cards)):
            pile.cards[index] = UNSEEN
    for tags in (blank.since, blank.buried_since):
        for index in range(len(tags)):
            tags[index] = 0
    for number, player in enumerate(blank.players, 1):
        _blank_hand(player, number == seat)
    return blank


def _blank_hand(player: Player, own: bool) -> None:
    """Leave of a hand what a seat sees: all of its own, of others what was taken openly, these first."""
    count = player.hand.count
    held = [(player.hand.cards[slot], player.since[slot]) for slot in range(count)]
    known = [card for card, since in held if own or since == OPEN]
    for slot in range(len(player.hand.cards)):
        player.hand.cards[slot] = known[slot] if slot < len(known) else UNSEEN
        is_open = slot < len(known) and (not own or held[slot][1] == OPEN)
        player.since[slot] = OPEN if is_open else 0


# --- Figures and prompts -----------------------------------------------------


def status(seen: State, seat: int, ply: int) -> Status:
    """Return how far the game is and what the seat to move is asked."""
    over = seen.phase == Phase.OVER
    steps, step = _steps(seen)
    return Status(
        ply=ply,
        seat=0 if over else seen.to_move,
        phase=phase_name(seen.phase),
        prompt=_prompt(seen, seat),
        round=_round(seen),
        facts=_facts(seen),
        steps=steps,
        step=step,
    )


def _round(seen: State) -> int:
    """Return the round as the rules count it."""
    turns = [player.turns for player in seen.players[: seen.seats]]
    left = [player.turns for player in seen.players[: seen.seats] if player.standing != Standing.OUT]
    return min(seen.options.turn_cap, (min(left) if left else max(turns)) + 1)


def _steps(seen: State) -> tuple[tuple[str, ...], int]:
    """Return the order of the turn and where it stands (TWR-18)."""
    building = {Phase.EXCHANGE: 0, Phase.SOURCE: 1, Phase.LAY: 2}
    if seen.phase in building:
        return BUILDING_STEPS, building[Phase(seen.phase)]
    battle = {Phase.DEFEND: 0, Phase.ARRIVAL: 0, Phase.BATTLE: 1, Phase.DRAW: 2}
    if seen.phase not in battle:
        return (), 0
    if seen.options.defence_window:
        return (WINDOW_STEP, *BATTLE_STEPS), battle[Phase(seen.phase)] + (seen.phase != Phase.DEFEND)
    return BATTLE_STEPS, battle[Phase(seen.phase)]


def _prompt(seen: State, seat: int) -> str:
    if seen.phase == Phase.OVER:
        return "The game is over."
    who = seat_name(seen.to_move)
    if seat != seen.to_move:
        return f"{who} {_OTHERS[Phase(seen.phase)]}."
    sentence = {
        Phase.EXCHANGE: "put a card down to exchange it"
        + (", or lay your tower" if plain.is_complete(seen.players[seat - 1]) else ""),
        Phase.SOURCE: "take the replacement from the draw pile or the discard pile",
        Phase.LAY: "your hand has every suit. Lay the tower, or go on exchanging?",
        Phase.ARRIVAL: "your attack arrives. Which level does it hit?",
        Phase.BATTLE: f"{_plays(plays_to_come(seen))} left: attack, deflect, repair, rebuild or discard",
        Phase.DRAW: f"draw {cards(seen.draws_left)}"
        + ("" if seen.draws_must else ", or stop; this one is optional"),
        Phase.DEFEND: f"{seat_name(seen.active)}'s attacks are about to arrive. Deflect one, or pass",
    }[Phase(seen.phase)]
    return f"You are {who}: {sentence}" + ("" if sentence.endswith("?") else ".")


_OTHERS = {
    Phase.EXCHANGE: "is exchanging a card",
    Phase.SOURCE: "is choosing a replacement",
    Phase.LAY: "has every suit and may lay a tower",
    Phase.ARRIVAL: "is choosing what an attack hits",
    Phase.BATTLE: "is to play",
    Phase.DRAW: "is drawing",
    Phase.DEFEND: "may deflect before the attacks arrive",
}


def _plays(number: int) -> str:
    return f"{number} play{'' if number == 1 else 's'}"


def _facts(seen: State) -> tuple[Fact, ...]:
    facts = [Fact(label="Turn", value=str(_round(seen))), Fact(label="Draw pile", value=str(seen.deck.count))]
    if seen.phase == Phase.BATTLE:
        player = seen.players[seen.active - 1]
        sent, most = plain.count_sent(seen, seen.active), plain.attack_limit(player)
        facts.append(Fact(label="Plays left", value=str(plays_to_come(seen))))
        facts.append(Fact(label="Attacks", value=f"{sent} of {most}"))
        facts.append(Fact(label="Deflections", value=f"{seen.deflected} of {plain.deflection_limit(player)}"))
        facts.append(Fact(label="Repairs", value=f"{seen.mended} of 1"))
    if seen.phase == Phase.DRAW:
        facts.append(Fact(label="To draw", value=str(seen.draws_left)))
    return tuple(facts)


# --- The table ---------------------------------------------------------------


def scene(seen: State, seat: int, actions: Sequence[int], status: Status) -> Scene:
    """Return the whole table as a seat sees it."""
    tokens = Tokens(seen)
    zones = []
    for number in range(1, seen.seats + 1):
        zones.append(_tower(seen, number, seat, tokens))
        zones.append(_hand(seen, number, seat, tokens))
    zones += [_flight(seen, seat, tokens), _deck(seen), _discard(seen, tokens), _rubble(seen)]
    zones.append(_spent(seen, tokens))
    if seen.aside.count:
        zones.append(_pile_of_backs("aside", "Out of the game", seen.aside.count))
    return Scene(
        game="tower",
        title="Tower",
        seat=seat,
        seats=seen.seats,
        status=status,
        zones=tuple(zones),
        choices=choices_of(seen, actions),
        result=_result(seen),
        theme=THEME,
        aids=(AID,),
        areas=_areas(seen.seats, seat),
    )


def _areas(seats: int, seat: int) -> dict[str, tuple[str, ...]]:
    """Return where the zones go: the others first, then what flies between, then the seat's own side."""
    own = seat or seats
    others = [f"side{(own - 1 + step) % seats + 1}" for step in range(1, seats)]
    width = len(others) + 2
    piles = ["deck", "discard", *["rubble"] * (width - 2)]
    wide = [*others, "flight", f"side{own}"], piles, [f"hand{own}"] * width
    pairs = [others[index : index + 2] for index in range(0, len(others), 2)]
    narrow = [pair if len(pair) == 2 else pair * 2 for pair in pairs]
    narrow.append(["flight", "flight"])
    narrow += [[f"side{own}", pile] for pile in ("deck", "discard", "rubble")]
    narrow.append([f"hand{own}"] * 2)
    return {
        "wide": tuple(" ".join(row) for row in wide),
        "narrow": tuple(" ".join(row) for row in narrow),
    }


def _own_side(seats: int, seat: int) -> int:
    """Return whose side is at the bottom: the seat's own, for a spectator the last."""
    return seat or seats


def _tower(seen: State, number: int, seat: int, tokens: Tokens) -> Zone:
    """Show a tower, its top level first."""
    player = seen.players[number - 1]
    whose = "Your" if number == seat else f"{seat_name(number)}'s"
    order = range(SUITS - 1, -1, -1)
    items = [
        _level(seen, number, level, tokens.levels[number - 1][level])
        for level in order
        if player.tower[level] != EMPTY
    ]
    note = {
        Standing.BUILDING: "Not built yet.",
        Standing.DEFENDING: "",
        Standing.OUT: f"{seat_name(number)} is out.",
    }[Standing(player.standing)]
    return Zone(
        id=tower_zone(number),
        kind="slots",
        label=f"{whose} tower",
        owner=number,
        layout=Layout(area=f"side{number}", direction="column", size="small"),
        slots=tuple(Slot(id=slot_id(number, level), label=LEVEL_NAMES[level]) for level in order),
        items=tuple(items),
        count=len(items),
        limit=SUITS,
        note=note,
    )


def _level(seen: State, number: int, level: int, token: str) -> Item:
    player = seen.players[number - 1]
    card = player.tower[level]
    face = JANKEN.text(card)
    damaged = bool(player.damaged[level])
    state = ", damaged" if damaged else ""
    works = plain.is_intact(player, level) and (level > 0 or plain.is_intact(player, 1))
    note = f"{level_name(level)}{state}; {'its bonus' if works else 'without its bonus'}: {BONUSES[level]}."
    flags = ("damaged",) if damaged else ()
    return Item(
        id=token,
        face=face,
        label=f"{JANKEN.name(card)}{state}",
        at=slot_id(number, level),
        flags=flags,
        note=note,
    )


def _hand(seen: State, number: int, seat: int, tokens: Tokens) -> Zone:
    """Show a hand: the seat's own openly, of the others what everybody knows."""
    player = seen.players[number - 1]
    own = number == seat
    items = []
    for slot in range(player.hand.count):
        card, token = player.hand.cards[slot], tokens.hands[number - 1][slot]
        if card == UNSEEN:
            items.append(Item(id=f"{hand_zone(number)}:{slot}", back="card", label="face-down card"))
        elif own:
            is_open = player.since[slot] == OPEN
            note = "Everybody knows that you hold it." if is_open else ""
            flags = ("known",) if is_open else ()
            items.append(
                Item(id=token, face=JANKEN.text(card), label=JANKEN.name(card), flags=flags, note=note)
            )
        else:
            name = f"{JANKEN.name(card)}, taken openly from the discard pile"
            items.append(Item(id=token, back="card", peek=JANKEN.text(card), label=name))
    bottom = number == _own_side(seen.seats, seat)
    limit = plain.hand_limit(player) if player.standing == Standing.DEFENDING else 0
    return Zone(
        id=hand_zone(number),
        kind="fan" if own else "row",
        label="Your hand" if own else f"{seat_name(number)}'s hand",
        owner=number,
        layout=Layout(area=f"hand{number}" if bottom else f"side{number}", size="normal" if own else "small"),
        items=tuple(items),
        count=len(items),
        limit=limit,
    )


def _flight(seen: State, seat: int, tokens: Tokens) -> Zone:
    """Show the attacks in flight: whose, at whom, when they land, and what of one's own would stop them."""
    items = []
    for number in range(seen.flying):
        attack = seen.attacks[number]
        sender, target = seat_name(attack.sender), seat_name(attack.target)
        until = turns_until(seen, attack.sender)
        note = (
            f"{sender} attacks {target}'s tower with it; it lands when {sender}'s next turn begins, {until}."
        )
        if seat and attack.sender != seat:
            note += f" {_deflectors(seen, seat, attack.face)}"
        items.append(
            Item(
                id=tokens.attacks[number],
                face=face_text(attack.face),
                label=f"{face_name(attack.face)}, from {sender} at {target}",
                owner=attack.sender,
                flags=("incoming",) if attack.target == seat else (),
                badge=f"→ {target}",
                note=note,
            )
        )
    return Zone(
        id="flight",
        kind="row",
        label="Attacks in flight",
        layout=Layout(area="flight", direction="column", size="small"),
        items=tuple(items),
        count=len(items),
    )


def _deflectors(seen: State, seat: int, face: int) -> str:
    """Say which cards in a seat's hand would deflect an attack (TWR-30)."""
    hand = dict.fromkeys(seen.players[seat - 1].hand.listed()[::-1])
    fit = [JANKEN.name(card) for card in hand if plain_battle.why_not_strong_enough(face, card) == 0]
    if not fit:
        return "None of your cards can deflect it." if hand else ""
    return f"Your {' or '.join(fit)} can deflect it."


def _deck(seen: State) -> Zone:
    return _pile_of_backs("deck", "Draw pile", seen.deck.count)


def _pile_of_backs(name: str, label: str, count: int, area: str = "") -> Zone:
    items = (Item(id=f"{name}:0", back="card", label="face-down cards"),) if count else ()
    area = area or (name if name != "aside" else "rubble")
    return Zone(
        id=name, kind="pile", label=label, layout=Layout(area=area, size="small"), items=items, count=count
    )


def _discard(seen: State, tokens: Tokens) -> Zone:
    items = tuple(
        Item(id=token, face=JANKEN.text(card), label=JANKEN.name(card))
        for card, token in zip(seen.discard.listed(), tokens.discard, strict=True)
    )
    layout = Layout(area="discard", size="small")
    return Zone(id="discard", kind="pile", label="Discard pile", layout=layout, items=items, count=len(items))


def _rubble(seen: State) -> Zone:
    return _pile_of_backs("rubble", "Rubble", seen.rubble.count + seen.buried.count)


def _spent(seen: State, tokens: Tokens) -> Zone:
    items = tuple(
        Item(id=token, face=JANKEN.text(card), label=JANKEN.name(card))
        for card, token in zip(seen.spent.listed(), tokens.spent, strict=True)
    )
    return Zone(
        id="spent",
        kind="row",
        label="Set aside this turn",
        layout=Layout(area="rubble", size="small"),
        items=items,
        count=len(items),
        note="These join the discard pile when the turn ends.",
    )


def _wheel() -> Aid:
    """Return the strength of the suits, as the rules have it (TWR-24)."""
    rows = [("Suit", "level", "beats", "is beaten by")]
    for suit in range(SUITS):
        beaten = [LEVELS[other] for other in range(SUITS) if plain.beats(suit, other)]
        beating = [LEVELS[other] for other in range(SUITS) if plain.beats(other, suit)]
        rows.append((LEVELS[suit], LEVEL_NAMES[suit], " and ".join(beaten), " and ".join(beating)))
    text = (
        "An attack harms levels of the suits it beats; a card of a suit that beats the attack deflects it. "
        "Equal ranks favour the defender; an ace is high, but low in an attack."
    )
    return Aid(id="suits", title="Which suit beats which", text=text, table=tuple(rows))


AID = _wheel()


# --- The end -----------------------------------------------------------------


def _result(seen: State) -> Result | None:
    if seen.phase != Phase.OVER:
        return None
    standing = [player.standing != Standing.OUT for player in seen.players[: seen.seats]]
    turn = _round(seen)
    if seen.winner == DRAWN:
        scores = tuple(0.0 for _ in standing)
        if not any(standing):
            text = f"The last tower fell in turn {turn}, to an attack that was still in flight."
            return Result(winner="draw", headline="Nobody wins.", text=text, scores=scores, clause="TWR-65")
        text = f"Turn {turn} was the last, and {sum(standing)} players were left."
        return Result(winner="draw", headline="The game is drawn.", text=text, scores=scores, clause="TWR-64")
    scores = tuple(1.0 if number == seen.winner else -1.0 for number in range(1, seen.seats + 1))
    who = seat_name(seen.winner)
    if sum(standing) == 1:
        text = f"{upper(who)} is the last one standing, in turn {turn}."
    else:
        text = f"Turn {turn} was the last; {who} has the most levels standing."
    return Result(winner=str(seen.winner), headline=f"{who} wins.", text=text, scores=scores, clause="TWR-64")
