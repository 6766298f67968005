"""What an answer to a designer's question is, and the words that answers begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Key = Literal["change", "fair", "length", "plan"]
Conclusion = Literal["yes", "nearly", "no", "better", "worse", "different", "same", "unknown", "fact"]

TONES: dict[Conclusion, str] = {
    "no": "bad",
    "worse": "bad",
    "nearly": "mixed",
    "yes": "good",
    "better": "good",
}
QUESTIONS: dict[Key, str] = {
    "change": "What did my change do?",
    "fair": "Is it fair?",
    "length": "How long is it?",
    "plan": "Which plan wins?",
}
HEADS: dict[Conclusion, str] = {
    "yes": "Yes",
    "nearly": "Nearly",
    "no": "No",
    "better": "Better",
    "worse": "Worse",
    "different": "Different",
    "same": "No difference to speak of",
    "unknown": "Can't tell yet",
}
UNCHANGED = "the rules as they are"  # a variant in which nothing is varied
UNVARIED = "You changed no rule."


@dataclass(frozen=True)
class OneAnswer:
    """One question with its answer; the estimate is that of the cell that the sentence names."""

    key: Key
    question: str
    verdict: Conclusion
    sentence: str
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    measure: str = ""
    cell: str = ""  # its label, where there are several
    basis: str = ""  # how it was measured
    more_games: int | None = None  # that would settle it, if it isn't settled
    details: tuple[str, ...] = ()  # a sentence for each cell, where there are several

    @property
    def tone(self) -> str:
        """Return good, mixed or bad; nothing where it is neither."""
        return TONES.get(self.verdict, "")


@dataclass(frozen=True)
class Bar:
    """A share with its interval, in the picture beside the answers."""

    name: str
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Answers:
    """The three answers, the headline first, and what their picture shows."""

    answers: tuple[OneAnswer, ...]
    note: str  # a caution about who played
    bars: tuple[Bar, ...]
    caption: str
    even: float | None  # the share of each seat if all were alike
    judge: int = 0  # the cell whose players judge the first rules
