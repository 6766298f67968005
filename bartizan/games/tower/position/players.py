"""Write and read a position's players, and the attacks between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bartizan.engine.cards import NOTHING
from bartizan.engine.errors import nearest
from bartizan.engine.record import EMPTY
from bartizan.games.tower import rules, table
from bartizan.games.tower.cards import JANKEN
from bartizan.games.tower.position.cards import CardReader, Named
from bartizan.games.tower.state import (
    AFTER_LAYING,
    ATTACKS,
    DEAL,
    SUITS,
    Known,
    Phase,
    Player,
    Standing,
    State,
)
from bartizan.games.tower.words.names import SUIT_NAMES, card_of, face_name, face_text, level_text

DAMAGED = "!"
PLAYER_KEYS = ("hand", "tower", "turns")
ATTACK_KEYS = ("from", "at", "card")


# --- Writing ------------------------------------------------------------------


def write_players(state: State) -> list[dict[str, Any]]:
    """Return each seat's part of a position."""
    return [_player(player) for player in state.players[: state.seats]]


def _player(player: Player) -> dict[str, Any]:
    hand = {"hand": [JANKEN.text(card) for card in player.hand.listed()[::-1]]}
    if player.standing == Standing.BUILDING:
        return hand | {"turns": player.turns}
    tower = {SUIT_NAMES[level]: _level(player, level) for level in range(SUITS)}
    return hand | {"tower": tower, "turns": player.turns}


def _level(player: Player, level: int) -> str:
    if player.tower[level] == EMPTY:
        return NOTHING
    return level_text(player.tower[level], level) + (DAMAGED if player.damaged[level] else "")


def write_attacks(state: State) -> list[dict[str, Any]]:
    """Return the attacks in flight."""
    return [
        {"from": attack.sender, "at": attack.target, "card": face_text(attack.face)}
        for attack in state.attacks[: state.flying]
    ]


# --- Reading ------------------------------------------------------------------


def read_players(reader: CardReader, state: State) -> None:
    """Read the towers; note the hands, whose cards are dealt later."""
    entries = _entries(reader, "players", PLAYER_KEYS, state.seats, "TWR-1")
    for seat in range(state.seats):
        entry = entries[seat] if seat < len(entries) else {}
        reader.hands.append(_read_player(reader, state, seat, entry))
    state.left = sum(player.standing != Standing.OUT for player in state.players[: state.seats])
    if state.phase == Phase.LAY and state.to_move:
        state.players[state.to_move - 1].known = Known.COMPLETE


def _read_player(reader: CardReader, state: State, seat: int, entry: Mapping[str, Any]) -> list[Named]:
    """Read a player's turns and tower; return the hand, still to be dealt."""
    player, where = state.players[seat], f"player {seat + 1}"
    part = reader.part(entry, tuple(entry), where)
    player.turns = part.integer("turns", 0, 0, state.options.turn_cap, "TWR-18")
    rules.clear_tower(state, seat)
    if "tower" in entry:
        _read_tower(reader, state, player, entry["tower"], where)
    faults = len(reader.faults)
    words = part.texts("hand")
    if "hand" not in entry or len(reader.faults) > faults:
        return [None] * _usual_hand(state, seat)
    return reader.cards(state, words, f"{where}'s hand")


def _usual_hand(state: State, seat: int) -> int:
    """Return how many cards a seat holds by default."""
    standing = state.players[seat].standing
    if standing == Standing.BUILDING:
        asked = state.phase == Phase.SOURCE and state.active == seat + 1
        return DEAL - 1 if asked else DEAL
    return AFTER_LAYING if standing == Standing.DEFENDING else 0


def _read_tower(reader: CardReader, state: State, player: Player, given: Any, where: str) -> None:
    """Read a tower: for each level a card, followed by ``!`` if damaged, or ``-``, the default."""
    if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in given.values()):
        reader.fault("TWR-11", f"{where}: tower is {given!r}; it must be a table of levels")
        player.standing = Standing.DEFENDING
        return
    unknown = [name for name in given if name not in SUIT_NAMES]
    for name in unknown:
        reader.fault("TWR-11", f"{where}: a tower has no level {name!r}.{nearest(str(name), SUIT_NAMES)}")
    for level, name in enumerate(SUIT_NAMES):
        word = given.get(name, NOTHING).strip()
        if word == NOTHING:
            continue
        face = reader.face(state, word.removesuffix(DAMAGED), f"{where}'s {name}", level)
        if face % SUITS != level:
            reader.fault("TWR-11", f"{where}: the level {name} is the {face_name(face)}")
        player.tower[level] = card_of(face)
        player.damaged[level] = int(word.endswith(DAMAGED))
    stands = unknown or any(player.tower[level] != EMPTY for level in range(SUITS))
    player.standing = Standing.DEFENDING if stands else Standing.OUT


def read_attacks(reader: CardReader, state: State) -> None:
    """Read the attacks in flight."""
    for number, entry in enumerate(_entries(reader, "attacks", ATTACK_KEYS, ATTACKS, "TWR-29"), 1):
        where = f"attack {number}"
        part = reader.part(entry, tuple(entry), where)
        sender = part.integer("from", 0, 1, state.seats, "TWR-20")
        target = part.integer("at", 0, 1, state.seats, "TWR-22")
        word = entry.get("card")
        if not isinstance(word, str):
            reader.fault("TWR-20", f"{where}: card is {word!r}; it must be a card")
            continue
        face = reader.face(state, word.strip(), where)
        if sender and target:
            table.launch(state, sender, target, face)


def _entries(
    reader: CardReader, key: str, keys: tuple[str, ...], most: int, clause: str
) -> list[Mapping[str, Any]]:
    """Return a list of tables, their keys checked."""
    given = reader.given.get(key, [])
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, Mapping) for each in given):
        reader.fault("", f"{key} is {given!r}; it must be a list of tables")
        return []
    if len(given) > most:
        reader.fault(clause, f"{key} has {len(given)} entries; there is room for {most}")
    for number, entry in enumerate(given, 1):
        for name in entry:
            if name not in keys:
                reader.fault("", f"{key}, entry {number}: no key {name!r}.{nearest(str(name), keys)}")
    return list(given[:most])
