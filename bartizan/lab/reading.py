"""Read an experiment from TOML: errors name the file, the line, the key and the nearest right word."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import msgspec

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError, nearest
from bartizan.engine.game import POLICY, Game
from bartizan.engine.options import OptionSpec, Written, flat
from bartizan.engine.rng import stream
from bartizan.lab.batch import GameBatch, check_player, confirming_level, strength_of
from bartizan.lab.design import BadExperiment, Count, Design, Searching, Until, toml_value
from bartizan.lab.groups import GROUPS, watchable
from bartizan.match.progress import check_seed

MOST_CELLS = 1_000
CONFIRMING = 100  # games of who confirms where nothing is said
PLANS = ("choice", "pieces")  # the groups that name dominant plans

T = TypeVar("T", bound=msgspec.Struct)
Words = Annotated[str | list[str], msgspec.Meta(description="a list of texts")]  # or one alone


class Confirm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players to repeat the main measure with."""

    players: Words = msgspec.field(default_factory=list)
    games: Count | None = None


class ExperimentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An experiment as it is written."""

    game: str
    players: Words = msgspec.field(default_factory=list)
    seats: int | None = None
    games: Count = 2_000
    until: Until | None = None
    seed: Annotated[str | int, msgspec.Meta(description="a text")] = "0"
    measures: Words = msgspec.field(default_factory=list)
    repeats: Annotated[int, msgspec.Meta(ge=1, le=1_000)] | None = None
    tried: Count = 100
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    vary: dict[str, Any] = msgspec.field(default_factory=dict)
    each: dict[str, Any] = msgspec.field(default_factory=dict)
    confirm: Confirm = Confirm()
    search: Searching = Searching()


KEYS = ExperimentFile.__struct_fields__
SEARCH_KEYS = Searching.__struct_fields__


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
        raise BadExperiment(f"{name + ': ' if name else ''}This isn't valid TOML: {error}.") from error
    return design_of(tables, _Source(text, name))


def design_of(tables: Mapping[str, Any], source: _Source | None = None) -> Design:
    """Check an experiment given as tables; raises `BadExperiment`."""
    source = source or _Source("", "")
    written = _convert({key: value for key, value in tables.items() if value != {}}, ExperimentFile, source)
    try:
        game = registry.get(written.game)
    except BartizanError as error:
        raise source.fault(str(error), "game") from error
    players = _players(written, game, source)
    measures = _measures(written, source)
    search = written.search
    if list(search.budgets) != sorted(set(search.budgets)):
        raise source.fault("budgets must be in ascending order, without repeats.", "budgets", "search")
    confirm, seed = written.confirm, _seed(written, source)
    design = Design(
        game=game,
        players=players,
        games=written.games,
        seed=seed,
        seed_word="" if seed == str(written.seed) else str(written.seed),
        measures=measures,
        options=_options(written.options, game, len(players), source),
        vary=_vary(written, "vary", game, source),
        each=_each(written, game, players, source),
        repeats=_repeats(written, measures, source),
        tried=written.tried,
        until=written.until,
        confirm=tuple(_player(game, word, source, "confirm") for word in _list(confirm.players)),
        confirm_games=min(written.games, 2_000) if confirm.games is None else confirm.games,
        search=search,
    )
    _check_cells(design, source)
    _check_until(design, source)
    return design


def confirmed_design(tables: Mapping[str, Any]) -> Design:
    """Check an experiment given as tables; unless they say who confirms, a stronger player does.

    Nobody does where the players are as strong already.  Unless they name measures, plans are measured, too.
    Raises `BadExperiment`.
    """
    design = design_of(tables)
    game = design.game
    if "measures" not in tables:
        more = [name for name in PLANS if GROUPS[name].applies(design)]
        design = replace(design, measures=tuple(name for name in GROUPS if name in (*design.measures, *more)))
    stronger = confirming_level(game)
    if names_confirming(tables) or not stronger:
        return design
    weakest = min(strength_of(game, player) for player in design.players)
    if weakest >= strength_of(game, stronger):
        return design
    most = design.confirm_games if "games" in tables.get("confirm", {}) else min(design.games, CONFIRMING)
    return replace(design, confirm=(stronger,), confirm_games=most)


def names_confirming(tables: Mapping[str, Any]) -> bool:
    """Say whether an experiment, given as tables, names the players who confirm, or nobody."""
    return "players" in tables.get("confirm", {})


def _convert(table: Mapping[str, Any], kind: type[T], source: _Source, section: str = "") -> T:
    """Return a table as a Struct; its fields are converted one by one, so that an error knows its key."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for key in table:
        if key not in fields:
            listed = nearest(key, fields) or f" Choose from {', '.join(fields)}."
            said = f"{section} has no key {key!r}." if section else f"There is no key {key!r}."
            raise source.fault(f"{said}{listed}", key, section)
    lacking = [name for name, field in fields.items() if field.required and name not in table]
    if lacking:
        named = " and ".join(map(repr, lacking)) + (" is" if len(lacking) == 1 else " are")
        raise source.fault(f"{named} missing{' from ' + section if section else ''}.", section)
    values: dict[str, Any] = {}
    for key, value in table.items():
        info = _info(fields[key].type)
        if isinstance(info, msgspec.inspect.StructType) and isinstance(value, dict):
            values[key] = _convert(value, info.cls, source, key)
            continue
        try:
            values[key] = msgspec.convert(value, fields[key].type)
        except msgspec.ValidationError as error:
            wrong = f"{key} is {_shown(value)}; it must be {_meaning(info)}."
            raise source.fault(wrong, key, section) from error
    return kind(**values)


def _info(kind: Any) -> msgspec.inspect.Type:
    """Return what a field holds: of a union with None the other half."""
    info = msgspec.inspect.type_info(kind)
    return info.types[0] if isinstance(info, msgspec.inspect.UnionType) else info


def _meaning(info: msgspec.inspect.Type) -> str:
    """Say what a field may hold."""
    match info:
        case msgspec.inspect.Metadata(extra_json_schema={"description": str(meaning)}):
            return meaning
        case msgspec.inspect.IntType(ge=int(low), le=int(high)):
            return f"a whole number from {low:,} to {high:,}"
        case msgspec.inspect.IntType():
            return "a whole number"
        case msgspec.inspect.FloatType(ge=low, lt=high):
            return f"a number from {low:g} to {high:g}"
        case msgspec.inspect.StrType():
            return "a text"
        case msgspec.inspect.VarTupleType(item_type=item):
            return f"two or more values, each {_meaning(item)}"
    return "a table"


def _shown(value: Any) -> str:
    try:
        return toml_value(value)
    except TypeError:
        return repr(value)


def _list(words: str | list[str]) -> list[str]:
    return [words] if isinstance(words, str) else words


def _seed(written: ExperimentFile, source: _Source) -> str:
    """Return a seed as it is, or the one that a word stands for."""
    try:
        return check_seed(str(written.seed))
    except BartizanError as error:
        if not isinstance(written.seed, str):
            raise source.fault(f"seed is {written.seed}; it must be a text.", "seed") from error
        return f"{stream(written.seed, 'experiment'):016x}"


def _player(game: Game, name: str, source: _Source, section: str = "") -> str:
    if name.startswith(POLICY):
        advice = f"Let {name} play with `bartizan ladder {game.name} --players {name},greedy`."
        raise source.fault(f"Experiments have no trained policies. {advice}", "players", section)
    try:
        return check_player(game, name)
    except BartizanError as error:
        raise source.fault(str(error), "players", section) from error


def _players(written: ExperimentFile, game: Game, source: _Source) -> tuple[str, ...]:
    names = [_player(game, name, source) for name in _list(written.players)] or ["greedy"]
    seats = written.seats
    if seats is not None and len(names) not in (1, seats):
        raise source.fault(f"seats = {seats}, but {len(names)} players are named.", "players")
    try:
        if len(names) == 1:
            names *= game.check_seats(seats)
        game.check_seats(len(names))
    except BartizanError as error:
        raise source.fault(str(error), "seats" if seats is not None else "players") from error
    return tuple(names)


def _measures(written: ExperimentFile, source: _Source) -> tuple[str, ...]:
    words = _list(written.measures) or ["fairness", "length"]
    for word in words:
        if word not in GROUPS:
            listed = nearest(word, GROUPS) or f" Choose from {', '.join(GROUPS)}."
            raise source.fault(f"There is no group of measures {word!r}.{listed}", "measures")
    return tuple(group for group in GROUPS if group in words)


def _repeats(written: ExperimentFile, measures: Sequence[str], source: _Source) -> int:
    needing = max(measures, key=lambda name: GROUPS[name].repeats)
    least = GROUPS[needing].repeats
    repeats = least if written.repeats is None else written.repeats
    if repeats < least:
        message = f"{needing} compares games of one deal, and needs repeats = {least} or more."
        raise source.fault(message, "repeats")
    return repeats


def _options(given: dict[str, Any], game: Game, seats: int, source: _Source) -> dict[str, Written]:
    for key, value in flat(given).items():
        try:
            game.option_set.read({key: value})
        except BartizanError as error:
            raise source.fault(str(error), key.rpartition(".")[2], "options") from error
    try:
        game.read_options(given, seats)
    except BartizanError as error:
        raise source.fault(str(error), "options") from error
    return given


def _each(
    written: ExperimentFile, game: Game, players: Sequence[str], source: _Source
) -> dict[str, tuple[Written, ...]]:
    """Read the values that are tried one at a time, each against the first cell."""
    varied = _vary(written, "each", game, source)
    if varied and written.vary:
        raise source.fault(
            "[vary] makes a grid and [each] tries one value at a time. Leave one of them out.", "each"
        )
    usual = flat(game.read_options(written.options, len(players)).write())
    for key, values in varied.items():
        if usual[key] in values:
            raise source.fault(
                f"{key} is already {toml_value(usual[key])} in the first cell. List only other values.",
                key.rpartition(".")[2],
                "each",
            )
    return varied


def _vary(written: ExperimentFile, table: str, game: Game, source: _Source) -> dict[str, tuple[Written, ...]]:
    varied: dict[str, tuple[Written, ...]] = {}
    grid: dict[str, Any] = dict(flat(getattr(written, table)))
    known = {spec.key: spec for spec in game.option_set.specs()}
    for key, values in grid.items():
        if key not in known:
            listed = "; ".join(f"{name}: {_bounds(spec)}" for name, spec in known.items())
            raise source.fault(
                f"There is no option {key!r}.{nearest(key, known)} "
                + (f"Options of {game.title}: {listed}." if known else f"{game.title} has no options."),
                key.rpartition(".")[2],
                table,
            )
        if not isinstance(values, list) or not values:
            raise source.fault(
                f"{key} is {_shown(values)}; it must be a list of one or more values.", key, table
            )
        for value in values:
            try:
                game.option_set.read({key: value})
            except BartizanError as error:
                raise source.fault(str(error), key.rpartition(".")[2], table) from error
        if len({json.dumps(value) for value in values}) < len(values):
            raise source.fault(f"{key} lists a value twice.", key.rpartition(".")[2], table)
        if key in flat(written.options):
            raise source.fault(f"{key} is set in [options], so it can't be varied too.", key, table)
        varied[key] = tuple(values)
    return varied


def _bounds(spec: OptionSpec) -> str:
    """Say what an option can be."""
    if spec.kind == "bool":
        return "true, false"
    if spec.kind == "int":
        usual = "" if spec.usual is None else f"{spec.default}, "
        return f"{usual}{spec.low} to {spec.high}"
    return ", ".join(map(str, spec.values)) + (", …" if spec.kind == "text" else "")


def _check_cells(design: Design, source: _Source) -> None:
    """Raise what does not go together, before the first game."""
    combinations = math.prod(len(values) for values in design.vary.values())
    combinations = max(combinations, 1 + sum(len(values) for values in design.each.values()))
    if combinations > MOST_CELLS:
        table = "each" if design.each else "vary"
        raise source.fault(
            f"{table} makes {combinations:,} cells; at most {MOST_CELLS:,} are allowed.", table
        )
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
    names = [] if design.until is None else [each.name for each in watchable(design)]
    if design.until is not None and design.until.measure not in names:
        meant = nearest(design.until.measure, names) or f" Choose from {', '.join(names)}."
        message = f"until can't watch the measure {design.until.measure!r}.{meant}"
        raise source.fault(message, "measure", "until")
