"""Write and read positions as tables, with one description of each key for both directions.

A game lists its keys in the order in which they are written and read; a key may depend on earlier ones::

    POSITION = PositionCodec(
        choice("to_move", ("blue", "red")),
        integer("turn", low=1, high=LAST_TURN, clause="CD-42"),
        integer("moves_left", low=1, high=MOST_MOVES, default=allowance, clause="CD-41"),
        start=fresh_table,
        checks=(check_board, check_box),
    )

An invalid position is rejected with all its faults: what can't be read and what the checks find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bartizan.engine.errors import BadPosition, UnknownCard, nearest
from bartizan.engine.record import Pile

Figure = int | Callable[[Any], int]  # a number, or what it is in a state as read so far


class PositionReader:
    """Read the keys of a position and collect every fault."""

    def __init__(self, given: Mapping[str, Any], keys: Sequence[str], seed: str = "") -> None:
        self.given = given
        self.seed = seed  # the random stream for dealing what the position leaves open
        self.faults: list[tuple[str, str]] = []
        self.reading = ""  # the current key
        self._unsound: set[str] = set()
        for key in given:
            if key not in keys:
                self.fault("", f"a position has no key {key!r}.{nearest(key, keys)}")

    def fault(self, clause: str, sentence: str) -> None:
        """Note a fault; all are reported together."""
        self.faults.append((clause, sentence))
        self._unsound.add(self.reading)

    def is_sound(self, *keys: str) -> bool:
        """Say whether these keys were read without a fault, so that checks can depend on them."""
        return self._unsound.isdisjoint(keys)

    def part(self, given: Mapping[str, Any], keys: Sequence[str], where: str) -> PositionReader:
        """Return a reader of a table inside the position, whose faults are added here with their place."""
        return _PartReader(self, given, keys, where)

    def integer(self, key: str, default: int, low: int, high: int, clause: str = "") -> int:
        """Return a whole number in a range."""
        value = self.given.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(clause, f"{key} is {value!r}; it must be a whole number from {low} to {high}")
            return default
        return value

    def integers(
        self, key: str, default: Sequence[int], low: int, high: int, clause: str = ""
    ) -> Sequence[int]:
        """Return a list of whole numbers in a range, as many as `default` has."""
        value = self.given.get(key, default)
        fitting = isinstance(value, (list, tuple)) and len(value) == len(default)
        if not fitting or any(type(each) is not int or not low <= each <= high for each in value):
            self.fault(
                clause, f"{key} is {value!r}; it must be {len(default)} whole numbers from {low} to {high}"
            )
            return default
        return tuple(value)

    def truth(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.given.get(key, default)
        if not isinstance(value, bool):
            self.fault("", f"{key} is {value!r}; it must be true or false")
            return default
        return value

    def word(self, key: str, default: str, words: Sequence[str]) -> str:
        """Return one of some words."""
        value = self.given.get(key, default)
        if value not in words:
            self.fault("", f"{key} is {value!r}; it can be {', '.join(words)}.{nearest(str(value), words)}")
            return default
        return str(value)

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; empty if the key is left out."""
        value = self.given.get(key, [])
        if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
            self.fault("", f"{key} is {value!r}; it must be a list of texts")
            return []
        return list(value)

    def parsed(self, key: str, parse: Callable[[str], Any]) -> list[Any]:
        """Return a list with each text parsed."""
        return [parse(text) for text in self.texts(key)]


class _PartReader(PositionReader):
    """Read a table inside a position, such as what belongs to one seat."""

    def __init__(
        self, whole: PositionReader, given: Mapping[str, Any], keys: Sequence[str], where: str
    ) -> None:
        self._whole, self._where = whole, where
        super().__init__(given, keys, whole.seed)

    def fault(self, clause: str, sentence: str) -> None:
        """Note a fault of the whole position."""
        self._whole.fault(clause, f"{self._where}: {sentence}")


@dataclass(frozen=True)
class Key:
    """One key of a position: how its value is written, and how it is put into a state."""

    name: str
    write: Callable[[Any], Any]  # (state) -> the value; None: the key is left out
    read: Callable[[Any, Any], None]  # (reader, state): notes faults; left out, keeps or makes its default


def integer(
    name: str, *, low: Figure, high: Figure, default: Figure | None = None, clause: str = "", field: str = ""
) -> Key:
    """Return the key of a whole number in a field of the state, by default the field with the same name.

    If left out, it is `default`, or the value in the start. Bounds and default may depend on the state.
    """
    at = field or name

    def read(reader: PositionReader, state: Any) -> None:
        usual = getattr(state, at) if default is None else _figure(default, state)
        setattr(state, at, reader.integer(name, usual, _figure(low, state), _figure(high, state), clause))

    return Key(name, lambda state: getattr(state, at), read)


def integers(
    name: str, *, field: str, places: Sequence[int], low: Figure, high: Figure, clause: str = ""
) -> Key:
    """Return the key of a list of whole numbers, stored at some places of an array of the state.

    The list is in the order of `places`; if left out, it is taken from the start.
    """

    def written(state: Any) -> list[int]:
        return [int(getattr(state, field)[place]) for place in places]

    def read(reader: PositionReader, state: Any) -> None:
        numbers = reader.integers(name, written(state), _figure(low, state), _figure(high, state), clause)
        for place, number in zip(places, numbers, strict=True):
            getattr(state, field)[place] = number

    return Key(name, written, read)


def truth(name: str, *, default: Callable[[Any], bool] | None = None, field: str = "") -> Key:
    """Return the key of a field that is 0 or 1, written as false or true."""
    at = field or name

    def read(reader: PositionReader, state: Any) -> None:
        usual = bool(getattr(state, at)) if default is None else default(state)
        setattr(state, at, int(reader.truth(name, usual)))

    return Key(name, lambda state: bool(getattr(state, at)), read)


def choice(name: str, words: Sequence[str], *, default: Figure | None = None, field: str = "") -> Key:
    """Return the key of a field whose numbers have names, from 0."""
    at = field or name

    def read(reader: PositionReader, state: Any) -> None:
        usual = getattr(state, at) if default is None else _figure(default, state)
        setattr(state, at, list(words).index(reader.word(name, words[usual], words)))

    return Key(name, lambda state: words[getattr(state, at)], read)


def _figure(figure: Figure, state: Any) -> int:
    return int(figure(state)) if callable(figure) else figure


class PositionCodec:
    """A game's positions as tables, in both directions."""

    def __init__(
        self,
        *keys: Key,
        start: Callable[[Any, int, str], Any],
        checks: Sequence[Callable[[Any, Any], None]] = (),
        finish: Callable[[Any], None] | None = None,
        unordered: Sequence[str] = (),
        faceless: Sequence[str] = (),
        reader: type[PositionReader] = PositionReader,
        untold: Mapping[str, tuple[int, int]] | None = None,
        settle: Callable[[Any], None] | None = None,
    ) -> None:
        """Describe positions.

        Args:
            keys: in the order in which they are written and read.
            start: makes the state of a fresh set-up from options, seats and seed; omitted keys keep its
                values.
            checks: called with the reader and the state after all keys are read; note every rule violation.
            finish: completes a valid state with what no key contains.
            unordered: keys whose lists are equal in any order, where positions are compared.
            faceless: keys in which a card equals itself face down.
            reader: the class of the reader, if keys depend on what it remembers from others.
            untold: fields of a state that no key contains, such as knowledge of the past, as paths with the
                bounds that rules can work with: ``{"players.known": (0, 2)}``.
            settle: normalises a state, if states with the same position differ in ways that `untold` can't
                express.
        """
        self.keys = tuple(key.name for key in keys)
        self.unordered, self.faceless = frozenset(unordered), frozenset(faceless)
        self._keys = keys
        self._start = start
        self._checks = tuple(checks)
        self._finish = finish
        self._untold = dict(untold or {})
        self._settle = settle
        self._reader = reader

    def write(self, state: Any) -> dict[str, Any]:
        """Return a state as a position, hidden things included."""
        written = ((key.name, key.write(state)) for key in self._keys)
        return {name: value for name, value in written if value is not None}

    def value(self, state: Any, name: str) -> Any:
        """Return the value of one key without writing the others."""
        return next(key for key in self._keys if key.name == name).write(state)

    def read(self, given: Mapping[str, Any], options: Any, seats: int, seed: str) -> Any:
        """Make a state from a position; raises `BadPosition` with all faults, `UnknownCard` for no card."""
        reader = self._reader(given, self.keys, seed)
        state = self._start(options, seats, seed)
        for key in self._keys:
            reader.reading = key.name
            key.read(reader, state)
        reader.reading = ""
        for check in self._checks:
            check(reader, state)
        if reader.faults:
            raise BadPosition(reader.faults)
        if self._finish is not None:
            self._finish(state)
        return state

    def check_state(self, state: Any, options: Any, seats: int) -> None:
        """Check that a state of unknown origin is one that rules can play on.

        Written as a position and read again, it must be the same, except for its random stream, what is above
        the top of a pile, and `untold` fields within their bounds. Raises `BadPosition` with what is wrong
        and where.
        """
        try:
            read = self.read(self.write(state), options, seats, "0")
        except (BadPosition, UnknownCard):
            raise
        except Exception as error:
            raise BadPosition([("", f"it isn't a table: {error}")]) from error
        given = state.copy()
        given.rng = read.rng = 0
        if self._settle is not None:
            self._settle(given)
            self._settle(read)
        faults = list(differences(given, read, self._untold))
        if faults:
            raise BadPosition([("", fault) for fault in faults[:MOST_FAULTS]])


MOST_FAULTS = 5  # differences to report for one state


def differences(
    given: Any, read: Any, untold: Mapping[str, tuple[int, int]], path: str = ""
) -> Iterator[str]:
    """Yield the differences between two states; fields in `untold` may differ within their bounds.

    Any card may be above the top of a pile.
    """
    for name, spec in type(given)._specs.items():
        place = f"{path}.{name}" if path else name
        mine, theirs = getattr(given, name), getattr(read, name)
        if spec.nested is not None:
            pairs = zip(mine, theirs, strict=True) if spec.shape else [(mine, theirs)]
            for one, other in pairs:
                yield from differences(one, other, untold, place)
            continue
        if not spec.shape:
            mine, theirs = [mine], [theirs]
        used = given.count if spec.shape and isinstance(given, Pile) else len(mine)
        for at, (one, other) in enumerate(zip(mine, theirs, strict=True)):
            low, high = untold.get(place, LEFT_OVER if at >= used else (other, other))
            if one != other and not low <= one <= high:
                where = f"{place}[{at}]" if spec.shape else place
                yield f"{where} is {one}, and the rest of the table says {other}"


LEFT_OVER = (-2, 127)  # the cards that may be above the top of a pile: any, or a blank
