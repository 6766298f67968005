"""What one cell of an experiment says, and how many more games would tell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bartizan.lab.report.answer import Conclusion
from bartizan.lab.report.figures import count
from bartizan.lab.report.verdict import Row

STEPS = {0.05: "five points", 0.02: "two points", 0.01: "one point", 0.005: "half a point"}


@dataclass(frozen=True)
class Judged:
    """What one cell says, before the cells are set side by side."""

    verdict: Conclusion
    text: str  # without the verdict's word, without a full stop
    row: Row
    far: float = 0.0  # how far it is from what is good
    half: float = 0.0  # where it can't tell: half the width of the interval

    @property
    def more(self) -> tuple[int, str] | None:
        """How many more games, in two digits, narrow the interval to the next smaller step, and that step."""
        games, step = self.row["games"], next((step for step in STEPS if step < self.half), None)
        if self.verdict != "unknown" or games is None or step is None:
            return None
        more = games * ((self.half / step) ** 2 - 1)
        digits = 10 ** max(0, math.floor(math.log10(max(more, 1))) - 1)
        return max(1, math.ceil(more / digits) * digits), STEPS[step]

    def more_words(self, many: bool) -> str:
        """Say how many more games would show something; `many` says that there are several variants."""
        if self.more is None:
            return ""
        games, step = self.more
        each = " of each variant" if many else ""
        return f" About {count(games)} more games{each} would show a difference of {step}."
