"""Cards, options and positions of Card-cassonne, read and written (part of the second implementation)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.reference.options import completed

Cell = tuple[int, int]
Options = Mapping[str, Any]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS] * 2  # CC-3
FACES = "JQKA"  # CC-32
STARTER: Cell = (0, 0)
REMOVED = {2: 11, 3: 13, 4: 11}  # CC-Q1

DEFAULTS: dict[str, Any] = {
    "removed": None,  # by the number of seats
    "tokens": 7,
    "same_suit": "touched",
    "ace": "high",
    "count": "cells",
    "partial_scoring": "any",
    "end": "hands_empty",
    "complete_bonus": 3,
    "rescore_growth": "none",
    "final_partial_scoring": False,
    "token_before_score": True,
    "hand": 3,  # CC-6
    "board": "unbounded",
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "same_suit": ("touched", "placed"),
    "ace": ("high", "low"),
    "count": ("cells", "edges"),
    "partial_scoring": ("any", "touched", "own_token"),
    "end": ("hands_empty", "deck_empty_round"),
    "rescore_growth": ("none", "must_have_grown_by_2", "token_waits_a_turn"),
}
RANGES = {"removed": (0, 103), "tokens": (1, 20), "complete_bonus": (0, 5), "hand": (1, 3)}


def full_options(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fill in the defaults; ValueError for what is no option."""
    return completed(given, DEFAULTS, CHOICES, RANGES, {"board": read_board})


def read_board(word: str) -> str:
    """Check the size of a board with an edge."""
    if word != "unbounded" and (not re.fullmatch(r"\d+x\d+", word) or min(size_of(word)) < 3):
        raise ValueError(f"board = {word!r}")
    return word


def removed(options: Options, seats: int) -> int:
    """CC-5, CC-8: count the cards that are set aside before the deal."""
    return REMOVED[seats] if options["removed"] is None else int(options["removed"])


# --- the table ----------------------------------------------------------------------------------------


def size_of(board: str) -> tuple[int, int]:
    width, height = board.split("x")
    return int(width), int(height)


def on_table(options: Options, cell: Cell) -> bool:
    """CC-Q6: whether a cell exists; without bounds every cell does."""
    if options["board"] == "unbounded":
        return True
    return all(
        -((size - 1) // 2) <= place <= size // 2
        for place, size in zip(cell, size_of(options["board"]), strict=True)
    )


def neighbours(options: Options, cell: Cell) -> list[Cell]:
    """List the cells that touch a cell (CC-12, CC-Q25), in no way diagonally."""
    x, y = cell
    return [each for each in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if on_table(options, each)]


def write_cell(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def number(card: str, options: Options) -> int:
    """CC-15, CC-Q3: the number that counts for the range."""
    if card[0] == "A" and options["ace"] == "low":
        return 1
    return RANKS.index(card[0]) + 2


# --- positions ----------------------------------------------------------------------------------------


@dataclass
class Player:
    """What lies before one player."""

    hand: list[str]
    supply: int
    score: int = 0


@dataclass
class Position:
    """A position as the notation describes it; `events` collects the clauses that acted, for the audit."""

    board: dict[Cell, str]
    players: list[Player]
    tokens: dict[Cell, int] = field(default_factory=dict)
    to_move: int = 1
    first: int = 1
    phase: str = "play"
    last: Cell | None = None
    deck: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    scored: dict[Cell, int] = field(default_factory=dict)
    winner: list[int] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def mover(self) -> Player:
        return self.players[self.to_move - 1]

    def copy(self) -> Position:
        players = [replace(player, hand=list(player.hand)) for player in self.players]
        return replace(
            self,
            board=dict(self.board),
            players=players,
            tokens=dict(self.tokens),
            deck=list(self.deck),
            aside=list(self.aside),
            scored=dict(self.scored),
            winner=list(self.winner),
            events=[],
        )

    def cards(self) -> list[str]:
        """List every card, wherever it is."""
        hands = [card for player in self.players for card in player.hand]
        return [*self.board.values(), *hands, *self.deck, *self.aside]

    def write(self) -> dict[str, Any]:
        position: dict[str, Any] = {
            "board": {write_cell(cell): card for cell, card in sorted(self.board.items())},
            "tokens": {write_cell(cell): seat for cell, seat in sorted(self.tokens.items())},
            "to_move": self.to_move,
            "first": self.first,
            "phase": self.phase,
            "players": [
                {"hand": sorted(player.hand), "score": player.score, "supply": player.supply}
                for player in self.players
            ],
            "deck": list(self.deck),
            "aside": sorted(self.aside),
        }
        if self.last is not None and self.phase in ("token", "score"):
            position["last"] = write_cell(self.last)
        if self.scored:
            position["scored"] = {write_cell(cell): size for cell, size in sorted(self.scored.items())}
        if self.phase == "over":
            position["winner"] = self.winner[0] if len(self.winner) == 1 else list(self.winner)
        return position


def read_winner(written: Any) -> list[int]:
    if written in (None, "none"):
        return []
    return sorted(written) if isinstance(written, list) else [int(written)]


def read_position(
    given: Mapping[str, Any],
    options: Options,
    seats: int,
    rng: random.Random | None = None,
    fill: bool = True,
) -> Position:
    """Read a position in the published form; what is left out is dealt as in a fresh set-up.

    Without `fill` cards named nowhere stay nowhere.
    """
    written = [dict(player) for player in given.get("players", [{} for _ in range(seats)])]
    named = list(given.get("board", {}).values())
    named += [card for player in written for card in player.get("hand", [])]
    named += [*given.get("deck", []), *given.get("aside", [])]
    unnamed = list((Counter(DECK) - Counter(named)).elements())
    (rng or random.Random(0)).shuffle(unnamed)

    board = {read_cell(cell): card for cell, card in given.get("board", {}).items()}
    if "board" not in given:
        board[STARTER] = unnamed.pop()
    tokens = {read_cell(cell): seat for cell, seat in given.get("tokens", {}).items()}
    players = []
    for seat, player in enumerate(written, 1):
        hand = list(player["hand"]) if "hand" in player else [unnamed.pop() for _ in range(options["hand"])]
        placed = list(tokens.values()).count(seat)
        players.append(Player(hand, player.get("supply", options["tokens"] - placed), player.get("score", 0)))
    deck, aside = list(given.get("deck", [])), list(given.get("aside", []))
    if given.get("rest") == "aside":
        aside += unnamed
    elif fill:
        missing = max(0, removed(options, seats) - len(aside))
        aside += unnamed[:missing]
        deck += unnamed[missing:]
    first = given.get("first", 1)
    return Position(
        board=board,
        players=players,
        tokens=tokens,
        to_move=given.get("to_move", 0 if given.get("phase") == "over" else first),
        first=first,
        phase=given.get("phase", "play"),
        last=read_cell(given["last"]) if "last" in given else None,
        deck=deck,
        aside=aside,
        scored={read_cell(cell): size for cell, size in given.get("scored", {}).items()},
        winner=read_winner(given.get("winner")),
    )


# --- positions that break a rule ------------------------------------------------------------------------

KEYS = ("board", "tokens", "to_move", "first", "phase", "last", "players", "deck", "aside", "scored")
Fault = tuple[str, str]  # the clause, or nothing where the form is broken, and a sentence


def position_faults(given: Mapping[str, Any], options: Options, seats: int) -> list[Fault]:
    """List everything that is wrong with a written position."""
    faults = removed_faults(options, seats)
    if form := form_faults(given, seats):
        return faults + form
    if faults:
        return faults
    position = read_position(given, options, seats)
    return [
        *card_faults(position, options),
        *board_faults(position, options),
        *token_faults(position, options),
        *phase_faults(position, options),
    ]


def removed_faults(options: Options, seats: int) -> list[Fault]:
    """CC-5, CC-8, CC-Q1: all players get equally many cards, a handful at least."""
    played = len(DECK) - 1 - removed(options, seats)
    if played % seats or played < options["hand"] * seats:
        sentence = f"{played} cards do not make equal shares for {seats} seats"
        return [(clause, sentence) for clause in ("CC-5", "CC-8", "CC-Q1")]
    return []


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_cell(text: Any) -> bool:
    return isinstance(text, str) and re.fullmatch(r"-?\d+,-?\d+", text) is not None


def form_faults(given: Mapping[str, Any], seats: int) -> list[Fault]:
    """List what keeps a position from being read at all."""
    faults = [("", f"there is no key {key!r}") for key in given if key not in (*KEYS, "winner", "rest")]
    for key in ("board", "tokens", "scored"):
        faults += [("", f"{key}: {cell!r} is no cell") for cell in given.get(key, {}) if not is_cell(cell)]
    if "last" in given and not is_cell(given["last"]):
        faults.append(("", "last is a cell"))
    players = given.get("players", [])
    if "players" in given and len(players) != seats:
        faults.append(("CC-2", f"{len(players)} players at {seats} seats"))
    hands: list[Sequence[str]] = [player.get("hand", []) for player in players]
    piles = [list(given.get("board", {}).values()), *hands, given.get("deck", []), given.get("aside", [])]
    faults += [("", f"{card!r} is no card") for pile in piles for card in pile if card not in DECK]
    figures = [player.get(key, 0) for player in players for key in ("score", "supply")]
    figures += [*given.get("tokens", {}).values(), *given.get("scored", {}).values()]
    if not all(is_whole(figure) and figure >= 0 for figure in figures):
        faults.append(("", "scores, supplies, owners and sizes are numbers"))
    if given.get("first", 1) not in range(1, seats + 1):
        faults.append(("CC-2", "first is a seat"))
    if given.get("to_move", 1) not in range(seats + 1):
        faults.append(("CC-2", "to_move is a seat"))
    if given.get("phase", "play") not in ("play", "token", "score", "over"):
        faults.append(("", "phase is play, token, score or over"))
    return faults


def card_faults(position: Position, options: Options) -> list[Fault]:
    """CC-3 and CC-6: two of each card, three in a hand."""
    thrice = sorted(Counter(position.cards()) - Counter(DECK))
    faults = [(clause, f"{card} a third time") for card in thrice for clause in ("CC-3", "CC-Q24", "CC-Q1")]
    for seat, player in enumerate(position.players, 1):
        playing = seat == position.to_move and position.phase in ("token", "score")
        if len(player.hand) > options["hand"] - playing:
            faults += [(clause, f"seat {seat} holds too many cards") for clause in ("CC-6", "CC-11")]
    return faults


def board_faults(position: Position, options: Options) -> list[Fault]:
    """CC-4, CC-12, CC-Q6, CC-Q25: the cards hang together, around the starter and on the table."""
    faults = [("CC-Q6", f"{cell} is off the table") for cell in position.board if not on_table(options, cell)]
    if STARTER not in position.board:
        faults.append(("CC-4", "no card lies at 0,0"))
    reached: set[Cell] = set()
    waiting = list(position.board)[:1]
    while waiting:
        cell = waiting.pop()
        if cell not in reached:
            reached.add(cell)
            waiting += [each for each in neighbours(options, cell) if each in position.board]
    if len(reached) < len(position.board):
        faults += [(clause, "the cards do not hang together") for clause in ("CC-12", "CC-Q25")]
    return faults


def token_faults(position: Position, options: Options) -> list[Fault]:
    """CC-7, CC-9, CC-19, CC-29: a token lies on a card or in its owner's supply."""
    faults = []
    for cell, seat in position.tokens.items():
        if cell not in position.board:
            faults += [(clause, f"no card under the token at {cell}") for clause in ("CC-19", "CC-29")]
        if not 1 <= seat <= position.seats:
            faults += [(clause, f"seat {seat} has no tokens") for clause in ("CC-2", "CC-7")]
    for seat, player in enumerate(position.players, 1):
        placed = list(position.tokens.values()).count(seat)
        if player.supply < 0 or player.supply + placed != options["tokens"]:
            sentence = f"seat {seat} has {placed} tokens on the board and {player.supply} before it"
            faults += [(clause, sentence) for clause in ("CC-3", "CC-7", "CC-9", "CC-28", "CC-29")]
    return faults


def phase_faults(position: Position, options: Options) -> list[Fault]:
    """CC-11: what the step under way asks for."""
    faults = []
    if (position.phase == "over") != (position.to_move == 0):
        faults.append(("CC-11", "nobody is to move, and only then, when the game is over"))
    if position.phase in ("token", "score") and position.last not in position.board:
        faults += [(clause, "the card just played is on the board") for clause in ("CC-11", "CC-19")]
    if position.scored and options["rescore_growth"] != "must_have_grown_by_2":
        faults.append(("CC-Q21", "nobody asks how large an area was"))
    if any(cell not in position.board for cell in position.scored):
        faults += [(clause, "what was scored is on the board") for clause in ("CC-16", "CC-Q21")]
    return faults
