"""How much more thinking wins."""

from __future__ import annotations

from bartizan.lab.group import MeasureGroup, Plan
from bartizan.lab.skill import SkillLadder


class SkillGroup(MeasureGroup):
    """How much more thinking wins."""

    name = "skill"
    meaning = "how much more thinking wins"
    heading = "Skill"
    shares = ("step.*",)
    plans = (Plan(("step.*",), "What each player wins against the one below", "share of the points"),)
    search = SkillLadder
