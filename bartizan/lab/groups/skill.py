"""How much more thinking wins."""

from __future__ import annotations

from typing import ClassVar

from bartizan.lab.group import MeasureGroup, Plan
from bartizan.lab.skill import SkillLadder


class SkillGroup(MeasureGroup):
    """How much more thinking wins."""

    name = "skill"
    meaning = "how much more thinking wins"
    heading = "Skill"
    definitions: ClassVar[dict[str, str]] = {
        "step.P": "share of points that a budget wins against the next smaller one",
        "depth": "Elo points from random to the largest budget (Bradley-Terry; Lantz and others 2017)",
    }
    shares = ("step.*",)
    plans = (Plan(("step.*",), "What each player wins against the one below", "share of the points"),)
    search = SkillLadder
