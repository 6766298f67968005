"""Describe a game's variants: what can be chosen, the default, a sentence each.

A game declares a frozen Struct whose fields carry `option(...)`; an enumerated
option is an IntEnum whose members stand in the order of the written values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Literal, Protocol, Self, cast

import msgspec

from bartizan.engine.errors import UnknownOption, nearest

Written = bool | int | str

Kind = Literal["bool", "choice", "int", "text"]

TRUE = ("true", "on", "yes", "1")
FALSE = ("false", "off", "no", "0")


class TextForm(Protocol):
    """How an option that is written as a text of its own form, such as ``9x7``, becomes a number."""

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
    compare: bool = False,
) -> msgspec.Meta:
    """Describe one option: a sentence, the written values or a range, and whether it is worth comparing.

    With a `form` the option is a text of that form, and `values` are examples of it.
    """
    return msgspec.Meta(
        description=sentence,
        extra={"values": values, "low": low, "high": high, "form": form, "compare": compare},
    )


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One option as faces show it."""

    key: str
    default: Written
    kind: Kind
    sentence: str
    values: tuple[int | str, ...] = ()
    low: int | None = None
    high: int | None = None
    worth_comparing: bool = False
    form: Any = None  # a `TextForm`, for a text

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
        low, high = cast(int, self.low), cast(int, self.high)
        number = int(word) if re.fullmatch(r"[+-]?\d{1,9}", word) else low - 1
        if not low <= number <= high:
            raise UnknownOption(f"{self.key} is {given!r}; it must be a whole number from {low} to {high}.")
        return number

    def write(self, number: int) -> Written:
        """Return the written value of what rules use."""
        if self.kind == "bool":
            return bool(number)
        if self.kind == "text":
            return str(self.form.write(number))
        return self.values[number] if self.kind == "choice" else number


class OptionSet(msgspec.Struct, frozen=True, kw_only=True):
    """Base of a game's options; the fields are in the order in which they are shown."""

    @classmethod
    def specs(cls) -> tuple[OptionSpec, ...]:
        """Return the description of every option."""
        return tuple(_spec(info) for info in msgspec.inspect.type_info(cls).fields)  # type: ignore[attr-defined]

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Self:
        """Make the options from written values; what is left out has its default.

        Raises `UnknownOption` for a name or a value that does not exist.
        """
        specs = {spec.key: spec for spec in cls.specs()}
        for key in given:
            if key not in specs:
                raise UnknownOption(f"There is no option {key!r}.{nearest(key, specs) or _listed(specs)}")
        return msgspec.convert(
            {key: specs[key].read(value) for key, value in given.items()}, cls, strict=False
        )

    def write(self) -> dict[str, Written]:
        """Return all options as written values, in their order."""
        return {spec.key: spec.write(int(getattr(self, spec.key))) for spec in self.specs()}

    def fault_for(self, seats: int) -> str:
        """Say in a sentence what does not go with this number of seats; ``""`` if all does."""
        return ""

    def numbers(self) -> tuple[int, ...]:
        """Return what rules use, in the order of the fields."""
        return tuple(int(getattr(self, spec.key)) for spec in self.specs())


def _listed(specs: Mapping[str, OptionSpec]) -> str:
    return f" The options are {', '.join(specs)}."


def _spec(info: Any) -> OptionSpec:
    meta = info.type
    extra = meta.extra
    kind = meta.type
    values: tuple[int | str, ...] = extra["values"]
    default = info.default
    if isinstance(kind, msgspec.inspect.BoolType):
        form: Kind = "bool"
        written: Written = bool(default)
    elif isinstance(kind, msgspec.inspect.EnumType):
        form = "choice"
        members = list(cast(type[IntEnum], kind.cls))
        if [int(member) for member in members] != list(range(len(values))):
            raise TypeError(f"{info.name}: the enumeration and the written values differ")
        written = values[int(default)]
    elif extra["form"] is not None:
        form = "text"
        written = extra["form"].write(int(default))
    else:
        form = "int"
        written = int(default)
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
    )
