"""Describe a game's state as one fixed block of memory.

A `Record` subclass lists its fields once.  From it come the NumPy structured
dtype that compiled rules work on, and the *twin*: an ordinary object of that
class, made of ints and lists, on which the same rules run interpreted.  The
twin checks every range and every index, which the compiled code does not.

    class State(Record):
        rng: int = field(U64)       # a scalar
        deck: Pile = pile(54)       # a nested record: count and cards
        enemy: Cells = cells(I8, 6) # a fixed array
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

EMPTY = -1  # nothing there

Array = NDArray[Any]
R = TypeVar("R", bound="Record")
S = TypeVar("S", bound=msgspec.Struct)


def table(values: Iterable[int]) -> Any:
    """Return numbers for rules to look up: an array for compiled ones, a tuple for interpreted ones."""
    return np.array(list(values), np.int64) if COMPILED else tuple(values)


def bounds(kind: np.dtype[Any]) -> tuple[int, int]:
    """Return the least and the greatest value that a number of this kind holds."""
    limits = np.iinfo(kind)
    return int(limits.min), int(limits.max)


class Cells(list[int]):
    """A fixed array of integers: no negative index, no change of length, no value out of range."""

    __slots__ = ("high", "low")

    def __init__(self, values: Iterable[int], low: int, high: int) -> None:
        list.__init__(self, values)
        self.low = low
        self.high = high

    def __getitem__(self, index: Any) -> Any:
        if index < 0:
            raise IndexError(f"a rule read index {index}")
        return list.__getitem__(self, int(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        if index < 0:
            raise IndexError(f"a rule wrote index {index}")
        if not self.low <= value <= self.high:
            raise OverflowError(f"{value} does not fit {self.low}..{self.high}")
        list.__setitem__(self, int(index), int(value))

    def _refuse(self, *_: Any, **__: Any) -> Any:
        """Refuse: the length of a state's array is fixed, and so is the order of its numbers."""
        raise TypeError("a state's array has a fixed length")

    append = extend = insert = pop = remove = clear = _refuse
    __delitem__ = __iadd__ = __imul__ = _refuse


class Spec:
    """One field: its dtype, and how the twin's value is made and read."""

    def __init__(
        self, dtype: np.dtype[Any], shape: tuple[int, ...] = (), nested: type[Record] | None = None
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.nested = nested
        self.low, self.high = (0, 0) if nested else bounds(dtype)

    @property
    def numpy_type(self) -> Any:
        """Return what NumPy calls the field's type."""
        return (self.dtype, self.shape) if self.shape else self.dtype

    def read(self, value: Any) -> Any:
        """Make the twin's value from what ``ndarray.tolist`` gives; inside records arrays stay arrays."""
        if self.nested is not None:
            if self.shape:
                rows = value.tolist() if isinstance(value, np.ndarray) else value
                return [self.nested.from_tuple(row) for row in rows]
            return self.nested.from_tuple(value)
        if self.shape:
            return Cells(value.tolist() if isinstance(value, np.ndarray) else value, self.low, self.high)
        return value

    def copy(self, value: Any) -> Any:
        """Return the twin's value anew, sharing nothing."""
        if self.nested is not None:
            return [row.copy() for row in value] if self.shape else value.copy()
        return Cells(value, self.low, self.high) if self.shape else value

    def write(self, value: Any) -> Any:
        """Give the twin's value in the nested tuples that NumPy takes."""
        if self.nested is not None:
            return [row.to_tuple() for row in value] if self.shape else value.to_tuple()
        return list(value) if self.shape else value

    def zero(self) -> Any:
        """Return the twin's value of a fresh state."""
        if self.nested is not None:
            return [self.nested() for _ in range(self.shape[0])] if self.shape else self.nested()
        return Cells([0] * self.shape[0], self.low, self.high) if self.shape else 0


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
    """Base of states.  An instance is the interpreted twin, all zeros at first."""

    dtype: ClassVar[np.dtype[Any]]
    _specs: ClassVar[dict[str, Spec]]

    def __init_subclass__(cls) -> None:
        inherited = getattr(cls, "_specs", {})
        own = {name: spec for name, spec in vars(cls).items() if isinstance(spec, Spec)}
        cls._specs = {**inherited, **own}
        cls.dtype = np.dtype([(name, spec.numpy_type) for name, spec in cls._specs.items()], align=True)

    def __init__(self) -> None:
        for name, spec in self._specs.items():
            object.__setattr__(self, name, spec.zero())

    def __setattr__(self, name: str, value: Any) -> None:
        spec = self._specs[name]
        if spec.nested is not None or spec.shape:
            raise TypeError(f"{name} is changed in place, not replaced")
        if not spec.low <= value <= spec.high:
            raise OverflowError(f"{name} = {value} does not fit {spec.low}..{spec.high}")
        object.__setattr__(self, name, int(value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self.to_tuple() == other.to_tuple()

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_tuple(cls, values: Sequence[Any]) -> Self:
        """Make the twin from nested tuples, as ``ndarray.tolist`` gives them."""
        twin = cls.__new__(cls)
        pairs = zip(cls._specs.items(), values, strict=True)
        vars(twin).update({name: spec.read(value) for (name, spec), value in pairs})
        return twin

    @classmethod
    def from_array(cls, array: Array) -> Self:
        """Make the twin of the first record in `array`."""
        return cls.from_tuple(array[:1].tolist()[0])

    def to_tuple(self) -> tuple[Any, ...]:
        """Return the values as nested tuples, in the order of the fields."""
        return tuple(spec.write(getattr(self, name)) for name, spec in self._specs.items())

    def to_array(self) -> Array:
        """Return an array of one record with the same values."""
        array = np.zeros(1, dtype=self.dtype)  # padding too is zero, so that equal states have equal bytes
        array[0] = self.to_tuple()
        return array

    def copy(self) -> Self:
        """Return an equal twin that shares nothing with this one."""
        twin = type(self).__new__(type(self))
        mine = vars(self)
        vars(twin).update({name: spec.copy(mine[name]) for name, spec in self._specs.items()})
        return twin


class Pile(Record):
    """Some cards in order, the bottom one first: ``cards[count - 1]`` is the top."""

    count: int = field(I8)
    cards: Cells = cells(I8, 1)

    def listed(self) -> list[int]:
        """Return the cards, top first, as a pile is written."""
        return [self.cards[index] for index in range(self.count - 1, -1, -1)]


_PILES: dict[int, type[Pile]] = {}


def pile_type(capacity: int) -> type[Pile]:
    """Return the record type of a pile of up to `capacity` cards."""
    if capacity not in _PILES:
        fields = {"count": field(I8 if capacity <= 127 else I16), "cards": cells(I8, capacity)}
        _PILES[capacity] = type(f"Pile{capacity}", (Pile,), fields)
    return _PILES[capacity]


def option_record(options: type[msgspec.Struct]) -> type[Record]:
    """Return a record with one small integer for each option of a Struct; a group is a record inside it."""
    kinds = get_type_hints(options)
    fields = {
        info.name: nested(option_record(kinds[info.name]))
        if isinstance(kinds[info.name], type) and issubclass(kinds[info.name], msgspec.Struct)
        else field(I16)
        for info in msgspec.structs.fields(options)
    }
    return type(f"{options.__name__}Record", (Record,), fields)


def chosen(options: type[S]) -> S:
    """Declare the field that holds the chosen options; rules read it, nobody writes it."""
    kind = option_record(options)
    return cast(S, Spec(kind.dtype, nested=kind))
