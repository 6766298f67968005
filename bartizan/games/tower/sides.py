"""Draw the players' sides for a seat: towers, hands and attacks in flight."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bartizan.engine.clauses import OK
from bartizan.engine.record import EMPTY
from bartizan.engine.scene import Course, Item, Layout, Slot, Zone
from bartizan.games.tower import battle, values
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.state import OPEN, PAPER, ROCK, SUITS, Player, Standing, State
from bartizan.games.tower.visibility import UNSEEN
from bartizan.games.tower.words.effects import effect_of, effect_words, landing, turns_until
from bartizan.games.tower.words.look import Look
from bartizan.games.tower.words.names import (
    BONUSES,
    LEVEL_NAMES,
    SHORT_BONUSES,
    face_name,
    face_text,
    hand_zone,
    level_name,
    level_text,
    seat_name,
    slot_id,
    tower_zone,
    upper,
)

DRAWN = 4096  # drawn items to cache: the same ones appear again and again


def own_side(seats: int, seat: int) -> int:
    """Return whose side is at the bottom: the seat's own, or the last seat's for a spectator."""
    return seat or seats


def side_area(seats: int, seat: int, number: int) -> str:
    """Return the area of a player's side as `seat` sees it; the others follow in turn order."""
    own = own_side(seats, seat)
    return "own" if number == own else f"other{(number - own) % seats}"


def tower(observation: State, number: int, seat: int, tokens: Look) -> Zone:
    """Show a tower, its top level first."""
    player = observation.players[number - 1]
    whose = "Your" if number == seat else f"{seat_name(number)}'s"
    order = range(SUITS - 1, -1, -1)
    works = [_works(player, level) for level in range(SUITS)]
    items = [
        _level(
            number,
            level,
            player.tower[level],
            bool(player.damaged[level]),
            works[level],
            tokens.levels[number - 1][level],
        )
        for level in order
        if player.tower[level] != EMPTY
    ]
    note = {
        Standing.BUILDING: "Still building.",
        Standing.DEFENDING: "",
        Standing.OUT: f"{seat_name(number)} is out.",
    }[Standing(player.standing)]
    return Zone(
        id=tower_zone(number),
        kind="levels",
        label=f"{whose} tower",
        owner=number,
        layout=Layout(area=side_area(observation.seats, seat, number), direction="column", size="small"),
        slots=tuple([_place(number, level, works[level]) for level in order]),
        items=tuple(items),
        count=len(items),
        limit=SUITS,
        note=note,
    )


@lru_cache(DRAWN)
def _place(number: int, level: int, works: bool) -> Slot:
    """Describe a level's place and its bonus."""
    return Slot(
        id=slot_id(number, level),
        label=LEVEL_NAMES[level],
        suit=JANKEN.suits[level],
        bonus=SHORT_BONUSES[level],
        works=works,
    )


def _works(player: Player, level: int) -> bool:
    """Return whether a level gives its bonus; the Foundation needs the Government too (TWR-44 to TWR-48)."""
    return values.is_intact(player, level) and (level != ROCK or values.is_intact(player, PAPER))


@lru_cache(DRAWN)
def _level(number: int, level: int, card: int, damaged: bool, works: bool, token: str) -> Item:
    state = ", damaged" if damaged else ""
    note = f"{level_name(level)}{state}; {'bonus' if works else 'bonus lost'}: {BONUSES[level]}."
    flags = ("damaged",) if damaged else ()
    return Item(
        id=token,
        face=level_text(card, level),
        label=f"{JANKEN.name(card)}{state}",
        at=slot_id(number, level),
        flags=flags,
        note=note,
    )


def hand(observation: State, number: int, seat: int, tokens: Look) -> Zone:
    """Show a hand: the seat's own face up, other hands as far as everyone knows them."""
    player = observation.players[number - 1]
    own = number == seat
    items = []
    for slot in range(player.hand.count):
        card, token = player.hand.cards[slot], tokens.hands[number - 1][slot]
        if card == UNSEEN:
            items.append(_unseen(number, slot))
        elif own:
            items.append(_own_card(observation, seat, card, token, player.since[slot] == OPEN))
        else:
            name = f"{JANKEN.name(card)}, taken from the discard pile"
            items.append(Item(id=token, back="card", peek=JANKEN.text(card), label=name))
    area = side_area(observation.seats, seat, number)
    limit = values.hand_limit(observation, player) if player.standing == Standing.DEFENDING else 0
    return Zone(
        id=hand_zone(number),
        kind="fan" if own else "row",
        label="Your hand" if own else f"{seat_name(number)}'s hand",
        owner=number,
        layout=Layout(area="hand" if area == "own" else area, size="normal" if own else "tiny"),
        items=tuple(items),
        count=len(items),
        limit=limit,
    )


@lru_cache(DRAWN)
def _unseen(number: int, slot: int) -> Item:
    return Item(id=f"{hand_zone(number)}:{slot}", back="card", label="face-down card")


def _own_card(observation: State, seat: int, card: int, token: str, is_open: bool) -> Item:
    """Show a card in the viewer's hand and say what it could deflect."""
    stopped = [
        f"{seat_name(attack.sender)}'s {face_name(attack.face)}"
        for attack in observation.attacks[: observation.flying]
        if attack.sender != seat and battle.why_not_strong_enough(attack.face, card) == OK
    ]
    return _held(card, token, is_open, f"It can deflect {' or '.join(stopped)}." if stopped else "")


@lru_cache(DRAWN)
def _held(card: int, token: str, is_open: bool, use: str) -> Item:
    sentences = ["Everyone knows you hold this card." if is_open else "", use]
    return Item(
        id=token,
        face=JANKEN.text(card),
        label=JANKEN.name(card),
        flags=("known",) if is_open else (),
        note=" ".join(filter(None, sentences)),
    )


def flight(observation: State, seat: int, tokens: Look) -> Zone:
    """Show the attacks in flight, the next to land first."""
    order = sorted(
        range(observation.flying),
        key=lambda number: turns_until(observation, observation.attacks[number].sender),
    )
    items = tuple(_attack(observation, number, seat, tokens) for number in order)
    return Zone(
        id="flight",
        kind="lanes",
        label="Attacks in flight",
        layout=Layout(area="flight", direction="column", size="small"),
        items=items,
        count=len(items),
    )


def _attack(observation: State, number: int, seat: int, tokens: Look) -> Item:
    """Show an attack: its sender and target, when it lands, its effect and your answers."""
    attack = observation.attacks[number]
    sender, target = seat_name(attack.sender), seat_name(attack.target)
    effect = effect_of(observation, attack.target, attack.face)
    hand = tokens.hands[seat - 1] if seat and attack.sender != seat else []
    answers = {
        token: card
        for token, card in zip(hand, observation.players[seat - 1].hand.listed()[::-1], strict=bool(hand))
        if battle.why_not_strong_enough(attack.face, card) == OK
    }
    sentences = [
        f"{sender} is attacking {target}'s tower. It lands at the start of {sender}'s next turn, "
        f"{landing(observation, attack.sender)}.",
        upper(f"{effect_words(effect)}."),
        _deflectors(answers.values()) if hand else "",
    ]
    return Item(
        id=tokens.attacks[number],
        face=face_text(attack.face),
        label=f"{face_name(attack.face)}, from {sender} at {target}",
        owner=attack.sender,
        flags=("incoming",) if attack.target == seat else (),
        note=" ".join(filter(None, sentences)),
        course=Course(
            goal=attack.target,
            turns=turns_until(observation, attack.sender),
            marks={tokens.levels[attack.target - 1][level]: fate for level, fate in effect.items()},
            answers=tuple(answers),
        ),
    )


def _deflectors(held: Iterable[int]) -> str:
    """Say which cards in a hand can deflect an attack (TWR-30)."""
    names = dict.fromkeys(JANKEN.name(card) for card in held)
    return f"Your {' or '.join(names)} can deflect it." if names else "None of your cards can deflect it."
