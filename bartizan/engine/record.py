"""Describe a game's state as one fixed block of memory.

A `Record` subclass lists its fields once.  Compiled rules work on a NumPy
structured dtype made from them.  Interpreted rules work on an instance of the
class, made of ints and lists, which checks every range and every index;
compiled code doesn't.

    class State(Record):
        rng: int = field(U64)       # a scalar
        deck: Pile = pile(54)       # a nested record: count and cards
        enemy: Cells = cells(I8, 6) # a fixed array
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Self, TypeVar, cast, get_type_hints

import msgspec
import numpy as np
from numpy.typing import NDArray

from bartizan.engine.mode import COMPILED

I8 = np.dtype(np.int8)
I16 = np.dtype(np.int16)
I32 = np.dtype(np.int32)
I64 = np.dtype(np.int64)
U64 = np.dtype(np.uint64)

EMPTY = -1  # means that nothing is there

Array = NDArray[Any]
R = TypeVar("R", bound="Record")
S = TypeVar("S", bound=msgspec.Struct)


def table(values: Iterable[int]) -> Any:
    """Return numbers for rules to look up: an array for compiled rules, a tuple for interpreted ones."""
    return np.array(list(values), np.int64) if COMPILED else tuple(values)


def bounds(kind: np.dtype[Any]) -> tuple[int, int]:
    """Return the smallest and largest value of a kind of number."""
    limits = np.iinfo(kind)
    return int(limits.min), int(limits.max)


class NotWhole(TypeError):
    """A fraction that a rule wrote into a state."""


def _not_whole(name: str, value: float) -> NotWhole:
    return NotWhole(f"{name} can't be {value}: rules use whole numbers, and divide with //")


_number_at = list.__getitem__


class Cells(list[int]):
    """A fixed array of integers: no negative index, no change of length, no value out of range.

    Each kind of number has its own class (`cells_type`), so making an array is as fast as making a list.
    """

    __slots__ = ()
    low: ClassVar[int]
    high: ClassVar[int]

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            raise IndexError(f"a rule read index {index}")
        return _number_at(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"a rule wrote index {index}")
        if value.__class__ is float:
            raise _not_whole("a place", value)
        if not self.low <= value <= self.high:
            raise OverflowError(f"{value} does not fit {self.low}..{self.high}")
        list.__setitem__(self, int(index), int(value))

    def _refuse(self, *_: Any, **__: Any) -> Any:
        """Refuse: a state's array has a fixed length and order."""
        raise TypeError("a state's array has a fixed length")

    append = extend = insert = pop = remove = clear = _refuse
    __delitem__ = __iadd__ = __imul__ = _refuse


@functools.cache
def cells_type(kind: np.dtype[Any]) -> type[Cells]:
    """Return the class of arrays of one kind of number."""
    low, high = bounds(kind)
    return type(f"{kind.name.title()}Cells", (Cells,), {"__slots__": (), "low": low, "high": high})


# The `struct` formats of the numbers that a field may hold.
_CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q"}
SOURCE = "_source"  # where a record keeps the bytes that it was made from, and its offset in them
WAS_COPIED = "_was_copied"  # marks a record of which copies exist: what was read of those isn't known
IS_COPY = "_is_copy"  # marks a copy, which may be changed
OWN = frozenset({SOURCE, WAS_COPIED, IS_COPY})


class Spec:
    """One field: its dtype, how its value is made from bytes, and how it is written to a row of numbers.

    As a descriptor, it reads a field of a record made from bytes when the field is first needed.
    """

    def __init__(
        self, dtype: np.dtype[Any], shape: tuple[int, ...] = (), nested: type[Record] | None = None
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.nested = nested
        self.low, self.high = (0, 0) if nested else bounds(dtype)
        self.name = ""
        self.declared: Any = None  # its declaration, if there is one (see engine/table.py)
        self.place = 0  # in bytes, from the beginning of the record
        self._codes = struct.Struct(f"={self.layout}")
        self._read = self._reader()

    def __set_name__(self, owner: type[Record], name: str) -> None:
        self.name = name

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:
        if record is None:
            return self
        mine = vars(record)
        data, at = mine[SOURCE]
        value = mine[self.name] = self._read(data, at + self.place)
        return value

    @property
    def numpy_type(self) -> Any:
        """The NumPy type of the field."""
        return (self.dtype, self.shape) if self.shape else self.dtype

    @property
    def layout(self) -> str:
        """The `struct` format of the field, including the gaps inside records."""
        each = self.nested._layout if self.nested is not None else _CODES[self.dtype.str[1:]]
        if not self.shape:
            return each
        return each * self.shape[0] if self.nested is not None else f"{self.shape[0]}{each}"

    def _reader(self) -> Callable[[bytes, int], Any]:
        """Return a function that makes the record's value from bytes at an offset."""
        unpack = self._codes.unpack_from
        if self.nested is not None:
            make, step = self.nested.from_bytes, self.dtype.itemsize
            if not self.shape:
                return make
            steps = range(0, self.shape[0] * step, step)
            return lambda data, at: [make(data, at + further) for further in steps]
        if self.shape:
            kind = cells_type(self.dtype)
            return lambda data, at: kind(unpack(data, at))
        return lambda data, at: unpack(data, at)[0]

    def numbers(self, data: bytes, at: int) -> Sequence[int]:
        """Return all of the field's numbers from a record's bytes."""
        return self._codes.unpack_from(data, at + self.place)

    def copy(self, value: Any) -> Any:
        """Return a deep copy of the record's value."""
        if self.nested is not None:
            return [row.copy() for row in value] if self.shape else value.copy()
        return type(value)(value) if self.shape else value

    def write(self, value: Any, numbers: list[int]) -> None:
        """Append the record's value to a list of numbers."""
        if self.nested is None:
            numbers.extend(value if self.shape else (value,))
        elif self.shape:
            for row in value:
                row._write(numbers)
        else:
            value._write(numbers)

    def zero(self) -> Any:
        """Return the record's value in a fresh state."""
        if self.nested is not None:
            return [self.nested() for _ in range(self.shape[0])] if self.shape else self.nested()
        return cells_type(self.dtype)([0] * self.shape[0]) if self.shape else 0


def field(kind: np.dtype[Any]) -> int:
    """Declare a scalar field."""
    return cast(int, Spec(kind))


def cells(kind: np.dtype[Any], length: int) -> Cells:
    """Declare a fixed array of `length` numbers."""
    return cast(Cells, Spec(kind, (length,)))


def pile(capacity: int) -> Pile:
    """Declare a pile that holds up to `capacity` cards."""
    return cast(Pile, Spec(pile_type(capacity).dtype, nested=pile_type(capacity)))


def nested(kind: type[R]) -> R:
    """Declare a record inside the record."""
    return cast(R, Spec(kind.dtype, nested=kind))


def records(kind: type[R], length: int) -> Sequence[R]:
    """Declare a fixed array of records, such as one per seat."""
    return cast(Sequence[R], Spec(kind.dtype, (length,), nested=kind))


class Record:
    """Base of states. An instance is the interpreted record, initially all zeros.

    A record made from bytes reads each field when it is first needed, since most readers of a table need
    little of it.
    """

    dtype: ClassVar[np.dtype[Any]]
    _specs: ClassVar[dict[str, Spec]]
    _layout: ClassVar[str]  # the `struct` format
    _struct: ClassVar[struct.Struct]

    def __init_subclass__(cls) -> None:
        inherited = getattr(cls, "_specs", {})
        own = {name: spec for name, spec in vars(cls).items() if isinstance(spec, Spec)}
        cls._specs = {**inherited, **own}
        cls.dtype = np.dtype([(name, spec.numpy_type) for name, spec in cls._specs.items()], align=True)
        cls._describe()

    @classmethod
    def _describe(cls) -> None:
        """Compute where each field is."""
        layout, end = "", 0
        for name, spec in cls._specs.items():
            spec.place = cls.dtype.fields[name][1] if cls.dtype.fields else 0
            layout += "x" * (spec.place - end) + spec.layout
            end = spec.place + cls.dtype[name].itemsize
        cls._layout = layout + "x" * (cls.dtype.itemsize - end)
        cls._struct = struct.Struct(f"={cls._layout}")

    def __init__(self) -> None:
        for name, spec in self._specs.items():
            object.__setattr__(self, name, spec.zero())

    def __setattr__(self, name: str, value: Any) -> None:
        spec = self._specs.get(name)
        if spec is None:
            raise AttributeError(name=name, obj=self)
        if spec.nested is not None or spec.shape:
            raise TypeError(f"{name} is changed in place, not replaced")
        if value.__class__ is float:
            raise _not_whole(name, value)
        if not spec.low <= value <= spec.high:
            raise OverflowError(f"{name} = {value} does not fit {spec.low}..{spec.high}")
        object.__setattr__(self, name, int(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self.numbers() == other.numbers()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_bytes(cls, data: bytes, at: int = 0) -> Self:
        """Make a record from `data` at an offset, in the machine's byte order."""
        record = cls.__new__(cls)
        vars(record)[SOURCE] = data, at
        return record

    @classmethod
    def from_array(cls, array: Array) -> Self:
        """Make a record from the first record of `array`."""
        return cls.from_bytes(array[:1].tobytes())

    def _write(self, numbers: list[int]) -> None:
        mine = vars(self)
        for name, spec in self._specs.items():
            if name in mine:
                spec.write(mine[name], numbers)
            else:  # not read yet, so it is unchanged
                numbers.extend(spec.numbers(*mine[SOURCE]))

    def numbers(self) -> list[int]:
        """Return all numbers in the order of the fields."""
        numbers: list[int] = []
        self._write(numbers)
        return numbers

    def to_array(self) -> Array:
        """Return an array of one record with the same values; gaps between them are zero."""
        return np.frombuffer(bytearray(self._struct.pack(*self.numbers())), dtype=self.dtype)

    def copy(self) -> Self:
        """Return an equal record that shares only immutable things with this one."""
        record = type(self).__new__(type(self))
        mine, theirs = vars(self), vars(record)
        for name, value in mine.items():
            if name not in OWN:
                theirs[name] = self._specs[name].copy(value)
        if SOURCE in mine:
            theirs[SOURCE], theirs[IS_COPY] = mine[SOURCE], True
            mine[WAS_COPIED] = True
        return record


def bytes_of(record: Record) -> bytes | None:
    """Return the bytes that a record was made from if it is unchanged as far as is known, otherwise None."""
    mine = vars(record)
    if SOURCE not in mine or IS_COPY in mine:
        return None
    data, at = mine[SOURCE]
    return data if at == 0 and len(data) == record.dtype.itemsize else None


def places_read(record: Record) -> tuple[tuple[int, int], ...]:
    """Return which bytes of a record were read, ascending; all of them if it was copied."""
    places: list[tuple[int, int]] = []
    _add_places(record, places)
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, joined[-1][1])
        else:
            joined.append((start, stop))
    return tuple(joined)


def _add_places(record: Record, found: list[tuple[int, int]]) -> None:
    mine = vars(record)
    at = mine[SOURCE][1]
    if WAS_COPIED in mine:
        found.append((at, at + record.dtype.itemsize))
        return
    for name, value in mine.items():
        if name in OWN:
            continue
        spec = record._specs[name]
        if spec.nested is None:
            found.append((at + spec.place, at + spec.place + spec._codes.size))
        else:
            for part in value if spec.shape else (value,):
                _add_places(part, found)


class Pile(Record):
    """Some cards in order, the bottom one first: ``cards[count - 1]`` is the top."""

    count: int = field(I8)
    cards: Cells = cells(I8, 1)

    def listed(self) -> list[int]:
        """Return the cards, top first, as piles are written."""
        if self.count > len(self.cards):
            raise IndexError(f"a pile of {len(self.cards)} holds {self.count} cards")
        return list(self.cards)[: self.count][::-1] if self.count > 0 else []


_PILES: dict[int, type[Pile]] = {}


def pile_type(capacity: int) -> type[Pile]:
    """Return the record type of a pile of up to `capacity` cards."""
    if capacity not in _PILES:
        fields = {"count": field(I8 if capacity <= 127 else I16), "cards": cells(I8, capacity)}
        _PILES[capacity] = type(f"Pile{capacity}", (Pile,), fields)
    return _PILES[capacity]


def option_record(options: type[msgspec.Struct]) -> type[Record]:
    """Return a record with one small integer for each option of a Struct; a group is a nested record."""
    kinds = get_type_hints(options)
    fields = {
        info.name: nested(option_record(kinds[info.name]))
        if isinstance(kinds[info.name], type) and issubclass(kinds[info.name], msgspec.Struct)
        else field(I16)
        for info in msgspec.structs.fields(options)
    }
    return type(f"{options.__name__}Record", (Record,), fields)


def chosen(options: type[S]) -> S:
    """Declare the field that holds the chosen options; rules only read it."""
    kind = option_record(options)
    return cast(S, Spec(kind.dtype, nested=kind))
