"""Declare what is on the table of a short game, so that the engine can derive everything else.

A short game is one module beside its ``clauses.toml``. Its state declares what each field is and who sees
it::

    class State(Table):
        hand = zone(5, "hand", sees="owner", per_seat=2, sort=True)
        deck = zone(28, "deck", sees="nobody")
        sides = zone(3, "stone", sees="all", per_seat=2, places=5)
        owner = seats_by(5, "Winner of stone")

`bartizan.engine.defaults` makes the parts that the game does not write itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any, Literal, get_args

from bartizan.engine.cards import UNKNOWN
from bartizan.engine.errors import UnfinishedGame, UnknownCard, quoted
from bartizan.engine.piles import insert_sorted
from bartizan.engine.record import I8, I16, U64, Record, Spec, bounds, pile_type
from bartizan.engine.record import field as number_field
from bartizan.engine.rule import rule

Sees = Literal["all", "owner", "nobody"]
UNSEEN = -2  # represents a card that a seat doesn't know


class Table(Record):
    """The base of every short game's state."""

    rng: int = number_field(U64)  # the random stream
    seats: int = number_field(I8)
    ply: int = number_field(I16)  # decisions taken
    to_move: int = number_field(I8)  # the seat that decides
    phase: int = number_field(I8)  # of the game's phases, in their order
    winner: int = number_field(I8)  # the seat that has won; 0 for no one
    ended: int = number_field(I16)  # the clause that ended the game; 0 while it runs


OWN_FIELDS = frozenset({"options"})  # they need no declaration


@dataclass(frozen=True)
class CardZone:
    """One pile of cards, or one for each seat, or one for each place of each seat."""

    name: str
    label: str
    capacity: int
    sees: Sees
    per_seat: int  # the seats that have one; 0 if it belongs to all
    places: int  # places per seat, or on the table; 0 for a single pile
    sort: bool

    @property
    def piles(self) -> int:
        """How many piles it has."""
        return max(1, self.per_seat) * max(1, self.places)

    @property
    def is_array(self) -> bool:
        """Whether the state holds several piles of it."""
        return bool(self.per_seat or self.places)

    @property
    def is_hidden(self) -> bool:
        """Whether its cards are hidden from some seat."""
        return self.sees != "all"

    def owner(self, index: int) -> int:
        """Return the seat that a pile belongs to; 0 for none."""
        return index // max(1, self.places) + 1 if self.per_seat else 0

    def place(self, index: int) -> int:
        """Return the place of a pile, from 1; 0 where there are none."""
        return index % self.places + 1 if self.places else 0

    def piles_of(self, state: Any) -> list[Any]:
        """Return the zone's piles in a state, or in what a seat sees of one."""
        value = getattr(state, self.name)
        return list(value) if self.is_array else [value]

    def pile_id(self, index: int) -> str:
        """Return the id of a pile in scenes."""
        parts = [self.name, *(str(part) for part in (self.owner(index), self.place(index)) if part)]
        return ":".join(parts)


@dataclass(frozen=True)
class Grid:
    """A board of squares, each empty or with a piece: 1 + kind * seats + seat - 1; unowned pieces follow."""

    name: str
    label: str
    columns: int
    rows: int
    pieces: tuple[str, ...]  # the kinds of pieces that seats own
    seats: int
    neutral: tuple[str, ...]  # the kinds without owner

    @property
    def squares(self) -> int:
        """How many squares it has; they are numbered row by row from the lower left."""
        return self.columns * self.rows

    @property
    def most(self) -> int:
        """The largest piece number."""
        return len(self.pieces) * self.seats + len(self.neutral)

    def owner(self, piece: int) -> int:
        """Return the seat that owns a piece, by its number; 0 if it is neutral."""
        return (piece - 1) % self.seats + 1 if 1 <= piece <= len(self.pieces) * self.seats else 0

    def kind(self, piece: int) -> str:
        """Return the name of a piece."""
        owned = len(self.pieces) * self.seats
        return self.pieces[(piece - 1) // self.seats] if piece <= owned else self.neutral[piece - owned - 1]

    def square_id(self, square: int) -> str:
        """Return the name of a square: ``a1`` at the lower left."""
        return f"{chr(ord('a') + square % self.columns)}{square // self.columns + 1}"


@dataclass(frozen=True)
class Counter:
    """A number, or one for each seat, or one for each place; or the seat that has a place."""

    name: str
    label: str
    low: int
    high: int
    per_seat: int
    places: int
    piece: str = ""  # the pieces of a heap
    is_seat: bool = False  # whether its values are seats

    @property
    def length(self) -> int:
        """How many numbers it has; 0 for a single one."""
        return max(1, self.per_seat) * max(1, self.places) if self.per_seat or self.places else 0

    @property
    def is_heaps(self) -> bool:
        """Whether each place has its own number: a heap of things."""
        return bool(self.places) and not self.is_seat

    def heap_id(self, seat: int, place: int) -> str:
        """Return the id of a heap in scenes; `place` counts from 1, `seat` is 0 if heaps belong to all."""
        return f"{self.name}:{seat}:{place}"


@dataclass(frozen=True)
class CardDeck:
    """A deck of cards, with `copies` of each; a card's id is suit * ranks + rank."""

    ranks: str  # a letter or digit each
    suits: str  # a letter each, in lower case
    names: tuple[str, ...]  # of the suits
    rank_names: tuple[str, ...] = ()  # of the ranks, if a letter isn't enough
    copies: int = field(default=1)

    def __post_init__(self) -> None:
        """Raise `UnfinishedGame` if suits or ranks lack names."""
        for what, letters, names in (
            ("suits", self.suits, self.names),
            ("ranks", self.ranks, self.rank_names),
        ):
            if len(names) != len(letters) and (names or what == "suits"):
                raise UnfinishedGame(f"CardDeck has {len(letters)} {what} and {len(names)} names for them")

    @property
    def kinds(self) -> int:
        """The number of different cards."""
        return len(self.ranks) * len(self.suits)

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.kinds * self.copies

    def text(self, card: int) -> str:
        """Return a card in notation: ``7c``."""
        if card < 0:
            return UNKNOWN
        return self.ranks[card % len(self.ranks)] + self.suits[card // len(self.ranks)]

    def name(self, card: int) -> str:
        """Return the spoken name of a card: ``7 of clubs``."""
        if card < 0:
            return "card"
        rank = card % len(self.ranks)
        return f"{(self.rank_names or self.ranks)[rank]} of {self.names[card // len(self.ranks)]}"

    def parse(self, text: str) -> int:
        """Return a card's id; raises `UnknownCard`."""
        word = text.strip()
        if len(word) == 2 and word[0].upper() in self.ranks and word[1].lower() in self.suits:
            return self.suits.index(word[1].lower()) * len(self.ranks) + self.ranks.index(word[0].upper())
        suits = ", ".join(f"{letter} ({name})" for letter, name in zip(self.suits, self.names, strict=True))
        raise UnknownCard(
            f"{quoted(text)} isn't a card: write a rank ({' '.join(self.ranks)}) and a suit: {suits}.", text
        )


def zone(
    capacity: int,
    label: str,
    *,
    sees: Sees,
    per_seat: int = 0,
    places: int = 0,
    sort: bool = False,
) -> Any:
    """Declare a pile of cards.

    Args:
        capacity: how many cards it can hold.
        label: what it is called.
        sees: who sees its cards: all, its owner, or no one.
        per_seat: the number of seats with a pile each; the pile of seat 2 at place 3 has the index
            ``(2 - 1) * places + 3 - 1``.
        places: the number of piles per seat, or on the table.
        sort: whether it is kept in order, as a hand is.

    Raises `UnfinishedGame` for any other `sees`.
    """
    if sees not in get_args(Sees):
        raise UnfinishedGame(f"sees must be 'all', 'owner' or 'nobody', not {sees!r}")
    kind = pile_type(capacity)
    spec = Spec(kind.dtype, (max(1, per_seat) * max(1, places),) if per_seat or places else (), nested=kind)
    spec.declared = CardZone("", label, capacity, sees, per_seat, places, sort)
    return spec


def grid(
    columns: int,
    rows: int,
    label: str,
    *,
    pieces: tuple[str, ...] = (),
    seats: int = 2,
    neutral: tuple[str, ...] = (),
) -> Any:
    """Declare a board of squares; with one kind of piece a square holds 0 or its owner's seat.

    Args:
        columns: how many, from 1.
        rows: how many, from 1.
        label: what it is called.
        pieces: the kinds that seats own; a square holds 1 + kind * seats + seat - 1, kinds counted from 0.
        seats: how many own pieces.
        neutral: the kinds that no one owns; their numbers follow.

    Raises `UnfinishedGame` for anything else.
    """
    numbers: dict[str, Any] = {"columns": columns, "rows": rows, "seats": seats}
    for name, number in numbers.items():
        if not isinstance(number, int) or number < 1:
            raise UnfinishedGame(f"{name} must be a whole number from 1, not {number!r}")
    names: dict[str, Any] = {"pieces": pieces, "neutral": neutral}
    for name, kinds in names.items():
        if isinstance(kinds, str):
            raise UnfinishedGame(f'{name} must be a tuple, with a comma even for one: ("{kinds}",)')
    spec = Spec(I8, (columns * rows,))
    spec.declared = Grid("", label, columns, rows, pieces, seats, neutral)
    return spec


def counter(
    label: str, *, high: int, low: int = 0, per_seat: int = 0, places: int = 0, piece: str = "piece"
) -> Any:
    """Declare a number from `low` to `high` that everyone sees, or one for each seat or place.

    With `places`, each is a heap, such as a pit in Mancala, which is drawn with its pieces and can be
    touched.
    """
    kind = I8 if bounds(I8)[0] <= low and high <= bounds(I8)[1] else I16
    made = Counter("", label, low, high, per_seat, places, piece)
    spec = Spec(kind, (made.length,) if made.length else ())
    spec.declared = made
    return spec


def seats_by(places: int, label: str, *, seats: int = 2) -> Any:
    """Declare, for each place, the seat that owns it; 0 for none."""
    spec = Spec(I8, (places,))
    spec.declared = Counter("", label, 0, seats, 0, places, is_seat=True)
    return spec


Declared = CardZone | Grid | Counter


def declared(state: type[Record]) -> dict[str, Declared]:
    """Return what a short game's state declares, by field.

    Raises `TypeError` for a field without a declaration.
    """
    declared: dict[str, Declared] = {}
    for name, spec in state._specs.items():
        what = getattr(spec, "declared", None)
        if what is not None:
            declared[name] = type(what)(**{**vars(what), "name": name})
        elif name not in Table._specs and name not in OWN_FIELDS:
            raise TypeError(
                f"State.{name} does not say what it is: declare it with zone, grid, counter or seats_by."
            )
    return declared


def size_of(what: Declared) -> int:
    """Return how many numbers, or piles, a field has."""
    if isinstance(what, Grid):
        return what.squares
    return what.piles if isinstance(what, CardZone) else prod([max(1, what.per_seat), max(1, what.places)])


# --- What the rules of short games call -------------------------------------------


@rule
def pass_turn(s: Any) -> None:
    """Pass the turn to the next seat."""
    s.to_move = s.to_move % s.seats + 1


@rule
def win(s: Any, seat: int, clause: int) -> None:
    """End the game by a clause: a seat has won."""
    s.winner, s.ended = seat, clause


@rule
def tie(s: Any, clause: int) -> None:
    """End the game by a clause: no one has won."""
    s.winner, s.ended = 0, clause


@rule
def sort_pile(p: Any) -> None:
    """Put a pile in ascending order."""
    held = p.count
    p.count = 0
    for place in range(held):
        insert_sorted(p, p.cards[place])
