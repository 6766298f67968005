"""Answer a designer's three questions: is a game fair, how long is it, and what does a change do.

The terminal, the report, the JSON and the Lab page all show these answers.  They look at every cell, and
name the worst one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist

import polars as pl

from bartizan.lab.intervals import LEVEL, Z95
from bartizan.lab.report.answer import (
    HEADS,
    QUESTIONS,
    UNCHANGED,
    UNVARIED,
    Answers,
    Bar,
    Conclusion,
    Key,
    OneAnswer,
)
from bartizan.lab.report.change import Changes
from bartizan.lab.report.figures import count, decisions, interval, is_known, minutes, told, whole
from bartizan.lab.report.findings import SECONDS, CellInfo, Findings
from bartizan.lab.report.judged import Judged
from bartizan.lab.report.plans import NOT_COMPARED, plan_words
from bartizan.lab.report.thresholds import thresholds
from bartizan.lab.report.verdict import Row, basis, spoken

MOST_BARS = 12
WORST_FIRST: tuple[Conclusion, ...] = (
    *("no", "worse", "unknown", "nearly", "different", "better", "same", "yes", "fact"),
)
SUMS: dict[Conclusion, str] = {"unknown": "can't tell", "same": "no difference"}


def answer(
    measures: pl.DataFrame,
    cells: Sequence[CellInfo],
    seats: int,
    spans: Mapping[int, tuple[float, float]],
    *,
    seconds: float = SECONDS,
) -> Answers:
    """Answer the three questions.

    Args:
        measures: checked ones (see `bartizan.lab.report.findings`).
        cells: all cells of the experiment.
        seats: how many play.
        spans: by cell, how many decisions nine games in ten take, from and to.
        seconds: how long a person takes for a decision.
    """
    return _Questions(measures, cells, seats, spans, seconds).all()


def answers_about(findings: Findings) -> Answers:
    """Answer the three questions from the findings of a report."""
    cells, seats = findings.cells, findings.seats
    return answer(findings.measures, cells, seats, findings.spans, seconds=findings.seconds)


class _Questions:
    """The figures of an experiment, by cell and measure."""

    def __init__(
        self,
        measures: pl.DataFrame,
        cells: Sequence[CellInfo],
        seats: int,
        spans: Mapping[int, tuple[float, float]],
        seconds: float,
    ) -> None:
        self._seats, self._spans, self._seconds = seats, spans, seconds
        self._main = [cell for cell in cells if not cell.confirms]
        self._cells, self._measures = [cell for cell in cells if not cell.other_rules], measures
        self._apart = [cell for cell in cells if cell.other_rules]
        self._levels: dict[tuple[int, str], Row] = {}
        self._changes: dict[tuple[int, str], Row] = {}
        wanted = pl.col("measure").str.contains(
            r"^(won\.seat_|advantage\.seat_|drawn|decisions$|rounds$|unfinished)"
        )
        for row in measures.filter(wanted).to_dicts():
            if is_known(row["estimate"], row["low"], row["high"]):
                table = {"level": self._levels, "difference": self._changes}.get(row["kind"])
                if table is not None:
                    table[row["cell"], row["measure"]] = row
        # Of several cells and seats, the worst is reported; its interval allows for that (Bonferroni).
        looks = len(self._main) * max(1, seats - 1)
        self._wider = NormalDist().inv_cdf(1 - LEVEL / 2 / looks) / Z95 if looks > 1 else 1.0
        self._looks = looks
        # The seat whose share is compared: of the first variant the one furthest from an even share.
        self._watched = _furthest(self._advantages(self._main[0].number))
        first, *others = self._main
        self._compared = Changes(self._levels, self._changes, first, seats, self._watched, seconds)
        self._judged = [self._judge_of(first), *others]

    def _stronger(self) -> list[CellInfo]:
        """Return the cells that play the first rules again with stronger players, the strongest first."""
        first = self._main[0]
        again = [cell for cell in self._cells if cell.confirms and cell.strength > first.strength]
        return sorted(again, key=lambda cell: -cell.strength)

    def _judge_of(self, first: CellInfo) -> CellInfo:
        """Return who judges the first rules: the strongest who can tell, or who contradict the others."""
        usual = self._found(first)
        for cell in self._stronger():
            found = self._found(cell)
            if found is None:
                continue
            if usual is None or found.verdict != "unknown" or self._contradicts(cell, usual.row):
                return cell
        return first

    def _contradicts(self, cell: CellInfo, row: Row) -> bool:
        """Say whether a cell's interval lies outside that of a measure in another cell."""
        own = self._levels.get((cell.number, row["measure"]))
        return own is not None and not (own["low"] <= row["high"] and row["low"] <= own["high"])

    def _found(self, cell: CellInfo) -> Judged | None:
        """Judge whether a cell is fair; None where that was not measured."""
        return self._alone(cell) if self._seats == 1 else self._seats_apart(cell)

    def all(self) -> Answers:
        """Return the answers: the change first if something is varied, else last."""
        told_of = [self._fair(), self._length()]
        change = self._change()
        answers = [change, *told_of] if len(self._main) > 1 else [*told_of, change]
        plan = plan_words(self._measures, self._seats, self._main, self._stronger())
        if plan is not None:
            answers.append(OneAnswer("plan", QUESTIONS["plan"], "fact", plan.sentence, basis=plan.basis))
        bars, caption = self._bars()
        even = None if self._seats == 1 else self._even(self._judged[0].number)
        apart = (NOT_COMPARED.format(players=cell.names) for cell in self._apart)
        note = " ".join(filter(None, [self._judges(planned=plan is not None), *apart]))
        return Answers(tuple(answers), note, bars, caption, even, self._judged[0].number)

    def _judges(self, *, planned: bool) -> str:
        """Say who judged the first rules, and what other players would say; `planned`: of plans, too."""
        first, judge = self._main[0], self._judged[0]
        found = {cell.number: self._found(cell) for cell in (first, *self._stronger())}
        usual = found.pop(first.number)
        own = found.get(judge.number)
        if judge.confirms and own is not None:
            both = (judge.number, "decisions") in self._levels
            alone = "Fairness and length are" if both else "Fairness is"
            rules = "The first rules are" if len(self._main) > 1 else alone
            plan = f"; the plan is from games of {first.names}" if planned else ""
            note = f"{rules} judged by {judge.names}, the strongest players who played{plan}."
            if usual is not None and usual.verdict not in ("unknown", own.verdict):
                note += f" By {first.names} alone, it would be: {HEADS[usual.verdict]}, {usual.text}."
            return note
        if usual is not None and any(found.values()):
            told_of = (
                f"{count(said.row['games'])} games of {cell.names} can't tell yet: {said.text}"
                for cell in self._stronger()
                if (said := found[cell.number]) is not None
            )
            return f"Judged by {first.names}; {'; '.join(told_of)}."
        kinds = {player for cell in self._judged for player in cell.players}
        return f"Only {kinds.pop()} played. Stronger players may change this." if len(kinds) == 1 else ""

    # --- Is it fair?

    def _fair(self) -> OneAnswer:
        judged = [(cell, found) for cell in self._judged if (found := self._found(cell)) is not None]
        if not judged:
            return self._unanswered("fair", "fairness")
        cell, worst = min(judged, key=lambda each: (WORST_FIRST.index(each[1].verdict), -each[1].far))
        many = len(judged) > 1
        games = f"{count(worst.row['games'])} games" + (" of each variant" if many else "")
        head = HEADS[worst.verdict]
        if worst.verdict == "yes":
            head += f", as far as {games} can tell"
        where = f"with {self._named(cell)} (the worst of {len(judged)} variants) " if many else ""
        sentence = f"{head}: {where}{worst.text}."
        sentence += worst.more_words(many)
        low, high = self._widened(worst.row)
        details = tuple(
            f"{self._named(each)}: {HEADS[found.verdict]}, {found.text}." for each, found in judged
        )
        widened = f", intervals widened for {self._looks} looks (Bonferroni)" if self._looks > 1 else ""
        return OneAnswer(
            key="fair",
            question=QUESTIONS["fair"],
            verdict=worst.verdict,
            sentence=sentence,
            estimate=worst.row["estimate"],
            low=low,
            high=high,
            measure=worst.row["measure"],
            cell=self._named(cell) if many else "",
            basis=basis(worst.row) + widened,
            more_games=worst.more and worst.more[0],
            details=details if many else (),
        )

    def _seats_apart(self, cell: CellInfo) -> Judged | None:
        """Judge how far the seat that is furthest off is from an even share."""
        won = {
            seat: self._levels.get((cell.number, f"won.seat_{seat}")) for seat in range(1, self._seats + 1)
        }
        apart = {seat: gap for seat, gap in self._advantages(cell.number).items() if won[seat]}
        if not apart:
            return None
        seat = _furthest(apart)
        gap, row = apart[seat], won[seat]
        assert row is not None
        fair, most = (band.to or 0.0 for band in thresholds()["advantage"].bands[:2])
        at = gap["estimate"]
        low, high = self._widened(gap, within=(-1.0, 1.0))
        shows = not low <= 0 <= high
        verdict: Conclusion = "unknown"
        if -most <= low and high <= most:
            verdict = "nearly" if shows and abs(at) > fair else "yes"
        elif shows and abs(at) > most and min(abs(low), abs(high)) > fair:
            verdict = "no"
        even = self._even(cell.number)
        text = f"{spoken(f'seat_{seat}')} wins {self._share(row)}"
        if even is not None and abs(even - 0.5) > 0.005:
            text += f", where {told(even, 'share', 0.02)} would be an even share"
        if verdict == "nearly":
            text += ", fair enough if people change seats"
        return Judged(verdict, text, row, abs(at), (high - low) / 2)

    def _alone(self, cell: CellInfo) -> Judged | None:
        """Judge the share of the games that a single player wins."""
        row = self._levels.get((cell.number, "won.seat_1"))
        if row is None:
            return None
        threshold = thresholds()["won_alone"]
        low, high = self._widened(row)
        reached = {threshold.bands[band].verdict for band in threshold.bands_of(low, high)}
        band = threshold.bands[threshold.band_of(row["estimate"])]
        words: dict[str, Conclusion] = {"good": "yes", "mixed": "nearly", "bad": "no"}
        verdict: Conclusion = words[reached.pop()] if len(reached) == 1 else "unknown"
        what = "deals" if row["n"] == row["games"] else "games"
        text = f"{self._share(row)} of the {what} are won"
        if verdict in ("no", "nearly"):
            text += f", {band.words}"
        return Judged(verdict, text, row, abs(row["estimate"] - 0.5), (high - low) / 2)

    def _even(self, cell: int) -> float | None:
        """Return the share that each seat would win if all were alike."""
        won = [self._levels.get((cell, f"won.seat_{seat}")) for seat in range(1, self._seats + 1)]
        known = [row["estimate"] for row in won if row is not None]
        return float(sum(known) / len(known)) if known else None

    def _widened(self, row: Row, within: tuple[float, float] = (0.0, 1.0)) -> tuple[float, float]:
        at, factor = row["estimate"], self._wider
        low, high = at - factor * (at - row["low"]), at + factor * (row["high"] - at)
        return max(within[0], low), min(within[1], high)

    def _share(self, row: Row) -> str:
        low, high = self._widened(row)
        return f"{told(row['estimate'], 'share', high - low, 2)} ({interval(low, high, 'share')})"

    def _named(self, cell: CellInfo) -> str:
        return (self._main[0].label if cell.confirms else cell.label) or UNCHANGED

    # --- How long is it?

    def _length(self) -> OneAnswer:
        rows = [
            (cell, row)
            for cell in self._judged
            if (row := self._levels.get((cell.number, "decisions"))) is not None
        ]
        if not rows:
            return self._unanswered("length", "length")
        cell, longest = max(rows, key=lambda each: each[1]["estimate"])
        many = len(rows) > 1
        factor = self._seconds / 60
        at = longest["estimate"] * factor
        sentence = f"About {minutes(at)}"
        if many:
            alike = whole(min(row["estimate"] for _, row in rows)) == whole(longest["estimate"])
            all_of = f" in {'both' if len(rows) == 2 else f'all {len(rows)}'} variants"
            sentence += all_of if alike else f" with {self._named(cell)}, the longest of {len(rows)} variants"
        span = self._spans.get(cell.number)
        if span is not None:
            ends = (minutes(end * factor, alone=False) for end in span)
            sentence += f" ({' to '.join(ends)} for nine games in ten)"
        pace = f"{self._seconds:g} second{'' if self._seconds == 1 else 's'} a decision"
        sentence += f", at {pace}" if many else f" at {pace}"
        rounds = self._levels.get((cell.number, "rounds"))
        if rounds is not None:
            told_as = whole(rounds["estimate"])
            sentence += f"; {told_as} round{'' if told_as == '1' else 's'}"
        unfinished = self._levels.get((cell.number, "unfinished"))
        if unfinished is not None and unfinished["estimate"] > 0:
            sentence += f"; {told(unfinished['estimate'], 'share', 0.02)} didn't end"
        details = [
            f"{self._named(each)}: {minutes(row['estimate'] * factor)}, {decisions(row)}."
            for each, row in rows
        ]
        return OneAnswer(
            key="length",
            question=QUESTIONS["length"],
            verdict="fact",
            sentence=f"{sentence}.",
            estimate=at,
            low=longest["low"] * factor,
            high=longest["high"] * factor,
            measure="decisions",
            cell=self._named(cell) if many else "",
            basis=f"{decisions(longest)}, {basis(longest)}",
            details=tuple(details) if many else (),
        )

    # --- What did my change do?

    def _change(self) -> OneAnswer:
        if len(self._main) < 2:
            return OneAnswer("change", QUESTIONS["change"], "fact", UNVARIED)
        judged = [
            (cell, found) for cell in self._main[1:] if (found := self._compared.judge(cell)) is not None
        ]
        if not judged:
            return self._unanswered("change", "fairness")
        order: tuple[Conclusion, ...] = ("worse", "better", "different", "unknown", "same")
        cell, first = min(
            judged,  # without a distance, as for length alone, by the size of the change
            key=lambda each: (order.index(each[1].verdict), -each[1].far, -abs(each[1].row["estimate"])),
        )
        sentence = f"{HEADS[first.verdict]}: with {cell.label}, {first.text}."
        if len(judged) > 1:
            sums = {verdict: sum(found.verdict == verdict for _, found in judged) for verdict in order}
            told_as = [f"{many} {SUMS.get(verdict, verdict)}" for verdict, many in sums.items() if many]
            sentence += f" Of {len(judged)} changes: {', '.join(told_as)}."
        sentence += first.more_words(many=True)
        details = (f"{each.label}: {HEADS[found.verdict]}, {found.text}." for each, found in judged)
        return OneAnswer(
            key="change",
            question=QUESTIONS["change"],
            verdict=first.verdict,
            sentence=sentence,
            estimate=first.row["estimate"],
            low=first.row["low"],
            high=first.row["high"],
            measure=first.row["measure"],
            cell=cell.label,
            basis=basis(first.row),
            more_games=first.more and first.more[0],
            details=tuple(details) if len(judged) > 1 else (),
        )

    def _advantages(self, cell: int) -> dict[int, Row]:
        """Return by seat how far it is from an even share, where that is known."""
        seats = range(1, self._seats + 1)
        return {seat: row for seat in seats if (row := self._levels.get((cell, f"advantage.seat_{seat}")))}

    # --- The picture, and what is missing

    def _bars(self) -> tuple[tuple[Bar, ...], str]:
        """Return the win shares: by variant where there are several, else by seat."""
        bars = []
        if len(self._main) > 1:
            for cell in self._main[:MOST_BARS]:
                row = self._levels.get((cell.number, f"won.seat_{self._watched}"))
                if row is not None:
                    bars.append(Bar(self._named(cell), row["estimate"], row["low"], row["high"]))
            who = (
                "Games won"
                if self._seats == 1
                else f"{spoken(f'seat_{self._watched}').capitalize()}'s win share"
            )
            caption = f"{who} by variant"
            if len(self._main) > MOST_BARS:
                caption += f"; the first {MOST_BARS} of {len(self._main)}"
        else:
            several = len(self._cells) > 1
            for cell in self._cells:
                for seat in range(1, self._seats + 1):
                    row = self._levels.get((cell.number, f"won.seat_{seat}"))
                    if row is not None and len(bars) < MOST_BARS:
                        name = "games won" if self._seats == 1 else spoken(f"seat_{seat}")
                        name += f", {cell.names}" if several else ""
                        bars.append(Bar(name, row["estimate"], row["low"], row["high"]))
            caption = "Games won" if self._seats == 1 else "Win share by seat"
        return tuple(bars), f"{caption}, with 95% intervals"

    def _unanswered(self, key: Key, group: str) -> OneAnswer:
        known = any(measure.startswith(("won.", "decisions")) for _, measure in self._levels)
        why = "Too few games so far." if not known else f"Not measured. Add `{group}` to `measures`."
        return OneAnswer(key, QUESTIONS[key], "unknown", f"{HEADS['unknown']}. {why}")


def _furthest(apart: Mapping[int, Row]) -> int:
    """Return the seat that is furthest from an even share; of two, the first."""
    return max(apart, key=lambda seat: (round(abs(apart[seat]["estimate"]), 9), -seat), default=1)
