"""Describe a game's variants: the options, their values, the defaults, a sentence each.

A game declares a frozen Struct whose fields carry `option(...)`; an enumerated option is an IntEnum whose
members are in the order of the written values.

A field may also be a *group*: another `OptionSet`, whose options belong together.
In flat lists (command line, forms), its options have keys with a dot, ``setup.symmetry``; in files they are
written as a table: ``setup = { symmetry = "mirror" }``.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Collection, Mapping
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal, Protocol, Self, cast

import msgspec

from bartizan.engine.errors import BadOption, UnknownOption, nearest

Value = bool | int | str
Written = Value | dict[str, Value]  # a group is written as a table

Kind = Literal["bool", "choice", "int", "text"]

TRUE = ("true", "on", "yes", "1")
FALSE = ("false", "off", "no", "0")


class TextForm(Protocol):
    """How an option with a text form of its own, such as ``9x7``, becomes a number."""

    def read(self, word: str) -> int:
        """Return the number; raises `ValueError` with what the text must be: ``it must be …``."""

    def write(self, number: int) -> str:
        """Return the text of a number."""


def option(
    sentence: str,
    *values: int | str,
    low: int | None = None,
    high: int | None = None,
    form: TextForm | None = None,
    usual: str = "",
    compare: bool = False,
    proposed: str = "",
) -> msgspec.Meta:
    """Describe one option: a sentence, the written values or a range, and whether it is worth comparing.

    With a `form` the option is a text of that form, and `values` are examples of it. `usual` is the word for
    a default that `OptionSet.settled` replaces with a number. `proposed` is the value that a lobby suggests,
    if people on screen will prefer it to the default.
    """
    return msgspec.Meta(
        description=sentence,
        extra={
            "values": values,
            "low": low,
            "high": high,
            "form": form,
            "usual": usual,
            "compare": compare,
            "proposed": proposed,
        },
    )


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One option, as it is shown to users."""

    key: str
    default: Value
    kind: Kind
    sentence: str
    values: tuple[int | str, ...] = ()
    low: int | None = None
    high: int | None = None
    worth_comparing: bool = False
    form: Any = None  # a `TextForm`, for a text
    proposed: str = ""  # what a lobby suggests, if not the default
    usual: int | None = None  # for whole numbers: the number that rules use if the default is a word

    def read(self, given: object) -> int:
        """Return the integer that rules use for a written value.

        Raises `UnknownOption` naming the value and those that exist.
        """
        word = str(given).strip().lower()
        if self.kind == "bool":
            if word in TRUE:
                return 1
            if word in FALSE:
                return 0
            raise UnknownOption(f"{self.key} is {given!r}; it can be true or false.")
        if self.kind == "choice":
            words = [str(value) for value in self.values]
            if word in words:
                return words.index(word)
            listed = ", ".join(words)
            raise UnknownOption(f"{self.key} is {given!r}; it can be {listed}.{nearest(word, words)}")
        if self.kind == "text":
            try:
                return int(self.form.read(word))
            except ValueError as error:
                raise UnknownOption(f"{self.key} is {given!r}; {error}.") from error
        if self.usual is not None and word == self.default:
            return self.usual
        low, high = cast(int, self.low), cast(int, self.high)
        number = int(word) if re.fullmatch(r"[+-]?\d{1,9}", word) else low - 1
        if not low <= number <= high:
            usual = "" if self.usual is None else f"{self.default}, or "
            raise UnknownOption(
                f"{self.key} is {given!r}; it must be {usual}a whole number from {low} to {high}."
            )
        return number

    def write(self, number: int) -> Value:
        """Return the written value for the number that rules use."""
        if self.kind == "bool":
            return bool(number)
        if self.kind == "text":
            return str(self.form.write(number))
        if number == self.usual:
            return self.default
        return self.values[number] if self.kind == "choice" else number


class OptionSet(msgspec.Struct, frozen=True, kw_only=True):
    """Base of a game's options; the fields are in the order in which they are shown."""

    @classmethod
    def specs(cls) -> tuple[OptionSpec, ...]:
        """Return the description of every option, including those in groups.

        Raises `BadOption` if the game declares one that no table could have.
        """
        return _specs_of(cls)

    @classmethod
    def groups(cls) -> dict[str, type[OptionSet]]:
        """Return the groups of options by name."""
        return {info.name: group for info in _fields(cls) if (group := _group(info)) is not None}

    @classmethod
    def goes_together(cls, given: Mapping[str, object], seats: int) -> bool:
        """Say whether written values go with each other, with the defaults and with this number of seats."""
        try:
            return not cls.read(given).fault_for(seats)
        except UnknownOption:
            return False

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """Make the options from written values; options that are left out have their defaults.

        Raises `UnknownOption` for a name or a value that does not exist, and
        for values that exclude each other.
        """
        flat = _flat(given, cls.groups())
        specs = {spec.key: spec for spec in cls.specs()}
        for key in flat:
            if key not in specs:
                raise UnknownOption(f"There is no option {key!r}.{nearest(key, specs) or _listed(specs)}")
        numbers: dict[str, Any] = {name: {} for name in cls.groups()}
        for key, value in flat.items():
            group, dot, name = key.partition(".")
            (numbers[group] if dot else numbers)[name or group] = specs[key].read(value)
        chosen = msgspec.convert(numbers, cls, strict=False)
        for part in (*(getattr(chosen, name) for name in cls.groups()), chosen):
            if part.fault():
                raise UnknownOption(part.fault())
        return chosen

    def fault(self) -> str:
        """Say in a sentence which values exclude each other; ``""`` if they are all compatible."""
        return ""

    def write(self) -> dict[str, Written]:
        """Return all options as written values, in their order; a group is a table."""
        written: dict[str, Written] = {}
        for info in _fields(type(self)):
            value = getattr(self, info.name)
            if isinstance(value, OptionSet):
                written[info.name] = {
                    spec.key: spec.write(int(getattr(value, spec.key))) for spec in value.specs()
                }
            else:
                (spec,) = _specs(info)
                written[info.name] = spec.write(int(value))
        return written

    def settled(self, seats: int) -> Self:
        """Return the options with all defaults that depend on the number of seats filled in.

        Game records then state every option explicitly.
        """
        return self

    def fault_for(self, seats: int) -> str:
        """Say in a sentence what doesn't fit this number of seats; ``""`` if everything does."""
        return ""

    def fault_for_programs(self) -> str:
        """Say in a sentence why no program can take a seat with these options; ``""`` if one can."""
        return ""

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers that rules use, in the order of `specs`."""
        values: list[int] = []
        for info in _fields(type(self)):
            value = getattr(self, info.name)
            values += value.numbers() if isinstance(value, OptionSet) else (int(value),)
        return tuple(values)

    def put_into(self, record: Any) -> None:
        """Set the fields of a state's options, which have the same names."""
        for info in _fields(type(self)):
            value = getattr(self, info.name)
            if isinstance(value, OptionSet):
                value.put_into(getattr(record, info.name))
            else:
                setattr(record, info.name, int(value))


def only(written: Mapping[str, Written], keys: Collection[str]) -> dict[str, Written]:
    """Return those of the written options whose flat keys are given."""
    chosen: dict[str, Written] = {}
    for key, value in written.items():
        if isinstance(value, dict):
            if group := {name: each for name, each in value.items() if f"{key}.{name}" in keys}:
                chosen[key] = group
        elif key in keys:
            chosen[key] = value
    return chosen


def flat(written: Mapping[str, Written]) -> dict[str, Value]:
    """Return written options with those of a group flattened to ``group.key``."""
    values: dict[str, Value] = {}
    for key, value in written.items():
        if isinstance(value, dict):
            values |= {f"{key}.{name}": each for name, each in value.items()}
        else:
            values[key] = value
    return values


def _flat(given: Mapping[str, object], groups: Mapping[str, object]) -> dict[str, object]:
    """Return unchecked options with the tables of groups flattened."""
    values: dict[str, object] = {}
    for key, value in given.items():
        if key in groups and not isinstance(value, Mapping):
            raise UnknownOption(
                f"{key} is {value!r}; it must be a table such as {key} = {{ … }}, or be set by {key}.NAME."
            )
        parts = value if key in groups and isinstance(value, Mapping) else None
        for name, each in {key: value}.items() if parts is None else parts.items():
            whole = name if parts is None else f"{key}.{name}"
            if whole in values:
                raise UnknownOption(f"{whole} is given twice.")
            values[whole] = each
    return values


@functools.cache
def _fields(options: type[OptionSet]) -> tuple[Any, ...]:
    """Return msgspec's description of the fields; cached, as msgspec rereads annotations on every call."""
    return msgspec.inspect.type_info(options).fields  # type: ignore[attr-defined]


def _group(info: Any) -> type[OptionSet] | None:
    """Return the option set of a field that is a group, or None for a single option."""
    return cast(type[OptionSet], info.type.cls) if isinstance(info.type, msgspec.inspect.StructType) else None


@functools.cache
def _specs_of(options: type[OptionSet]) -> tuple[OptionSpec, ...]:
    for info in _fields(options):
        if _group(info) is None and (fault := _fault(info)):
            raise BadOption(f"{_place(options, info.name)}: The option {info.name!r} {fault}.")
    return tuple(spec for info in _fields(options) for spec in _specs(info))


def _specs(info: Any) -> tuple[OptionSpec, ...]:
    group = _group(info)
    if group is None:
        return (_spec(info),)
    return tuple(msgspec.structs.replace(spec, key=f"{info.name}.{spec.key}") for spec in group.specs())


def _listed(specs: Mapping[str, OptionSpec]) -> str:
    return f" The options are {', '.join(specs)}."


def _place(options: type[OptionSet], name: str) -> str:
    """Return the file and line at which an option is declared."""
    path = Path(inspect.getfile(options))
    lines, first = inspect.getsourcelines(options)
    line = next((n for n, line in enumerate(lines, first) if re.match(rf"\s+{name}\s*:", line)), first)
    return f"{path.parent.name}/{path.name}:{line}"


def _fault(info: Any) -> str:
    """Say what is wrong with a game's declaration of an option, after its name; ``""`` if nothing is."""
    extra = getattr(info.type, "extra", None) or {}
    if "values" not in extra:
        return "must be declared as Annotated[int, option(…)], Annotated[bool, …] or with an IntEnum"
    kind, default = info.type.type, info.default
    if default is msgspec.NODEFAULT:
        return "has no default: write `= …` after its declaration"
    if isinstance(kind, msgspec.inspect.BoolType):
        return (
            "" if isinstance(default, bool) else f"has the default {default!r}, which must be True or False"
        )
    if isinstance(kind, msgspec.inspect.EnumType):
        if not issubclass(kind.cls, IntEnum) or [*kind.cls] != [*range(len(extra["values"]))]:
            return "must have one written value for each member of its IntEnum, which counts from 0"
        return "" if default in [*kind.cls] else f"has the default {default!r}, which isn't in its IntEnum"
    if not isinstance(kind, msgspec.inspect.IntType):
        return "must be an int, a bool or an IntEnum"
    if type(default) is not int:
        return f"must have a whole number as its default, not {default!r}"
    if extra["form"] is not None:
        return ""
    low, high = extra["low"], extra["high"]
    if type(low) is not int or type(high) is not int or low > high:
        return (
            f"must have low=… and high=…, whole numbers with the smaller one first; they are {low} and {high}"
        )
    if not (extra["usual"] or low <= default <= high):
        return f"has the default {default}, which must be from {low} to {high}"
    return ""


def _spec(info: Any) -> OptionSpec:
    meta = info.type
    extra = meta.extra
    kind = meta.type
    values: tuple[int | str, ...] = extra["values"]
    default = info.default
    if isinstance(kind, msgspec.inspect.BoolType):
        form: Kind = "bool"
        written: Value = bool(default)
    elif isinstance(kind, msgspec.inspect.EnumType):
        form = "choice"
        written = values[int(default)]
    elif extra["form"] is not None:
        form = "text"
        written = extra["form"].write(int(default))
    else:
        form = "int"
        written = extra["usual"] or int(default)
    return OptionSpec(
        key=info.name,
        default=written,
        kind=form,
        sentence=meta.extra_json_schema["description"] if meta.extra_json_schema else "",
        values=values,
        low=extra["low"],
        high=extra["high"],
        worth_comparing=extra["compare"],
        form=extra["form"],
        proposed=extra["proposed"],
        usual=int(default) if extra["usual"] else None,
    )
