"""Read a model of skill: how often a throw lands, by level, method and target (see ``data/skill.toml``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from bartizan.engine.errors import BadData, nearest
from bartizan.engine.game import ANY_OUTCOME
from bartizan.games.card_barrage.options import INCHES

METHODS = ("lob", "frisbee", "flip")  # CB-26
TARGETS = ("wall", "castle")
OUTCOMES = ("hit", "perfect", "double")  # in thousandths; the rest are misses
THOUSAND = 1_000
MOST_LEVELS = 9
USUAL_NOISE, MOST_NOISE = 1.5, 10.0  # 1 is an expert's hand


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A model of skill: levels, the usual one, thousandths by battlefield, level, method, target, outcome."""

    levels: tuple[str, ...]
    default: str
    castle_doubles: int
    figures: tuple[int, ...]  # for each battlefield all of that, in the order of `INCHES`
    noise: tuple[float, ...]  # by level: how far its hand trembles (see bartizan.throwing.hand)


def load_skill(path: Path) -> Skill:
    """Read a model of skill from a file; raises `BadData` with every fault and its place."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadData(f"{path} cannot be read: {error}.") from error
    reader = _Reader()
    skill = reader.skill(given)
    if reader.faults:
        raise BadData(f"{path}: {'; '.join(reader.faults)}.")
    return skill


class _Reader:
    """Read the parts of a model and collect every fault on the way."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def skill(self, given: dict[str, Any]) -> Skill:
        """Read the whole model."""
        self.keys("", given, ("default", "castle_doubles", "level"))
        levels = given.get("level", [])
        if not isinstance(levels, list) or not 1 <= len(levels) <= MOST_LEVELS:
            self.faults.append(f"there must be 1 to {MOST_LEVELS} levels, each under [[level]]")
            levels = []
        names: list[str] = []
        figures: list[list[int]] = [[] for _ in INCHES]
        noise: list[float] = []
        for number, level in enumerate(levels, start=1):
            names.append(self.name(number, level, names))
            usual = self.level(names[-1], level)
            for distance, inches in zip(figures, INCHES, strict=True):
                there = level.get(f"at_{inches}")
                distance += usual if there is None else self.methods(f"{names[-1]}.at_{inches}", there)
            noise.append(self.noise(names[-1], level.get("noise", USUAL_NOISE)))
        default = given.get("default")
        if default not in names:
            self.faults.append(f"default is {default!r}; it must be a level: {', '.join(names)}")
        doubles = self.thousandths("", "castle_doubles", given.get("castle_doubles"))
        return Skill(
            levels=tuple(names),
            default=str(default),
            castle_doubles=doubles,
            figures=tuple(figure for distance in figures for figure in distance),
            noise=tuple(noise),
        )

    def keys(self, where: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
        """Note the keys that a table should not have."""
        for key in given:
            if key not in known:
                self.faults.append(f"{where}there is no key {key!r}.{nearest(key, known)}".rstrip("."))

    def name(self, number: int, level: dict[str, Any], others: list[str]) -> str:
        """Read the name of a level."""
        name = level.get("name")
        if (
            not isinstance(name, str)
            or not name.isidentifier()
            or name != name.lower()
            or name in [*others, ANY_OUTCOME]
        ):
            self.faults.append(
                f"level {number}: its name is {name!r}; it must be a word of its own, in lower case"
            )
            return f"level {number}"
        return name

    def level(self, name: str, level: dict[str, Any]) -> list[int]:
        """Read the figures of a level, those of the usual battlefield."""
        self.keys(f"{name}: ", level, ("name", "noise", *METHODS, *(f"at_{inches}" for inches in INCHES[1:])))
        return self.methods(name, {method: level.get(method) for method in METHODS})

    def methods(self, name: str, given: Any) -> list[int]:
        """Read the figures of each method."""
        tables = self.table(name, given)
        self.keys(f"{name}: ", tables, METHODS)
        figures: list[int] = []
        for method in METHODS:
            table = self.table(f"{name}.{method}", tables.get(method))
            self.keys(f"{name}.{method}: ", table, TARGETS)
            for target in TARGETS:
                figures += self.target(f"{name}.{method}.{target}", target, table.get(target))
        return figures

    def noise(self, name: str, given: Any) -> float:
        """Read how far a level's hand trembles."""
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= MOST_NOISE:
            self.faults.append(f"{name}.noise is {given!r}; it must be a number from 0 to {MOST_NOISE}")
            return USUAL_NOISE
        return float(given)

    def target(self, where: str, target: str, given: Any) -> list[int]:
        """Read how often one method lands on one kind of target."""
        table = self.table(where, given)
        outcomes = OUTCOMES if target == "wall" else ("hit", "double")  # no castle is hit perfectly (CB-36)
        self.keys(f"{where}: ", table, outcomes)
        chances = [
            self.thousandths(where, outcome, table.get(outcome)) if outcome in outcomes else 0
            for outcome in OUTCOMES
        ]
        if sum(chances) > THOUSAND:
            self.faults.append(f"{where}: {sum(chances)} of {THOUSAND} throws land")
        return chances

    def table(self, where: str, given: Any) -> dict[str, Any]:
        """Return a table, or note that there is none."""
        if isinstance(given, dict):
            return given
        self.faults.append(f"{where} must be a table")
        return {}

    def thousandths(self, where: str, key: str, given: Any) -> int:
        """Read a share in thousandths."""
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= THOUSAND:
            name = f"{where}.{key}" if where else key
            self.faults.append(f"{name} is {given!r}; it must be a whole number from 0 to {THOUSAND}")
            return 0
        return given
