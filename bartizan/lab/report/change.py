"""Judge what a change of the rules does: who wins, how many games are drawn, and how long they take."""

from __future__ import annotations

from collections.abc import Mapping

from bartizan.lab.report.answer import Conclusion
from bartizan.lab.report.figures import minutes, points, told
from bartizan.lab.report.findings import CellInfo
from bartizan.lab.report.judged import Judged
from bartizan.lab.report.thresholds import Threshold, thresholds
from bartizan.lab.report.verdict import SIGNIFICANT, Row, spoken

FEWEST_DRAWS = 0.01  # a change of the share of draws that a verdict may rest on
SHORTEST = 0.05  # a change of length worth a word, as a share of the first variant's

Rows = Mapping[tuple[int, str], Row]  # by the cell's number and the measure


class Changes:
    """What other variants change, compared with the first one."""

    def __init__(
        self, levels: Rows, changes: Rows, first: CellInfo, seats: int, watched: int, seconds: float
    ) -> None:
        """Take the measures of each cell and how they differ from the first cell's.

        Args:
            levels: the measures of each cell.
            changes: their differences from the first cell.
            first: the first cell.
            seats: how many play.
            watched: the seat whose share is compared if none changes for sure.
            seconds: how long a person takes for a decision.
        """
        self._levels, self._changes, self._first = levels, changes, first
        self._seats, self._watched, self._seconds = seats, watched, seconds

    def judge(self, cell: CellInfo) -> Judged | None:
        """Judge a cell against the first: by who wins, else by draws, else by length."""
        main, drawn, length = (
            self._main_change(cell),
            self._changes.get((cell.number, "drawn")),
            self._changes.get((cell.number, "decisions")),
        )
        also = []
        if drawn is not None and _is_sure(drawn):
            also.append((f"draws {points(drawn)}", drawn))
        if length is not None and _is_sure(length) and self._is_long(length):
            also.append((f"games {self._longer(length)}", length))
        if main is not None and main.verdict not in ("unknown", "same"):
            extra = "".join(f"; {text}" for text, _ in also)
            return Judged(main.verdict, main.text + extra, main.row, main.far)
        if drawn is not None and _is_sure(drawn) and abs(drawn["estimate"]) >= FEWEST_DRAWS:
            verdict: Conclusion = "better" if drawn["estimate"] < 0 else "worse"
            text = "; ".join(text for text, _ in also)
            return Judged(verdict, text, drawn, abs(drawn["estimate"]))
        if also and also[-1][1] is length:
            text = "; ".join(text for text, _ in also)
            rest = f"; who wins: {main.text}" if main is not None else ""
            return Judged("different", text + rest, also[-1][1], 0.0)
        if main is not None:
            return main
        row = drawn or length
        return None if row is None else Judged("unknown", "no change is certain", row)

    def _main_change(self, cell: CellInfo) -> Judged | None:
        """Judge the change of a seat's win share, or of the share of games that a single player wins."""
        seats = range(1, 2 if self._seats <= 2 else self._seats + 1)
        rows = [
            (seat, row) for seat in seats if (row := self._changes.get((cell.number, f"won.seat_{seat}")))
        ]
        if not rows:
            return None
        seat, row = min(rows, key=lambda each: (not _is_sure(each[1]), each[0] != self._watched))
        before, after = self._before_and_after(cell, f"won.seat_{seat}")
        who = "the share of games won" if self._seats == 1 else f"{spoken(f'seat_{seat}')}'s win share"
        text = f"{who} changes by {points(row)} on the same deals"
        if before is not None and after is not None:
            ends = [told(each["estimate"], "share", 0.02) for each in (before, after)]
            way = f"stays at {ends[0]}" if ends[0] == ends[1] else f"goes from {ends[0]} to {ends[1]}"
            text = f"{who} {way}: {points(row)} on the same deals"
        close = thresholds()["advantage"].bands[0].to or 0.0
        if _is_sure(row):
            verdict = self._better(cell, seat, row)
            return Judged(verdict, text, row, abs(row["estimate"]))
        if -close <= row["low"] and row["high"] <= close:
            return Judged("same", text, row, 0.0)
        return Judged("unknown", text, row, abs(row["estimate"]), (row["high"] - row["low"]) / 2)

    def _better(self, cell: CellInfo, seat: int, row: Row) -> Conclusion:
        """Say whether a sure change leads nearer to what is fair."""
        name = "won.seat_1" if self._seats == 1 else f"advantage.seat_{seat}"
        first, other = self._before_and_after(cell, name)
        if first is None or other is None:
            return "different"
        before, after = first["estimate"], other["estimate"]
        if self._seats == 1:
            threshold = thresholds()["won_alone"]
            far, now = _outside(threshold, before), _outside(threshold, after)
            return "different" if far == now else "better" if now < far else "worse"
        change = self._changes.get((cell.number, name), row)
        nearer = abs(before) - abs(after)
        if before * after < 0 and abs(nearer) <= (change["high"] - change["low"]) / 2:
            return "different"  # another seat is ahead now, about as far
        return "better" if nearer > 0 else "worse"

    def _is_long(self, row: Row) -> bool:
        """Say whether a change of length is worth a word."""
        first = self._levels.get((self._first.number, "decisions"))
        return first is None or abs(row["estimate"]) >= SHORTEST * first["estimate"]

    def _before_and_after(self, cell: CellInfo, measure: str) -> tuple[Row | None, Row | None]:
        """Return a measure of the first variant and of another."""
        return self._levels.get((self._first.number, measure)), self._levels.get((cell.number, measure))

    def _longer(self, row: Row) -> str:
        """Say by how many minutes games get longer or shorter."""
        factor = self._seconds / 60
        low, high = sorted(abs(end) * factor for end in (row["low"], row["high"]))
        way = "longer" if row["estimate"] > 0 else "shorter"
        ends = f"{minutes(low, alone=False)} to {minutes(high, alone=False)}"
        return f"{minutes(abs(row['estimate']) * factor)} {way} ({ends})"


def _is_sure(row: Row) -> bool:
    """Say whether a difference is more than luck, also beside all others that were looked at."""
    return not row["low"] <= 0 <= row["high"] and (row["p"] is None or row["p"] < SIGNIFICANT)


def _outside(threshold: Threshold, share: float) -> float:
    """Return how far a share is from the band that is called good."""
    good = next(place for place, band in enumerate(threshold.bands) if band.verdict == "good")
    low, high = threshold.bands[good - 1].to or 0.0, threshold.bands[good].to or 1.0
    return max(0.0, low - share, share - high)
