"""Every group of measures; the order here is that of lists, settled experiments and reports."""

from __future__ import annotations

from bartizan.lab.design import Design
from bartizan.lab.group import MeasureGroup, Search
from bartizan.lab.groups.analysis import DramaGroup, WeightGroup
from bartizan.lab.groups.choice import ChoiceGroup
from bartizan.lab.groups.clauses import ClauseGroup
from bartizan.lab.groups.fairness import FairnessGroup
from bartizan.lab.groups.length import LengthGroup
from bartizan.lab.groups.luck import LuckGroup
from bartizan.lab.groups.pieces import PiecesGroup
from bartizan.lab.groups.skill import SkillGroup
from bartizan.lab.groups.what_if import WhatIfGroup
from bartizan.lab.measures import Measure

_LISTED: tuple[type[MeasureGroup], ...] = (
    *(FairnessGroup, LengthGroup, ChoiceGroup, ClauseGroup, PiecesGroup, WhatIfGroup, LuckGroup),
    *(DramaGroup, WeightGroup, SkillGroup),
)
GROUPS: dict[str, MeasureGroup] = {group.name: group() for group in _LISTED}


def groups_of(design: Design) -> list[MeasureGroup]:
    """Return the groups that an experiment asks for."""
    return [GROUPS[name] for name in design.measures]


def searches_of(design: Design) -> list[type[Search]]:
    """Return what thinks for the groups of an experiment, each once."""
    return list(dict.fromkeys(group.search for group in groups_of(design) if group.search))


def ratios_of(design: Design) -> list[Measure]:
    """Return the measures of an experiment that are ratios of sums over games."""
    return [measure for group in groups_of(design) for measure in group.ratios(design)]


def watchable(design: Design) -> list[Measure]:
    """Return the measures that a run may be stopped by: means of numbers with known bounds."""
    return [each for each in ratios_of(design) if each.bounds is not None]


def missing(design: Design) -> dict[str, str]:
    """Return a sentence for each group that makes no sense for a game, or lacks something of it."""
    missing = {group.name: group.missing(design) for group in groups_of(design)}
    return {name: sentence for name, sentence in missing.items() if sentence}
