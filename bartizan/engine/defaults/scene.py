"""Derive how a short game's table is drawn: hands, piles, rows of places, boards, and numbers on plates."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.errors import UnfinishedGame, nearest
from bartizan.engine.outcome import Outcome
from bartizan.engine.phases import PhaseTable
from bartizan.engine.scene import (
    Fact,
    Item,
    Layout,
    Livery,
    Race,
    Racer,
    Result,
    Scene,
    Setting,
    Slot,
    Status,
    Suit,
    Theme,
)
from bartizan.engine.scene import (
    Zone as DrawnZone,
)
from bartizan.engine.table import CardZone, Counter, Grid
from bartizan.engine.words import Vocabulary

SEAT_COLOURS = ("blue", "orange", "green", "purple", "red", "teal")
SUIT_SHAPES = (("club", "green"), ("diamond", "orange"), ("heart", "red"), ("spade", "black"))
# Silhouettes in a box of 100 by 100, which tell pieces apart for people who can't see colours.
SHAPES = (
    "M50 6 A44 44 0 1 1 49.9 6 Z M50 22 A28 28 0 1 0 50.1 22 Z",
    "M50 2 L62 38 98 50 62 62 50 98 38 62 2 50 38 38 Z",
    "M12 12 H88 V88 H12 Z",
    "M50 8 L94 88 H6 Z",
    "M50 6 L94 50 50 94 6 50 Z",
    "M36 8 H64 V36 H92 V64 H64 V92 H36 V64 H8 V36 H36 Z",
)
THING = "M50 8 A42 42 0 1 1 49.9 8 Z"  # one of a heap
THING_COLOURS = {"•": "yellow", "◦": "white", "▪": "brown", "▫": "red"}  # by face: the first heaps, …
FACES = tuple(THING_COLOURS)
MOST_DRAWN = 24  # things drawn in a heap; a larger heap shows its number
IN_A_ROW = 3  # places side by side on a phone


class Drawer:
    """Draws the scenes of one short game."""

    def __init__(self, game: ShortGame, vocabulary: Vocabulary, phases: Any, rules: Any) -> None:
        self._game = game
        self._vocabulary = vocabulary
        self._phases: PhaseTable = phases.PHASES
        self._phase_of = phases.phase_of
        self._rules = rules
        self._goal: int | str = getattr(game.home, "GOAL", 0)  # a number, or the option that holds it
        own = getattr(game.home, "Options", None)
        options = [spec.key for spec in own.specs()] if own else []
        if type(self._goal) not in (int, str):
            raise UnfinishedGame("GOAL must be a whole number, or the name of the option that holds it.")
        if isinstance(self._goal, str) and self._goal not in options:
            raise UnfinishedGame(f"GOAL: There is no option {self._goal!r}.{nearest(self._goal, options)}")
        if self._goal and not hasattr(rules, "points"):
            raise UnfinishedGame("GOAL needs a rule points(s, seat).")
        self._placed = [zone for zone in game.zones if zone.places]

    def setting(self, options: Any, seats: int) -> Setting:
        """Return the seats' names, their colours, and the layout."""
        return Setting(
            seat_names=self._game.seat_names[:seats], theme=self._theme(), areas=self._areas(seats, 1)
        )

    def _theme(self) -> Theme:
        game = self._game
        liveries = tuple(
            Livery(name=name, colour=SEAT_COLOURS[at], shape="square" if at % 2 else "round")
            for at, name in enumerate(game.seat_names)
        )
        suits = {}
        if game.deck is not None:
            for at, (letter, name) in enumerate(zip(game.deck.suits, game.deck.names, strict=True)):
                shape, colour = SUIT_SHAPES[at % len(SUIT_SHAPES)]
                suits[letter] = Suit(name=name, shape=shape, colour=colour)
        art = {
            sign: SHAPES[at % len(SHAPES)]
            for grid in game.grids
            for at, sign in enumerate(game.signs(grid)[1:])
        }
        things = FACES[: len(game.heaps)]
        return Theme(
            suits=suits,
            liveries=liveries,
            art={**art, **dict.fromkeys(things, THING)},
            colours={face: THING_COLOURS[face] for face in things},
            heaped=tuple(things),
        )

    # --- The layout

    def _areas(self, seats: int, seat: int) -> dict[str, tuple[str, ...]]:
        own = seat or seats
        others = [other for other in range(1, seats + 1) if other != own]
        return {
            "wide": self._rows(others, own, self._widest()),
            "narrow": self._rows(others, own, min(IN_A_ROW, self._widest())),
        }

    def _widest(self) -> int:
        return max((zone.places for zone in self._placed), default=2)

    def _rows(self, others: Sequence[int], own: int, width: int) -> tuple[str, ...]:
        rows: list[list[str]] = []
        if others and (self._has_plates() or any(zone.per_seat for zone in self._game.zones)):
            rows.append(["seats"])
        for zone in self._placed:
            for first in range(0, zone.places, width):
                places = range(first, min(first + width, zone.places))
                seats = [*others, own] if zone.per_seat else [0]
                rows += [[f"{zone.name}_{seat}_{place + 1}" for place in places] for seat in seats]
        for heaps in self._game.heaps:
            rows += [[f"{heaps.name}_{seat}"] for seat in ([*others, own] if heaps.per_seat else [0])]
        rows += [[grid.name] for grid in self._game.grids]
        shared = [zone.name for zone in self._game.zones if not zone.per_seat and not zone.places]
        own_zones = [f"own_{zone.name}" for zone in self._game.zones if zone.per_seat and not zone.places]
        if own_zones or shared:
            rows.append([*own_zones, *shared])
        return tuple(" ".join(_stretched(row, width)) for row in rows)

    def _has_plates(self) -> bool:
        return any(counter.per_seat for counter in self._game.counters)

    # --- Drawing

    def status(self, observation: Any, seat: int, ply: int) -> Status:
        """Return the game's progress and the prompt."""
        mover = self._rules.turn_of(observation)
        phase = self._phase_of(observation)
        facts = [
            Fact(label=zone.label.capitalize(), value=str(getattr(observation, zone.name).count))
            for zone in self._game.zones
            if zone.sees == "nobody" and not zone.is_array
        ]
        facts += [
            Fact(label=each.label.capitalize(), value=str(getattr(observation, each.name)))
            for each in self._game.counters
            if not each.length
        ]
        points = self._points(observation)
        if points and not self._goal:
            facts.append(Fact(label="Points", value=" : ".join(map(str, points))))
        return Status(
            ply=ply,
            seat=mover,
            phase=self._phases[phase].name,
            prompt=self._phases.prompt(phase, observation, seat, seat == mover),
            round=self._rules.rounds(observation),
            facts=tuple(facts),
        )

    def _points(self, observation: Any) -> list[int]:
        """Return every seat's points; empty if the game doesn't count points."""
        points = getattr(self._rules, "points", None)
        return [points(observation, seat) for seat in range(1, observation.seats + 1)] if points else []

    def _races(self, observation: Any) -> tuple[Race, ...]:
        """Return the race to the game's `GOAL`, if it has one."""
        points = self._points(observation)
        if not points or not self._goal:
            return ()
        goal = self._goal if isinstance(self._goal, int) else int(getattr(observation.options, self._goal))
        racers = [
            Racer(label=name, value=value, seat=seat)
            for seat, (name, value) in enumerate(zip(self._game.seat_names, points, strict=False), 1)
        ]
        return (Race(id="race", label="Points", goal=goal, racers=tuple(racers)),)

    def scene(self, observation: Any, seat: int, actions: Sequence[int], status: Status) -> Scene:
        """Draw the whole table as a seat sees it, with its own things at the bottom."""
        zones = [each for zone in self._game.zones for each in self._zones(observation, zone, seat)]
        zones += [self._board(observation, grid) for grid in self._game.grids]
        zones += [each for heaps in self._game.heaps for each in self._heaps(observation, heaps, seat)]
        zones += [each for counter in self._game.counters for each in self._counters(observation, counter)]
        return Scene(
            seat=seat,
            status=status,
            zones=tuple(zones),
            choices=self._vocabulary.choices(observation, actions),
            races=self._races(observation),
            areas=self._areas(observation.seats, seat),
        )

    def _zones(self, observation: Any, zone: CardZone, seat: int) -> list[DrawnZone]:
        return [
            self._pile(observation, zone, index, pile, seat)
            for index, pile in enumerate(zone.piles_of(observation))
            if zone.owner(index) <= observation.seats
        ]

    def _pile(self, observation: Any, zone: CardZone, index: int, pile: Any, seat: int) -> DrawnZone:
        owner, place, id_ = zone.owner(index), zone.place(index), zone.pile_id(index)
        own_seat = seat or observation.seats
        is_own = owner == own_seat
        cards = list(pile.cards)[: pile.count]
        if zone.sees == "nobody":
            cards = cards[-1:]
        deck = self._game.deck
        assert deck is not None
        items = tuple(
            Item(id=deck.text(card), face=deck.text(card), label=deck.name(card))
            if card >= 0
            else Item(id=f"{id_}:{at}", back="card", label="face-down card")
            for at, card in enumerate(cards)
        )
        if place:
            area = f"{zone.name}_{owner}_{place}"
        elif owner:
            area = f"own_{zone.name}" if is_own else "seats"
        else:
            area = zone.name
        if place:
            name = zone.label if is_own or not owner else self._game.seat_names[owner - 1]
            label = f"{name[0].upper()}{name[1:]} {place}"
        else:
            label = self._whose(zone.label, owner, owner == seat)
        return DrawnZone(
            id=id_,
            kind="pile" if zone.sees == "nobody" else "fan" if zone.sees == "owner" else "row",
            label=label,
            owner=0 if place else owner,
            brief=zone.label if owner and not place and not is_own else "",
            layout=Layout(
                area=area,
                size="normal" if not place and (is_own or not owner) else "small",
                direction="column" if place else "row",
            ),
            items=items,
            count=pile.count,
            limit=zone.capacity if zone.sees == "all" else 0,
        )

    def _whose(self, label: str, owner: int, is_own: bool) -> str:
        """Return the label of a seat's things: "Your hand", "North's hand"."""
        whose = "" if not owner else "your " if is_own else f"{self._game.seat_names[owner - 1]}'s "
        named = f"{whose}{label}"
        return named[0].upper() + named[1:]

    def _board(self, observation: Any, grid: Grid) -> DrawnZone:
        signs, squares = self._game.signs(grid), getattr(observation, grid.name)
        order = [
            row * grid.columns + column
            for row in range(grid.rows - 1, -1, -1)
            for column in range(grid.columns)
        ]
        items = tuple(
            Item(
                id=f"{signs[piece]}-{grid.square_id(square)}",
                face=signs[piece],
                label=self._piece_name(grid, piece),
                at=grid.square_id(square),
                owner=grid.owner(piece),
            )
            for square in order
            if (piece := squares[square])
        )
        return DrawnZone(
            id=grid.name,
            kind="grid",
            label=grid.label.capitalize(),
            layout=Layout(area=grid.name, size="large", columns=grid.columns, rows=grid.rows),
            slots=tuple(Slot(id=name, label=name) for name in map(grid.square_id, order)),
            items=items,
        )

    def _piece_name(self, grid: Grid, piece: int) -> str:
        owner = grid.owner(piece)
        return f"{self._game.seat_names[owner - 1]}'s {grid.kind(piece)}" if owner else grid.kind(piece)

    def _heaps(self, observation: Any, heaps: Counter, seat: int) -> list[DrawnZone]:
        """Draw a row of heaps for each seat that has one, or one row for all."""
        numbers = list(getattr(observation, heaps.name))
        owners = range(1, observation.seats + 1) if heaps.per_seat else [0]
        return [
            self._row_of_heaps(heaps, owner, numbers[max(0, owner - 1) * heaps.places :], owner == seat)
            for owner in owners
        ]

    def _row_of_heaps(self, heaps: Counter, owner: int, numbers: Sequence[int], is_own: bool) -> DrawnZone:
        places = range(1, heaps.places + 1)
        ids = [heaps.heap_id(owner, place) for place in places]
        face = FACES[self._game.heaps.index(heaps) % len(FACES)]
        items = tuple(
            Item(id=f"{id_}:{at}", face=face, label=heaps.piece, at=id_, badge=badge)
            for id_, number in zip(ids, numbers, strict=False)
            for badge in ["" if number <= MOST_DRAWN else str(number)]
            for at in range(1 if badge else number)
        )
        return DrawnZone(
            id=f"{heaps.name}:{owner}",
            kind="grid",
            label=self._whose(heaps.label, owner, is_own),
            owner=owner,
            layout=Layout(area=f"{heaps.name}_{owner}", size="large", columns=heaps.places, rows=1),
            slots=tuple(
                Slot(id=id_, label=f"{heaps.label} {place}") for id_, place in zip(ids, places, strict=True)
            ),
            items=items,
        )

    def _counters(self, observation: Any, counter: Counter) -> list[DrawnZone]:
        if not counter.per_seat or counter.places:
            return []
        numbers = getattr(observation, counter.name)
        return [
            self._plate(counter.name, counter.label, seat, numbers[seat - 1])
            for seat in range(1, observation.seats + 1)
        ]

    def _plate(self, name: str, label: str, seat: int, value: int) -> DrawnZone:
        return DrawnZone(
            id=f"{name}:{seat}",
            kind="counter",
            label=label,
            brief=label,
            owner=seat,
            layout=Layout(area="seats", size="small"),
            count=value,
        )

    def result(self, observation: Any, outcome: Outcome) -> Result:
        """Say how a finished game ended."""
        names = [self._game.seat_names[seat - 1] for seat in outcome.winners]
        if not names:
            headline = "The game is drawn." if observation.seats > 1 else "You lose."
        else:
            headline = f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}."
        return Result(
            outcome=outcome, headline=headline, text=self._game.book.get(outcome.clause).text.strip()
        )


def _stretched(row: list[str], width: int) -> list[str]:
    """Repeat the areas of a row until it is as wide as the others; the first ones take what is left over."""
    if len(row) >= width:
        return row
    each, more = divmod(width, len(row))
    return [name for at, name in enumerate(row) for _ in range(each + (at < more))]


def make_scene(game: ShortGame, vocabulary: Vocabulary, phases: Any, rules: Any) -> types.ModuleType:
    """Return a module with ``setting``, ``status``, ``scene`` and ``result``."""
    module = types.ModuleType("scene")
    drawer = Drawer(game, vocabulary, phases, rules)
    vars(module).update({name: getattr(drawer, name) for name in ("setting", "status", "scene", "result")})
    return module
