"""Read an experiment from TOML, checked before its first game: cells, seats, deals, and what is measured.

Every *cell* is one combination of options (and of players, where others are asked to confirm a figure); all
cells play the same *deals*.  Of a deal each cell plays a game for every *assignment* of its players to seats,
and each of these as often as `repeats` says, with other dice for the players.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.game import Game
from bartizan.engine.options import Written, flat
from bartizan.lab.batch import GameBatch, check_player
from bartizan.match.match import check_seed

GROUPS = {
    "fairness": "who wins, from which seat; draws; points",
    "length": "decisions, turns, rounds, waits, turns without a choice",
    "choice": "how many actions are legal, which kinds are chosen",
    "clauses": "how often each clause of the rulebook takes effect",
    "pieces": "what holding and playing each card or piece is worth",
    "what-if": "what other rules change: games they refuse, and winners",
    "luck": "how much of the result the deal decides",
    "drama": "lead changes, comebacks, uncertainty, by a search's estimate",
    "weight": "what a decision is worth, by a search",
    "skill": "how much more thinking wins",
}
SEARCHED = ("drama", "weight", "skill")  # groups that think, and so take long
KEYS = (
    *("game", "players", "seats", "games", "until", "seed", "measures"),
    *("repeats", "tried", "options", "vary", "each", "confirm", "search"),
)
UNTIL_KEYS = ("measure", "width", "most")
CONFIRM_KEYS = ("players", "games")
SEARCH_KEYS = ("games", "iterations", "budgets", "rounds")
MOST_GAMES = 100_000_000  # of one cell
MOST_CELLS = 1_000
MOST_ORDERS = 24  # assignments of players to seats; above it they are only turned round
MOST_REPEATS = 1_000


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


@dataclass(frozen=True)
class Until:
    """When to stop: once a measure's interval is so narrow in every cell, or after so many games a cell."""

    measure: str
    width: float
    most: int


@dataclass(frozen=True)
class Searching:
    """How much the measures that think may think."""

    games: int = 40  # a cell, that are looked at ply by ply
    iterations: int = 400  # for each decision that is looked at
    budgets: tuple[int, ...] = (25, 100, 400)  # of the ladder of skill, in iterations
    rounds: int = 40  # deals for each pair of its players


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
    search: Searching = field(default_factory=Searching)

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return len(self.players)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells, the main ones first, in the order of the grid."""
        found: list[Cell] = []
        for chosen in self._combinations():
            written = self.game.read_options({**self.options, **chosen}, self.seats).write()
            label = ", ".join(f"{key} = {_toml(value)}".replace('"', "") for key, value in chosen.items())
            found.append(
                Cell(len(found), written, label, self.players, self._deals(self.players, self.games))
            )
        usual = self.game.read_options(self.options, self.seats).write()
        for name in self.confirm:
            players = (name,) * self.seats
            deals = self._deals(players, self.confirm_games)
            found.append(Cell(len(found), usual, f"players: {name}", players, deals, confirms=True))
        return tuple(found)

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
        return any(GameBatch(self.game, cell.options, cell.players).looks_ahead for cell in self.cells)

    def measures_group(self, group: str) -> bool:
        """Say whether a group of measures is wanted."""
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
            until = self.until
            tables["until"] = {"measure": until.measure, "width": until.width, "most": until.most}
        settled = flat(self.game.read_options(self.options, self.seats).write())
        tables["options"] = {key: value for key, value in settled.items() if key not in self.varied}
        if self.vary:
            tables["vary"] = {key: list(values) for key, values in self.vary.items()}
        if self.each:
            tables["each"] = {key: list(values) for key, values in self.each.items()}
        if self.confirm:
            tables["confirm"] = {"players": list(self.confirm), "games": self.confirm_games}
        search = self.search
        tables["search"] = {
            "games": search.games,
            "iterations": search.iterations,
            "budgets": list(search.budgets),
            "rounds": search.rounds,
        }
        return tables

    def text(self) -> str:
        """Return it as TOML."""
        return to_toml(self.written())


def to_toml(tables: Mapping[str, Any]) -> str:
    """Write plain values, and tables one level deep, as TOML."""
    plain = [f"{key} = {_toml(value)}" for key, value in tables.items() if not isinstance(value, Mapping)]
    blocks = ["\n".join(plain)]
    for name, table in tables.items():
        if isinstance(table, Mapping):
            lines = [f"{_key(key)} = {_toml(value)}" for key, value in table.items()]
            blocks.append("\n".join([f"[{name}]", *lines]))
    return "\n\n".join(blocks) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


# --- Reading ------------------------------------------------------------------


class _Source:
    """A TOML text, to say on which line a key stands."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = text.splitlines()
        self._name = name

    def fault(self, message: str, key: str = "", section: str = "") -> BadExperiment:
        """Return the error for a key; it names the file and the line where that can be found."""
        line = self._line(key, section)
        where = ", ".join(filter(None, [self._name, f"line {line}" if line else ""]))
        return BadExperiment(f"{where}: {message}" if where else message)

    def _line(self, key: str, section: str) -> int:
        if not key:
            return 0
        now = ""
        word = re.compile(rf"(?:^|[{{,]|\.)\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        for number, line in enumerate(self._lines, start=1):
            header = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
            if header:
                now = header.group(1).strip("\"' ")
                if now == key and not section:
                    return number
            elif word.search(line.split("#")[0]) and (
                now == section or (not now and section and re.match(rf"\s*{section}\b", line))
            ):
                return number
        return 0


def read_design(text: str, name: str = "") -> Design:
    """Read and check an experiment; `name` is the file's, for errors.

    Raises `BadExperiment` with the key, its line and the nearest right word.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadExperiment(f"{name + ': ' if name else ''}This is no TOML: {error}.") from error
    return design_of(tables, _Source(text, name))


def design_of(tables: Mapping[str, Any], source: _Source | None = None) -> Design:
    """Check an experiment given as tables; raises `BadExperiment`."""
    source = source or _Source("", "")
    for key in tables:
        if key not in KEYS:
            listed = nearest(key, KEYS) or f" There are {', '.join(KEYS)}."
            raise source.fault(f"There is no key {key!r}.{listed}", key)
    if "game" not in tables:
        raise source.fault("The key 'game' is missing: it says which game is played.")
    name = _text(tables, "game", source)
    try:
        game = registry.get(name)
    except BartizanError as error:
        raise source.fault(str(error), "game") from error
    players = _players(tables, game, source)
    until = _until(tables, source)
    measures = _measures(tables, source)
    repeats = _whole(tables, "repeats", 2 if "luck" in measures else 1, 1, MOST_REPEATS, source)
    if "luck" in measures and repeats < 2:
        raise source.fault("luck compares games of one deal, and needs repeats = 2 or more.", "repeats")
    confirm = _table(tables, "confirm", CONFIRM_KEYS, source)
    games = _whole(tables, "games", 2_000, 1, MOST_GAMES, source)
    try:
        seed = check_seed(str(tables.get("seed", "0")))
    except BartizanError:
        seed = _seed_of(_text(tables, "seed", source))
    design = Design(
        game=game,
        players=players,
        games=games,
        seed=seed,
        measures=measures,
        options=_options(tables, game, len(players), source),
        vary=_vary(tables, "vary", game, source),
        each=_each(tables, game, players, source),
        repeats=repeats,
        tried=_whole(tables, "tried", 100, 1, MOST_GAMES, source),
        until=until,
        confirm=tuple(_player(game, word, source, "confirm") for word in _words(confirm, "players", source)),
        confirm_games=_whole(confirm, "games", min(games, 2_000), 1, MOST_GAMES, source, "confirm"),
        search=_search(tables, source),
    )
    _check_cells(design, source)
    _check_until(design, source)
    return design


def _seed_of(word: str) -> str:
    """Return the seed that a word stands for."""
    from bartizan.engine.rng import stream

    return f"{stream(word, 'experiment'):016x}"


def _text(table: Mapping[str, Any], key: str, source: _Source) -> str:
    value = table[key]
    if not isinstance(value, str):
        raise source.fault(f"{key} is {_toml_or_repr(value)}; it must be a text.", key)
    return value


def _toml_or_repr(value: Any) -> str:
    try:
        return _toml(value)
    except TypeError:
        return repr(value)


def _words(table: Mapping[str, Any], key: str, source: _Source) -> list[str]:
    value = table.get(key, [])
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise source.fault(f"{key} is {_toml_or_repr(value)}; it must be a list of texts.", key)
    return words


def _whole(
    table: Mapping[str, Any],
    key: str,
    usual: int,
    low: int,
    high: int,
    source: _Source,
    section: str = "",
) -> int:
    value: Any = table.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise source.fault(
            f"{key} is {_toml_or_repr(value)}; it must be a whole number from {low:,} to {high:,}.",
            key,
            section,
        )
    return value


def _table(tables: Mapping[str, Any], key: str, known: Sequence[str], source: _Source) -> dict[str, Any]:
    value = tables.get(key, {})
    if not isinstance(value, dict):
        raise source.fault(f"{key} is {_toml_or_repr(value)}; it must be a table.", key)
    for word in value:
        if word not in known:
            listed = nearest(word, known) or f" There are {', '.join(known)}."
            raise source.fault(f"{key} has no key {word!r}.{listed}", word, key)
    return value


def _player(game: Game, name: str, source: _Source, key: str) -> str:
    try:
        return check_player(game, name)
    except BartizanError as error:
        raise source.fault(
            str(error), key if key == "players" else "players", "" if key == "players" else key
        ) from error


def _players(tables: Mapping[str, Any], game: Game, source: _Source) -> tuple[str, ...]:
    names = [_player(game, name, source, "players") for name in _words(tables, "players", source)] or [
        "greedy"
    ]
    seats = tables.get("seats")
    if seats is not None and (isinstance(seats, bool) or not isinstance(seats, int)):
        raise source.fault(f"seats is {_toml_or_repr(seats)}; it must be a whole number.", "seats")
    if seats is not None and len(names) not in (1, seats):
        raise source.fault(f"seats = {seats}, but {len(names)} players are named.", "players")
    try:
        if len(names) == 1:
            names *= game.check_seats(seats)
        game.check_seats(len(names))
    except BartizanError as error:
        raise source.fault(str(error), "seats" if seats is not None else "players") from error
    return tuple(names)


def _measures(tables: Mapping[str, Any], source: _Source) -> tuple[str, ...]:
    words = _words(tables, "measures", source) or ["fairness", "length"]
    for word in words:
        if word not in GROUPS:
            listed = nearest(word, GROUPS) or f" There are {', '.join(GROUPS)}."
            raise source.fault(f"There is no group of measures {word!r}.{listed}", "measures")
    return tuple(group for group in GROUPS if group in words)


def _until(tables: Mapping[str, Any], source: _Source) -> Until | None:
    table = _table(tables, "until", UNTIL_KEYS, source)
    if not table:
        return None
    missing = [key for key in ("measure", "width") if key not in table]
    if missing:
        raise source.fault(f"until lacks {' and '.join(missing)}.", "until")
    width = table["width"]
    if isinstance(width, bool) or not isinstance(width, (int, float)) or not 0.001 <= width < 1:
        raise source.fault(
            f"width is {_toml_or_repr(width)}; it must be a number from 0.001 to 1.", "width", "until"
        )
    most = _whole(table, "most", 50_000, 1, MOST_GAMES, source, "until")
    return Until(_text(table, "measure", source), float(width), most)


def _options(tables: Mapping[str, Any], game: Game, seats: int, source: _Source) -> dict[str, Written]:
    given = tables.get("options", {})
    if not isinstance(given, dict):
        raise source.fault("options must be a table.", "options")
    for key, value in flat(given).items():
        try:
            game.option_set.read({key: value})
        except BartizanError as error:
            raise source.fault(str(error), key.rpartition(".")[2], "options") from error
    try:
        game.read_options(given, seats)
    except BartizanError as error:
        raise source.fault(str(error), "options") from error
    return dict(given)


def _each(
    tables: Mapping[str, Any], game: Game, players: Sequence[str], source: _Source
) -> dict[str, tuple[Written, ...]]:
    """Read the values that are tried one at a time, each against the first cell."""
    found = _vary(tables, "each", game, source)
    if found and tables.get("vary"):
        raise source.fault("vary makes a grid and each tries one value at a time: leave one out.", "each")
    usual = flat(game.read_options(tables.get("options", {}), len(players)).write())
    for key, values in found.items():
        if usual[key] in values:
            raise source.fault(
                f"{key} is {_toml(usual[key])} in the first cell already: each names the other values.",
                key.rpartition(".")[2],
                "each",
            )
    return found


def _vary(
    tables: Mapping[str, Any], table: str, game: Game, source: _Source
) -> dict[str, tuple[Written, ...]]:
    given = tables.get(table, {})
    if not isinstance(given, dict):
        raise source.fault(f"{table} must be a table.", table)
    found: dict[str, tuple[Written, ...]] = {}
    grid: dict[str, Any] = dict(flat(given))
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise source.fault(f"{key} is {_toml_or_repr(values)}; it must be a list of values.", key, table)
        for value in values:
            try:
                game.option_set.read({key: value})
            except BartizanError as error:
                raise source.fault(str(error), key.rpartition(".")[2], table) from error
        if len({json.dumps(value) for value in values}) < len(values):
            raise source.fault(f"{key} names a value twice.", key.rpartition(".")[2], table)
        if key in flat(dict(tables.get("options", {}))):
            raise source.fault(f"{key} is set by options, and cannot be varied too.", key, table)
        found[key] = tuple(values)
    return found


def _search(tables: Mapping[str, Any], source: _Source) -> Searching:
    table = _table(tables, "search", SEARCH_KEYS, source)
    usual = Searching()
    budgets: Any = table.get("budgets", list(usual.budgets))
    whole = isinstance(budgets, list) and all(type(each) is int and 1 <= each <= 10**6 for each in budgets)
    if not whole or len(budgets) < 2 or sorted(set(budgets)) != budgets:
        raise source.fault(
            "budgets must be two or more ascending whole numbers of iterations.", "budgets", "search"
        )
    return Searching(
        games=_whole(table, "games", usual.games, 1, MOST_GAMES, source, "search"),
        iterations=_whole(table, "iterations", usual.iterations, 1, 10**6, source, "search"),
        budgets=tuple(budgets),
        rounds=_whole(table, "rounds", usual.rounds, 1, 10**6, source, "search"),
    )


def _check_cells(design: Design, source: _Source) -> None:
    """Raise what does not go together, before the first game."""
    combinations = math.prod(len(values) for values in design.vary.values())
    combinations = max(combinations, 1 + sum(len(values) for values in design.each.values()))
    if combinations > MOST_CELLS:
        table = "each" if design.each else "vary"
        raise source.fault(f"{table} makes {combinations:,} cells; {MOST_CELLS:,} are the most.", table)
    for cell in design.cells:
        try:
            GameBatch(design.game, cell.options, cell.players)
        except BartizanError as error:
            told = f" ({cell.label})" if cell.label else ""
            raise source.fault(
                f"{error}{told}",
                "options" if not cell.label or cell.confirms else "each" if design.each else "vary",
            ) from error


def _check_until(design: Design, source: _Source) -> None:
    """Raise for a measure that no run can be stopped by."""
    from bartizan.lab.catalogue import watchable

    names = [] if design.until is None else [each.name for each in watchable(design)]
    if design.until is not None and design.until.measure not in names:
        meant = nearest(design.until.measure, names) or f" There are {', '.join(names)}."
        message = f"until: no run can be stopped by the measure {design.until.measure!r}.{meant}"
        raise source.fault(message, "measure", "until")
