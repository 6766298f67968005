"""Cards, options and positions of Tower, read and written (part of the second implementation)."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.options import completed

SUITS = "rpswl"
RANKS = "23456789TJQKA"
JOKER = "*"
GONE = "-"
DAMAGED = "!"
LEVELS = {"rock": "r", "paper": "p", "scissors": "s", "water": "w", "lizard": "l"}  # bottom first (TWR-11)
LEVEL_OF = {suit: level for level, suit in LEVELS.items()}
# Which suits each suit beats: section 0 of the rules document.
BEATS = {"r": "sl", "p": "rw", "s": "pl", "w": "rs", "l": "pw"}

PART_ONE = ("exchange", "source", "lay")
PHASES = (*PART_ONE, "arrival", "battle", "draw", "defend", "over")

DEFAULTS: dict[str, Any] = {
    "redraw_own_cards": False,
    "defence_window": "own_turn",
    "deflect_for_others": True,
    "jokers": 0,
    "decks": 0,  # by the number of seats
    "forced_leftovers": "discard",
    "lay_down": "own_turn",
    "third_card": "limit",
    "moat_loss_no_draw": "limit",
    "hand": 3,
    "plays": 2,
    "min_plays": 2,
    "last_turn": "window",
    "build_cap": 40,
    "turn_cap": 150,
    "cap_result": "draw",
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "redraw_own_cards": (False, True),
    "defence_window": ("own_turn", "any_time"),
    "deflect_for_others": (True, False),
    "jokers": (0, 2),
    "decks": (1, 2),
    "forced_leftovers": ("discard", "keep"),
    "lay_down": ("own_turn", "any_time"),
    "third_card": ("limit", "moat"),
    "moat_loss_no_draw": ("limit", "strict"),
    "hand": (3, 2, 4, 6),
    "plays": (2, 1, 3),
    "min_plays": (2, 0, 1),
    "last_turn": ("window", "extra"),
    "cap_result": ("draw", "levels"),
}
CAPS = {"build_cap": (1, 1000), "turn_cap": (1, 1000)}


def full_options(given: Mapping[str, Any] | None, seats: int) -> dict[str, Any]:
    """Fill in the defaults; ValueError for what is no option."""
    by_seats = {"0": 0, "auto": 0, "none": 0}.get
    options = completed(given, DEFAULTS, CHOICES, CAPS, {"decks": by_seats})
    if options["decks"] == 0:
        options["decks"] = 1 if seats <= 4 else 2  # TWR-Q1
    return options


# --- cards ----------------------------------------------------------------------------------------------


def suit_of(card: str) -> str:
    """Give a card's suit; "" for a Joker that has none yet."""
    return card[1:2] if card[1:2] in SUITS else ""


def attack_rank(card: str) -> int:
    """TWR-59, TWR-Q2, TWR-Q3: an Ace is low in attack and a Joker lower still."""
    if card[0] == JOKER:
        return 0
    return 1 if card[0] == "A" else RANKS.index(card[0]) + 2


def defence_rank(card: str) -> int:
    """TWR-59, TWR-Q2: an Ace is high as a level and when it deflects; a Joker is 0."""
    return 0 if card[0] == JOKER else RANKS.index(card[0]) + 2


def in_hand(card: str) -> str:
    """Give a card as it lies in a hand or a pile: a Joker loses its suit."""
    return JOKER if card[0] == JOKER else card[:2]


def deck_of(options: Mapping[str, Any]) -> list[str]:
    """List the cards of the game (TWR-3, TWR-Q1, TWR-Q2)."""
    decks, jokers = int(options["decks"]), int(options["jokers"])
    return [rank + suit for suit in SUITS for rank in RANKS] * decks + [JOKER] * jokers


# --- positions ------------------------------------------------------------------------------------------


@dataclass
class Player:
    """A player; `tower` is None until it is laid, then maps each level to its card, `!` behind if damaged."""

    hand: list[str]
    tower: dict[str, str] | None = None
    turns: int = 0

    @property
    def out(self) -> bool:
        """TWR-61, TWR-Q35."""
        return self.tower is not None and all(card == GONE for card in self.tower.values())

    @property
    def stands(self) -> bool:
        return self.tower is not None and not self.out

    def level(self, name: str) -> str:
        return self.tower[name] if self.tower is not None else GONE

    def intact(self, name: str) -> bool:
        return self.level(name) != GONE and not self.damaged(name)

    def damaged(self, name: str) -> bool:
        return self.level(name).endswith(DAMAGED)

    def hand_limit(self, options: Mapping[str, Any]) -> int:
        """TWR-14, TWR-47."""
        return int(options["hand"]) + (2 if self.intact("water") else 0)


@dataclass(frozen=True)
class Attack:
    """A card in flight; a Joker has its suit behind it."""

    seat: int
    at: int
    card: str

    def write(self) -> dict[str, Any]:
        return {"from": self.seat, "at": self.at, "card": self.card}


@dataclass
class Position:
    """A position as the notation describes it; seats are numbered from 1, piles are top first."""

    players: list[Player]
    to_move: int = 1
    phase: str = "exchange"
    plays_left: int = 0
    attacks: list[Attack] = field(default_factory=list)
    deflected: int = 0
    mended: bool = False
    spent: list[str] = field(default_factory=list)
    draws_left: int = 0
    draws_must: int = 0
    arriving: int = 0
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    rubble: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    winner: int | str = "none"

    @property
    def laying(self) -> bool:
        """TWR-12: the three cards after laying; the tower is whole and has taken all of the hand."""
        if self.phase != "draw" or not all(self.mover.intact(level) for level in LEVELS):
            return False
        return self.plays_left > 0 or (
            self.draws_must == self.draws_left and self.draws_left + len(self.mover.hand) == 3
        )

    def of(self, seat: int) -> Player:
        return self.players[seat - 1]

    @property
    def mover(self) -> Player:
        return self.of(self.to_move)

    @property
    def seats(self) -> range:
        return range(1, len(self.players) + 1)

    def clockwise_from(self, seat: int) -> list[int]:
        """List all seats in turn order, the given one first."""
        return [(seat - 1 + step) % len(self.players) + 1 for step in range(len(self.players))]

    def attacks_from(self, seat: int) -> list[Attack]:
        return [attack for attack in self.attacks if attack.seat == seat]

    def attacked_before(self, first: int, seat: int) -> bool:
        """Say whether a seat is attacked by one whose turn comes before its own, from `first` on."""
        order = self.clockwise_from(first)
        return any(attack.at == seat and attack.seat in order[: order.index(seat)] for attack in self.attacks)

    def copy(self) -> Position:
        return copy.deepcopy(self)

    def everything(self) -> list[str]:
        """List every card of the position as it would lie in a hand."""
        piles = [self.deck, self.discard, self.rubble, self.aside, self.spent]
        cards = [card for pile in piles for card in pile]
        cards += [attack.card for attack in self.attacks]
        for player in self.players:
            cards += player.hand
            cards += [card for card in (player.tower or {}).values() if card != GONE]
        return [in_hand(card) for card in cards]

    def write(self) -> dict[str, Any]:
        """Write the position with every key that means something in its phase."""
        written: dict[str, Any] = {"to_move": self.to_move, "phase": self.phase}
        if self.phase == "battle" or self.plays_left:
            written["plays_left"] = self.plays_left
        written["players"] = [
            {"hand": list(player.hand)}
            | ({} if player.tower is None else {"tower": dict(player.tower)})
            | {"turns": player.turns}
            for player in self.players
        ]
        written["attacks"] = [attack.write() for attack in self.attacks]
        if self.phase in ("battle", "defend"):
            written["deflected"] = self.deflected
        if self.phase == "battle":
            written["mended"] = self.mended
        if self.phase == "draw":
            written |= {"draws_left": self.draws_left, "draws_must": self.draws_must}
        if self.arriving:
            written["arriving"] = self.arriving
        for pile in PILES:
            if pile != "aside" or self.aside:
                written[pile] = list(getattr(self, pile))
        written["winner"] = self.winner
        return written

    @classmethod
    def read(cls, data: Mapping[str, Any], options: Mapping[str, Any]) -> Position:
        """Read a position with all its cards; ValueError for an unknown key or card."""
        unknown = set(data) - KEYS
        if unknown:
            raise ValueError(f"a position of Tower has no key {sorted(unknown)[0]!r}")
        players = [read_player(player) for player in data["players"]]
        attacks = [
            Attack(attack["from"], attack["at"], read_card(attack["card"]))
            for attack in data.get("attacks", [])
        ]
        to_move = data.get("to_move", 1)
        inside = 1 <= to_move <= len(players)
        unbuilt = inside and players[to_move - 1].tower is None
        phase = data.get("phase", "exchange" if unbuilt else "battle")
        position = cls(players, to_move, phase, attacks=attacks)
        for pile in PILES:
            setattr(position, pile, [read_card(card) for card in data.get(pile, [])])
        position.plays_left = data.get("plays_left", options["plays"]) if phase == "battle" else 0
        if phase == "draw" and options["lay_down"] == "any_time":
            position.plays_left = data.get("plays_left", 0)
        if phase in ("battle", "defend"):
            position.deflected = data.get("deflected", 0)
        if phase == "battle":
            position.mended = data.get("mended", False)
        if phase == "draw" and inside:
            held = len(position.mover.hand)
            most = most_draws(position.mover, options)
            due = max(
                0, 3 - held if position.plays_left else min(most, position.mover.hand_limit(options) - held)
            )
            position.draws_left = data.get("draws_left", due)
            most = due if position.plays_left else min(2, due)
            position.draws_must = data.get("draws_must", min(most, position.draws_left))
        position.arriving = data.get("arriving", 0) if phase in ("defend", "battle", "draw") else 0
        winner = data.get("winner", "none")
        position.winner = int(winner) if str(winner).isdecimal() else winner
        return position


PILES = ("spent", "deck", "discard", "rubble", "aside")
KEYS = {
    *("to_move", "phase", "plays_left", "players", "attacks", "deflected", "mended"),
    *("draws_left", "draws_must", "arriving", "winner", *PILES),
}
CARD = re.compile(r"[2-9TJQKA][rpswl]|\*[rpswl]?")


def read_card(text: str) -> str:
    """Read a card that may lie face down; ValueError for an unknown one."""
    card = text.removeprefix("~")
    if not CARD.fullmatch(card):
        raise ValueError(f"{text!r} is no Janken card")
    return card


def read_player(data: Mapping[str, Any]) -> Player:
    """Read a seat's entry; a level left out of a tower is gone."""
    unknown = set(data) - {"hand", "tower", "turns"}
    if unknown:
        raise ValueError(f"a player of Tower has no key {sorted(unknown)[0]!r}")
    tower = None
    if "tower" in data:
        wrong = set(data["tower"]) - set(LEVELS)
        if wrong:
            raise ValueError(f"a tower has no level {sorted(wrong)[0]!r}")
        tower = {level: read_level(data["tower"].get(level, GONE)) for level in LEVELS}
    return Player([read_card(card) for card in data.get("hand", [])], tower, data.get("turns", 0))


def read_level(text: str) -> str:
    if text == GONE:
        return GONE
    card = read_card(text.removesuffix(DAMAGED))
    return card + (DAMAGED if text.endswith(DAMAGED) else "")


# --- what a position must keep --------------------------------------------------------------------------

Fault = tuple[str, str]


def position_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """List everything that a position breaks: the clause and a sentence."""
    faults = card_faults(position, options)
    for seat in position.seats:
        faults += player_faults(seat, position.of(seat), options)
    for attack in position.attacks:
        faults += attack_faults(position, attack)
    faults += [
        ("TWR-29", f"seat {seat} has more than two attacks in flight")
        for seat in position.seats
        if len(position.attacks_from(seat)) > 2
    ]
    over = position.phase == "over"  # nobody is to move
    if position.to_move not in position.seats and not (over and position.to_move == 0):
        return [*faults, ("TWR-6", f"there is no seat {position.to_move}")]
    return faults + phase_faults(position, options)


def card_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """TWR-3: no more of a card than the game has."""
    over = Counter(position.everything()) - Counter(deck_of(options))
    return [("TWR-3", f"{count} too many of {card}") for card, count in over.items()]


def player_faults(seat: int, player: Player, options: Mapping[str, Any]) -> list[Fault]:
    faults: list[Fault] = []
    if any(card[0] == JOKER and card != JOKER for card in player.hand):
        faults.append(("TWR-3", f"a Joker in the hand of seat {seat} has a suit already"))
    for level, card in (player.tower or {}).items():
        if card != GONE and suit_of(card) != LEVELS[level]:
            faults.append(("TWR-11", f"the {level} level of seat {seat} is {card}"))
    if player.out and player.hand:
        faults.append(("TWR-61", f"seat {seat} is out and holds cards"))
    if player.tower is None and len(player.hand) > 5:
        faults.append(("TWR-4", f"seat {seat} holds {len(player.hand)} cards before building"))
    most = max(options["hand"] + 2, 7 if options["forced_leftovers"] == "keep" else 0)
    if player.tower is not None and len(player.hand) > most:
        faults.append(("TWR-14", f"seat {seat} holds {len(player.hand)} cards"))
    if not 0 <= player.turns <= options["turn_cap"]:
        faults.append(("TWR-6", f"seat {seat} has had {player.turns} turns"))
    return faults


def attack_faults(position: Position, attack: Attack) -> list[Fault]:
    faults: list[Fault] = []
    if attack.seat not in position.seats or attack.at not in position.seats:
        return [("TWR-20", f"{attack.card} flies between seats that do not exist")]
    if attack.seat == attack.at:
        faults.append(("TWR-17", f"seat {attack.at} attacks itself"))
    for seat in (attack.seat, attack.at):
        if position.of(seat).tower is None:
            faults.append(("TWR-17", f"seat {seat} has no tower, so {attack.card} cannot fly"))
    if not suit_of(attack.card):
        faults.append(("TWR-24", "an attacking Joker needs a suit"))
    return faults


def phase_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """Check what each phase asks of the mover and of the counts."""
    phase, mover = position.phase, position.mover
    faults: list[Fault] = []
    if phase not in PHASES:
        return [("TWR-18", f"there is no phase {phase!r}")]
    over = phase == "over"
    if over != (position.winner != "none"):
        faults.append(("TWR-64", "a game is over where it has a winner or is drawn"))
    if position.winner not in ("none", "draw"):
        if position.winner not in position.seats:
            faults.append(("TWR-64", f"there is no winner {position.winner!r}"))
        elif position.of(int(position.winner)).out:
            faults.append(("TWR-64", f"the winner {position.winner} is out"))
    if over:
        return faults + end_faults(position, options)
    owner = position.arriving if phase == "defend" else position.to_move  # whose turn it is
    if owner in position.seats and not position.of(owner).out:
        if position.of(owner).turns >= options["turn_cap"]:
            faults.append(("TWR-64", f"seat {owner} has had all its turns"))
    if phase in PART_ONE and mover.tower is not None:
        faults.append(("TWR-12", f"seat {position.to_move} has laid its tower and exchanges no more"))
    if phase == "arrival" and mover.tower is None:
        faults.append(("TWR-17", f"seat {position.to_move} has no tower and no attacks"))
    if phase in ("battle", "draw", "defend") and not mover.stands:
        clause = "TWR-61" if mover.out else "TWR-12"
        faults.append((clause, f"seat {position.to_move} has no standing tower"))
    if phase == "lay" and not complete(mover.hand):
        faults.append(("TWR-9", "only a hand with all five suits may be laid"))
    faults += count_faults(position, options) + draw_faults(position, options)
    return faults + window_faults(position, options) + last_turn_faults(position, options)


def end_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """TWR-64, TWR-65, TWR-Q36: a game ends with one unthreatened player, with none, or at the turn cap."""
    left = [seat for seat in position.seats if not position.of(seat).out]
    if not left:
        return [] if position.winner == "draw" else [("TWR-65", "a seat wins that is out like all others")]
    if len(left) == 1 and not any(attack.at == left[0] for attack in position.attacks):
        return [] if position.winner == left[0] else [("TWR-64", f"seat {left[0]} alone is left")]
    if all(position.of(seat).turns < options["turn_cap"] for seat in left):
        return [("TWR-64", "several are left and have turns to take")]
    best = best_at_the_cap(position) if options["cap_result"] == "levels" else "draw"
    return [] if position.winner == best else [("TWR-64", f"at the turn cap the result is {best}")]


def best_at_the_cap(position: Position) -> int | str:
    """TWR-Q36: who has most intact, then damaged levels; where several have, it is a draw."""
    strength = {
        seat: (
            sum(position.of(seat).intact(level) for level in LEVELS),
            sum(position.of(seat).damaged(level) for level in LEVELS),
        )
        for seat in position.seats
        if not position.of(seat).out
    }
    best = [seat for seat, levels in strength.items() if levels == max(strength.values())]
    return best[0] if len(best) == 1 else "draw"


def count_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    phase, faults = position.phase, []
    if phase == "source" and len(position.spent) != 1:
        faults.append(("TWR-7", "one card is exchanged at a time"))
    if len(position.spent) > (1 if phase in PART_ONE else options["plays"] - position.plays_left):
        faults.append(("TWR-13", "more cards were put down than a turn allows"))
    if phase in ("exchange", "arrival", "defend") and position.spent:
        faults.append(("TWR-18", "nothing has been put down yet in this turn"))
    if not 0 <= position.plays_left <= options["plays"]:
        faults.append(("TWR-13", f"{position.plays_left} plays are left"))
    if not 0 <= position.draws_must <= position.draws_left <= 3:
        faults.append(("TWR-53", f"{position.draws_left} cards are left to draw"))
    if position.draws_left and len(position.mover.hand) + position.draws_left > position.mover.hand_limit(
        options
    ):
        faults.append(("TWR-14", "more cards are left to draw than the hand may hold"))
    if phase == "battle":
        used = len(position.attacks_from(position.to_move)) + position.deflected + position.mended
        if used > options["plays"] - position.plays_left:
            faults.append(("TWR-13", "more was done in this turn than there were plays"))
    return faults


def window_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    if position.phase != "defend":
        return []
    if options["defence_window"] != "any_time":
        return [("TWR-31", "one defends in one's own turn only")]
    if position.arriving == position.to_move or not position.attacks_from(position.arriving):
        return [("TWR-31", f"no attack of seat {position.arriving} arrives at others")]
    return []


def draw_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    if position.plays_left or position.draws_left <= most_draws(position.mover, options):
        return []
    return [("TWR-19", "a third card needs an undamaged Moat")]


def last_turn_faults(position: Position, options: Mapping[str, Any]) -> list[Fault]:
    """TWR-63, TWR-Q32: only the last player has an extra turn, before another's attacks on him."""
    if not position.arriving or position.phase == "defend":
        return []
    left = [seat for seat in position.seats if not position.of(seat).out]
    if options["last_turn"] != "extra" or left != [position.to_move] or position.arriving in left:
        return [("TWR-63", "this is no extra turn of the last player")]
    untouched = position.phase == "battle" and position.deflected == 0
    if untouched and not position.attacked_before(position.arriving, position.to_move):
        return [("TWR-63", "nothing arrives before the player's next turn")]
    return []


def most_draws(player: Player, options: Mapping[str, Any]) -> int:
    """TWR-19, TWR-Q13: how many cards the end of a turn can bring."""
    return 2 if options["third_card"] == "moat" and not player.intact("water") else 3


def complete(hand: list[str]) -> bool:
    """TWR-5, TWR-9, TWR-Q2: five cards make a tower; Jokers stand in for missing suits."""
    suits = {suit_of(card) for card in hand if card != JOKER}
    return len(hand) == 5 and len(suits) + hand.count(JOKER) == 5
