"""Gather what a short game declares, for the modules that derive the rest."""

from __future__ import annotations

import re
import types
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bartizan.engine.actions import ActionSpace
from bartizan.engine.clauses import Rulebook, code
from bartizan.engine.errors import UnfinishedGame
from bartizan.engine.record import Record
from bartizan.engine.rule import generated_rule
from bartizan.engine.table import CardDeck, CardZone, Counter, Declared, Grid, Table, declared

SPARE_SIGNS = "XOABCDEFGHIJKLMNPQRSTUVWYZxoabcdefghijklmnpqrstuvwyz"


@dataclass(frozen=True)
class ShortGame:
    """A game in one module, and what follows from it."""

    name: str  # as in addresses
    home: types.ModuleType
    max_seats: int
    seat_names: tuple[str, ...]
    book: Rulebook

    @cached_property
    def state(self) -> type[Record]:
        """The record of the whole table."""
        state: type[Record] = self._get("State")
        if not issubclass(state, Table):
            raise UnfinishedGame(f"The game {self.name!r}: its State must be a Table.")
        return state

    @cached_property
    def actions(self) -> ActionSpace:
        """The numbering of its actions."""
        actions: ActionSpace = self._get("ACTIONS")
        return actions

    @cached_property
    def deck(self) -> CardDeck | None:
        """Its deck of cards, if it has one."""
        deck: CardDeck | None = getattr(self.home, "CARDS", None)
        return deck

    @cached_property
    def fields(self) -> dict[str, Declared]:
        """What its state declares."""
        try:
            return declared(self.state)
        except TypeError as error:
            raise UnfinishedGame(f"The game {self.name!r}: {error}") from error

    @cached_property
    def zones(self) -> list[CardZone]:
        """Its piles of cards."""
        return [each for each in self.fields.values() if isinstance(each, CardZone)]

    @cached_property
    def grids(self) -> list[Grid]:
        """Its boards."""
        return [each for each in self.fields.values() if isinstance(each, Grid)]

    @cached_property
    def counters(self) -> list[Counter]:
        """Its numbers."""
        return [each for each in self.fields.values() if isinstance(each, Counter)]

    @cached_property
    def heaps(self) -> list[Counter]:
        """Its rows of heaps."""
        return [each for each in self.counters if each.is_heaps]

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat, named by its first seat; without TEAMS every seat is its own."""
        given = getattr(self.home, "TEAMS", ())
        if not isinstance(given, tuple | list) or not all(
            isinstance(team, tuple | list) and team for team in given
        ):
            raise UnfinishedGame(
                f"The game {self.name!r}: TEAMS lists teams of seats, such as ((1, 3), (2, 4))."
            )
        seats = [seat for team in given for seat in team]
        if len(set(seats)) < len(seats) or not set(seats) <= set(range(1, self.max_seats + 1)):
            raise UnfinishedGame(
                f"The game {self.name!r}: TEAMS can name each seat, 1 to {self.max_seats}, only once."
            )
        first = {seat: min(team) for team in given for seat in team}
        return tuple(first.get(seat, seat) for seat in range(1, self.max_seats + 1))

    @cached_property
    def stock(self) -> CardZone | None:
        """The pile that holds all cards before they are dealt: the first one that no one sees."""
        if self.deck is None:
            return None
        hidden = [zone for zone in self.zones if zone.sees == "nobody" and not zone.is_array]
        if not hidden:
            raise UnfinishedGame(
                f"The game {self.name!r} has CARDS and no draw pile: declare a zone that sees='nobody'."
            )
        return hidden[0]

    @cached_property
    def phases(self) -> dict[str, tuple[str, ...]]:
        """The verbs that each phase asks for; a single phase for all verbs if the game declares none."""
        given = getattr(self.home, "PHASES", {"turn": self.actions.verbs})
        if not isinstance(given, dict):
            example = 'PHASES = {"bid": ("bid", "pass"), "play": ("play",)}'
            raise UnfinishedGame(f"The game {self.name!r}: PHASES lists the verbs of each phase: {example}.")
        return dict(given)

    def clause_of(self, verb: str) -> int:
        """Return the clause that a verb belongs to: the first that its rules name, or the first of all."""
        for rule in (f"why_not_{verb}", verb):
            function = getattr(self.home, rule, None)
            text = getattr(getattr(function, "py_func", function), "__doc__", "") or ""
            if match := re.search(rf"\b{self.book.prefix}-\d+[a-z]?", text):
                return code(match[0])
        return code(self.book.all()[0].id)

    def signs(self, grid: Grid) -> str:
        """Return the sign of each piece of a board, by number; ``.`` is an empty square.

        With one kind of piece they are the initials of the seats' names, else those of the kinds: in upper
        case for the first seat, in lower case for the second.
        """
        names = ["."]
        for piece in range(1, grid.most + 1):
            owner, letter = grid.owner(piece), grid.kind(piece)[0]
            wanted = [letter.upper() if owner == 1 else letter.lower()]
            if owner and len(grid.pieces) == 1:
                wanted.insert(0, self.seat_names[owner - 1][0].upper())
            names.append(next(sign for sign in [*wanted, *SPARE_SIGNS] if sign not in names))
        return "".join(names)

    def made(self, head: str, lines: list[str], **names: Any) -> Any:
        """Make a rule of the game from a head such as ``blank(s, seat)`` and the lines of its body."""
        body = "".join(f"    {line}\n" for line in lines or ["pass"])
        name = head.partition("(")[0]
        return generated_rule(name, f"def {head}:\n{body}", names, self.home)

    def _get(self, name: str) -> Any:
        value = getattr(self.home, name, None)
        if value is None:
            raise UnfinishedGame(f"The game {self.name!r} has no {name} in {self.home.__name__}.")
        return value


def each_pile(zone: CardZone) -> tuple[str, str, str]:
    """Return how generated code goes through a zone's piles: a loop, the pile, and its index."""
    if not zone.is_array:
        return "if True:", f"s.{zone.name}", "0"
    return f"for i in range({zone.piles}):", f"s.{zone.name}[i]", "i"
