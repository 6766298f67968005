"""Compare a position with what a scenario expects of it, which need not name all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bartizan.engine.cards import HIDDEN, NOTHING, UNKNOWN
from bartizan.engine.game import Game

ANY_NUMBER = "..."  # stands for any number of cards

Fault = tuple[str, str]  # what was expected, and what was found


class Expectation:
    """What a scenario expects of a position of one game: keys with values, patterns, or lengths of lists."""

    def __init__(self, game: Game, wanted: Mapping[str, Any]) -> None:
        self._wanted = wanted
        self._unordered, self._faceless = game.positions.unordered, game.positions.faceless

    def faults(self, position: Mapping[str, Any]) -> list[Fault]:
        """Return a fault for each key that a position does not meet."""
        return self._compare(self._wanted, position, "")

    def _compare(self, wanted: Any, found: Any, where: str) -> list[Fault]:
        if isinstance(wanted, Mapping):
            return self._compare_tables(wanted, found, where)
        if isinstance(found, (list, tuple)):
            return self._compare_lists(wanted, list(found), where)
        return [] if wanted == found else [(f"{where} = {wanted!r}", repr(found))]

    def _compare_tables(self, wanted: Mapping[str, Any], found: Any, where: str) -> list[Fault]:
        if not isinstance(found, Mapping):
            return [] if not wanted else [(f"{where} to be a table", repr(found))]
        if not wanted and where and found and not where.rpartition(".")[2].isdigit():
            return [(f"{where} to be empty", repr(dict(found)))]
        faults: list[Fault] = []
        for key, value in wanted.items():
            path = f"{where}.{key}" if where else key
            if value == NOTHING and found.get(key, NOTHING) == NOTHING:
                continue
            if key not in found:
                faults.append((f"{path} = {value!r}", "no such key"))
                continue
            faults += self._compare(value, found[key], path)
        return faults

    def _compare_lists(self, wanted: Any, actual: list[Any], where: str) -> list[Fault]:
        key = where.rpartition(".")[2]
        if isinstance(wanted, int) and not isinstance(wanted, bool):
            return [] if len(actual) == wanted else [(f"{where} to have {wanted} entries", str(len(actual)))]
        if not isinstance(wanted, (list, tuple)):
            return [(f"{where} = {wanted!r}", repr(actual))]
        if any(isinstance(each, Mapping) for each in [*wanted, *actual]):
            if len(wanted) != len(actual):
                return [(f"{where} to have {len(wanted)} entries", str(len(actual)))]
            pairs = enumerate(zip(wanted, actual, strict=True), 1)
            return [
                fault
                for index, (want, got) in pairs
                for fault in self._compare(want, got, f"{where}.{index}")
            ]
        cards = list(wanted)
        if key in self._faceless:
            cards, actual = [_faceless(each) for each in cards], [_faceless(each) for each in actual]
        matches = _match_bag if key in self._unordered else _match_order
        return [] if matches(cards, actual) else [(f"{where} = {cards!r}", repr(actual))]


def _faceless(card: Any) -> Any:
    return card.removeprefix(HIDDEN) if isinstance(card, str) else card


def _match_order(wanted: list[Any], found: list[Any]) -> bool:
    ends = {0}  # how many of the cards found can stand for what is wanted so far
    for each in wanted:
        if each == ANY_NUMBER:
            ends = set(range(min(ends), len(found) + 1))
        else:
            ends = {end + 1 for end in ends if end < len(found) and each in (UNKNOWN, found[end])}
        if not ends:
            return False
    return len(found) in ends


def _match_bag(wanted: list[Any], found: list[Any]) -> bool:
    left = list(found)
    for each in wanted:
        if each in (ANY_NUMBER, UNKNOWN):
            continue
        if each not in left:
            return False
        left.remove(each)
    unknown = wanted.count(UNKNOWN)
    return len(left) >= unknown if ANY_NUMBER in wanted else len(left) == unknown
