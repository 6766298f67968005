"""Say what an experiment is, checked before its first game: cells, seats, deals, and what is measured.

Every *cell* is one combination of options (and of players, where others are asked to confirm a figure); all
cells play the same *deals*.  Of a deal each cell plays a game for every *assignment* of its players to seats,
and each of these as often as `repeats` says, with other dice for the players.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

import msgspec

from bartizan.engine.errors import BartizanError
from bartizan.engine.game import Game
from bartizan.engine.options import Written, flat
from bartizan.lab.batch import GameBatch

MOST_GAMES = 100_000_000  # of one cell
MOST_ORDERS = 24  # assignments of players to seats; above it they are only turned round

Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
Iterations = Annotated[int, msgspec.Meta(ge=1, le=10**6)]


class BadExperiment(BartizanError):
    """An experiment that cannot be run as it is written; the text names the key and its line."""

    code = "bad_experiment"


@dataclass(frozen=True)
class Cell:
    """One combination of what is varied; its games are numbered within each deal."""

    number: int
    options: dict[str, Written]  # all of them, as written values
    label: str  # what differs from other cells; empty where nothing does
    players: tuple[str, ...]
    deals: int  # how many it plays
    confirms: bool = False  # whether it only repeats the main figure with other players

    @property
    def orders(self) -> tuple[tuple[str, ...], ...]:
        """The assignments of its players to seats, the written one first."""
        return orders_of(self.players)


def orders_of(players: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return all different orders of some players, or only their rotations where they are too many."""
    kinds = [players.count(name) for name in dict.fromkeys(players)]
    many = math.factorial(len(players)) // math.prod(map(math.factorial, kinds))
    turned = [(*players[turn:], *players[:turn]) for turn in range(len(players))]
    orders = turned if many > MOST_ORDERS else [*turned, *itertools.permutations(players)]
    return tuple(dict.fromkeys(map(tuple, orders)))


class Until(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When to stop: once a measure's interval is so narrow in every cell, or after so many games a cell."""

    measure: str
    width: Annotated[float, msgspec.Meta(ge=0.001, lt=1)]
    most: Count = 50_000


class Searching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much the measures that think may think."""

    games: Count = 40  # a cell, that are looked at ply by ply
    iterations: Iterations = 400  # for each decision that is looked at
    budgets: Annotated[tuple[Iterations, ...], msgspec.Meta(min_length=2)] = (25, 100, 400)  # of the ladder
    rounds: Iterations = 40  # deals for each pair of its players


@dataclass(frozen=True)
class Design:
    """An experiment whose every word has been checked."""

    game: Game
    players: tuple[str, ...]
    games: int  # a cell
    seed: str
    measures: tuple[str, ...]
    options: dict[str, Written] = field(default_factory=dict)
    vary: dict[str, tuple[Written, ...]] = field(default_factory=dict)
    each: dict[str, tuple[Written, ...]] = field(default_factory=dict)
    repeats: int = 1
    tried: int = 100  # games of the first cell, by the rules of each other one
    until: Until | None = None
    confirm: tuple[str, ...] = ()
    confirm_games: int = 0
    seed_word: str = ""  # that the seed was made from, if it was
    confirms_defaults: bool = False  # as earlier versions did: with no option that is varied
    search: Searching = field(default_factory=Searching)

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.players)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, the main ones first, in the order of the grid."""
        cells: list[Cell] = []
        for chosen in self._combinations():
            written = self.game.read_options({**self.options, **chosen}, self.seats).write()
            label = ", ".join(_setting(key, value) for key, value in chosen.items())
            cells.append(
                Cell(len(cells), written, label, self.players, self._deals(self.players, self.games))
            )
        options = cells[0].options
        if self.confirms_defaults:
            options = self.game.read_options(self.options, self.seats).write()
        first = flat(cells[0].options)
        other = {key: value for key, value in flat(options).items() if first[key] != value}
        for name in self.confirm:
            players = (name,) * self.seats
            deals = self._deals(players, self.confirm_games)
            label = ", ".join([f"players: {name}", *(_setting(key, value) for key, value in other.items())])
            cells.append(Cell(len(cells), options, label, players, deals, confirms=True))
        return tuple(cells)

    @property
    def varied(self) -> dict[str, tuple[Written, ...]]:
        """What the cells differ by: the values of `vary`, or of `each`."""
        return self.vary or self.each

    def _combinations(self) -> Iterator[dict[str, Written]]:
        """Yield what each cell of the grid sets: every combination, or nothing and then one value alone."""
        if self.each:
            yield {}
            yield from ({key: value} for key, values in self.each.items() for value in values)
        else:
            for values in itertools.product(*self.vary.values()):
                yield dict(zip(self.vary, values, strict=True))

    def _deals(self, players: Sequence[str], games: int) -> int:
        """Return how many deals make at least so many games."""
        most = self.until.most if self.until else games
        per_deal = len(orders_of(players)) * self.repeats
        return -(-(games if players is not self.players else most) // per_deal)

    @property
    def main_cells(self) -> tuple[Cell, ...]:
        """The cells of the grid, without those that confirm."""
        return tuple(cell for cell in self.cells if not cell.confirms)

    @property
    def deals(self) -> int:
        """How many deals there are at most."""
        return max(cell.deals for cell in self.cells)

    def games_of(self, cell: Cell) -> int:
        """Return how many games of each deal a cell plays."""
        return len(cell.orders) * self.repeats

    @property
    def total_games(self) -> int:
        """How many games all cells play together, at most."""
        return sum(cell.deals * self.games_of(cell) for cell in self.cells)

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether a player of some cell searches."""
        return any(map(self._cell_looks_ahead, self.cells))

    @cached_property
    def confirms_slowly(self) -> bool:
        """Whether only the players who confirm search."""
        return self.looks_ahead and not any(map(self._cell_looks_ahead, self.main_cells))

    def _cell_looks_ahead(self, cell: Cell) -> bool:
        return GameBatch(self.game, cell.options, cell.players).looks_ahead

    def measures_group(self, group: str) -> bool:
        """Say whether a group of measures is enabled."""
        return group in self.measures

    @property
    def tries_other_rules(self) -> bool:
        """Whether games of the first cell are tried by the rules of others."""
        return self.measures_group("what-if") and len(self.main_cells) > 1

    def written(self) -> dict[str, Any]:
        """Return it as the tables of a TOML file, every default in figures."""
        tables: dict[str, Any] = {
            "game": self.game.name,
            "players": list(self.players),
            "games": self.games,
            "repeats": self.repeats,
            "seed": self.seed,
            "measures": list(self.measures),
        }
        if self.measures_group("what-if"):
            tables["tried"] = self.tried
        if self.until:
            tables["until"] = msgspec.structs.asdict(self.until)
        settled = flat(self.game.read_options(self.options, self.seats).write())
        tables["options"] = {key: value for key, value in settled.items() if key not in self.varied}
        if self.vary:
            tables["vary"] = {key: list(values) for key, values in self.vary.items()}
        if self.each:
            tables["each"] = {key: list(values) for key, values in self.each.items()}
        # Written out if nobody confirms, too: left out, it would mean the usual player.
        games = {"games": self.confirm_games} if self.confirm else {}
        tables["confirm"] = {"players": list(self.confirm), **games}
        tables["search"] = msgspec.structs.asdict(self.search)
        return tables

    def text(self) -> str:
        """Return it as TOML."""
        return to_toml(self.written())


def _setting(key: str, value: Any) -> str:
    """Return an option with its value, as labels say it."""
    return f"{key} = {toml_value(value)}".replace('"', "")


def to_toml(tables: Mapping[str, Any]) -> str:
    """Write plain values, and tables one level deep, as TOML."""
    plain = [
        f"{key} = {toml_value(value)}" for key, value in tables.items() if not isinstance(value, Mapping)
    ]
    blocks = ["\n".join(plain)]
    for name, table in tables.items():
        if isinstance(table, Mapping):
            lines = [f"{_key(key)} = {toml_value(value)}" for key, value in table.items()]
            blocks.append("\n".join([f"[{name}]", *lines]))
    return "\n\n".join(blocks) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def toml_value(value: Any) -> str:
    """Write one value as TOML."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
