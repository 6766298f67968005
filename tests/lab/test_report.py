"""The report: its sentences follow from measures and thresholds; no word of a file can break out of it."""

from __future__ import annotations

import base64
import html
import math
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bartizan.cli.main import main
from bartizan.engine.errors import BartizanError, CorruptRecord
from bartizan.lab.design import BadExperiment
from bartizan.lab.experiment import Experiment
from bartizan.lab.report.figures import points, told, with_interval
from bartizan.lab.report.findings import CellInfo, Shown, checked, read_measures
from bartizan.lab.report.page import SERVER, render, replay_link
from bartizan.lab.report.svg import clean
from bartizan.lab.report.thresholds import thresholds
from bartizan.lab.report.variants import changes, tried
from bartizan.lab.report.verdict import Sentence, confirmed, reasons, spoken, verdict_of
from bartizan.lab.report.write import write_report
from tests.lab.reporting import ROWS, findings, hostile, row

LARGEST = 3 * 2**20  # bytes


class Reader(HTMLParser):
    """Gather what a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attributes}))

    def handle_data(self, data: str) -> None:
        self.text += data


def sentence_of(key: str, *rows: dict[str, Any], seats: int = 2) -> Sentence:
    told_of = findings(list(rows), seats=seats)
    return next(each for each in verdict_of(told_of, told_of.main[0]) if each.key == key)


@pytest.fixture(scope="module")
def page() -> str:
    return render(findings())


# --- Sentences


@pytest.mark.parametrize(
    ("figures", "verdict", "text"),
    [
        (
            (0.01, 0.005, 0.015),
            "good",
            "The first seat scores 1.0% ± 0.5 above the mean of all seats: fair.",
        ),
        ((0.04, 0.03, 0.05), "mixed", "The first seat scores 4% ± 1 above"),
        ((0.2, 0.19, 0.21), "bad", "The first seat scores 20% ± 1 above the mean of all seats: not fair."),
        ((-0.2, -0.21, -0.19), "bad", "The first seat scores 20% ± 1 below"),
        ((0.03, 0.0, 0.06), "mixed", "(more games may show: fair; or not fair)"),
        ((0.0, -0.03, 0.03), "good", "(more games may show: fair enough, if people change seats)"),
    ],
)
def test_an_advantage_is_judged_by_its_size(
    figures: tuple[float, float, float], verdict: str, text: str
) -> None:
    said = sentence_of("advantage", row("advantage.seat_1", *figures))
    assert said.verdict == verdict
    assert text in said.text
    assert said.bounds.startswith("up to 2%: fair; up to 5%")
    assert said.basis == "Wilson, by deals, 2,000 games of 1,000 deals"
    assert said.show == "won_1 = 1"


def test_the_seat_that_is_furthest_off_speaks() -> None:
    rows = [
        row(f"advantage.seat_{n}", at, at - 0.01, at + 0.01) for n, at in ((1, 0.03), (2, 0.05), (3, -0.08))
    ]
    assert sentence_of("advantage", *rows).text.startswith("The third seat scores 8% ± 1 below")


def test_sentences_are_for_the_seats_that_there_are() -> None:
    alone = sentence_of("won_alone", row("won.seat_1", 0.5, 0.4, 0.6), seats=1)
    assert alone.text == "50% ± 10 of the games are won: open."
    with pytest.raises(StopIteration):
        sentence_of("won_alone", row("won.seat_1", 0.5, 0.4, 0.6), seats=2)


def test_a_comeback_is_judged_only_where_two_play() -> None:
    """Of six seats each begins at one in six: a lowest chance below it says nothing of leads."""
    comeback = row("comeback", 0.15, 0.12, 0.18, group="drama")
    assert sentence_of("comeback", comeback).verdict == "good"
    for seats in (1, 3, 6):
        with pytest.raises(StopIteration):
            sentence_of("comeback", comeback, seats=seats)
    decided = row("decided_at", 0.2, 0.18, 0.22, group="drama")
    assert "later winner" in sentence_of("decided_at", decided, seats=6).text
    assert "the final outcome" in sentence_of("decided_alone", decided, seats=1).text


def test_only_what_is_sure_is_listed() -> None:
    sure, unsure = row("chosen.one", 0.004, 0.003, 0.005), row("chosen.two", 0.009, 0.002, 0.02)
    said = sentence_of("chosen", sure, unsure, row("chosen.three", 0.0, 0.0, 0.03))
    assert "three (never in 2,000 games), one (0.4%)" in said.text
    assert "two" not in said.text
    counted = row("chosen.four", 0.0, 0.0, 0.03, counts="0 of 120")
    assert "four (never, 0 of 120)" in sentence_of("chosen", counted).text
    assert sentence_of("chosen", unsure).text.startswith("Every kind of action")
    worths = [row("worth_played.a", 0.3, 0.25, 0.35, kind="worth", p=p) for p in (0.01, 0.4)]
    assert "a (30% more)" in sentence_of("worth_played", worths[0]).text
    assert sentence_of("worth_played", worths[1]).verdict == "good"


def test_nothing_is_said_of_what_nobody_counted() -> None:
    for gap in (math.nan, math.inf, None):
        told_of = findings([row("drawn", gap, gap, gap), row("decisions", gap, 1, 2)])  # type: ignore[arg-type]
        assert verdict_of(told_of, told_of.main[0]) == []
        assert "Nothing was measured" in render(told_of)


def test_the_worst_stands_first() -> None:
    told_of = findings()
    said = [str(each.verdict) for each in verdict_of(told_of, told_of.main[0])]
    assert said == sorted(said, key=["bad", "mixed", "good"].index)
    assert said[0] == "bad"


def test_the_worst_variant_gives_the_reason() -> None:
    """The first variant has few dead turns and the second many: the reason is about the second."""
    label = {"cell": 1, "label": "fast = true"}
    told_of = findings([row("dead_turns", 0.05, 0.04, 0.06), row("dead_turns", 0.4, 0.39, 0.41, **label)])
    [said] = reasons(told_of)
    assert (said.verdict, said.cell) == ("bad", 1)
    assert said.text.startswith("With fast = true: 40% ± 1 of the turns offer no choice")


def test_the_answers_come_first_and_the_rest_is_folded(page: str) -> None:
    tags = [(tag, attributes.get("class", "")) for tag, attributes in Reader(page).tags]
    places = [place for place, (tag, kind) in enumerate(tags) if kind.split()[:1] == ["answer"]]
    folds = [place for place, (tag, _) in enumerate(tags) if tag == "details"]
    assert len(places) == 3
    assert places[-1] < tags.index(("svg", "")) < folds[0]
    assert places[-1] < folds[0] < tags.index(("ul", "verdict"))
    text = re.sub(r"\s+", " ", Reader(page).text)
    asked = [text.index(each) for each in ("What did my change do?", "Is it fair?", "How long is it?")]
    assert asked == sorted(asked)  # something is varied: the change is the headline


def test_a_report_of_one_kind_of_player_says_so() -> None:
    text = Reader(render(findings(cells=(CellInfo(0, "", ("greedy", "greedy")),) * 3))).text
    assert text.index("Only greedy played. Stronger players may change this.") < text.index("Reasons")


def test_other_players_confirm_the_main_figure_only() -> None:
    [(cell, said)] = confirmed(findings())
    assert cell.players == ("top", "top")
    assert [(each.key, each.verdict) for each in said] == [("advantage", "good")]


def test_whether_a_game_is_fair_is_told_of_who_judges_it() -> None:
    """Under "Can't tell yet" there must be no "not fair", without a word about who played."""
    cells = (
        CellInfo(0, "", ("greedy", "greedy")),
        CellInfo(1, "players: top", ("top", "top"), confirms=True, strength=300.0),
    )
    rows = [row("won.seat_2", 0.87, 0.85, 0.89), row("advantage.seat_2", 0.37, 0.35, 0.39)]
    rows += [row("won.seat_2", 0.5, 0.4, 0.6, cell=1), row("advantage.seat_2", 0.01, -0.09, 0.11, cell=1)]
    rows += [row("drawn", 0.4, 0.39, 0.41)]
    text = " ".join(Reader(render(findings(rows, cells=cells, shown=()))).text.split())
    before, after = text.split("The same with other players")
    assert "top: The second seat scores 1% ± 10" in before
    assert "greedy: 40% ± 1 of the games have no winner" in before
    assert "greedy, greedy: The second seat scores 37% ± 2 above the mean of all seats: not fair." in after
    assert "all seats: not fair" not in before


def test_changes_are_those_that_are_sure() -> None:
    found = changes(findings())
    assert [change.row["measure"] for change in found] == ["dead_turns"]
    assert found[0].text == "what dead_turns is: 10 ± 2 percentage points less"


def test_every_threshold_has_a_reason_and_its_sentence_can_be_said() -> None:
    for key, threshold in thresholds().items():
        assert threshold.bands[-1].to is None, key
        assert "{figure}" in threshold.sentence or threshold.pick == "listed"
        assert (threshold.pick == "listed") == any(band.listed for band in threshold.bands)
        measure = threshold.measure.replace("*", "seat_1")
        for at in (0.0, 0.03, 0.3, 0.6, 1.0):
            seats = 1 if threshold.seats == "one" else 2
            said = sentence_of(key, row(measure, at, max(0, at - 0.01), at + 0.01), seats=seats)
            assert "{" not in said.text + said.show + said.best, key
            assert said.text.endswith(".")


# --- Figures


@pytest.mark.parametrize(
    ("figures", "text"),
    [
        ((0.54, 0.52, 0.56), "54% ± 2"),
        ((0.03, 0.01, 0.09), "3% (1 to 9%)"),
        ((0.0, 0.0, 0.0019), "0% (0 to 0.19%)"),
        ((1.0, 1.0, 1.0), "100%"),
        ((-0.2, -0.21, -0.19), "−20% ± 1"),
        ((math.nan, 0.0, 1.0), "unknown"),
        ((0.5, math.nan, math.inf), "50.00%"),
    ],
)
def test_shares_are_told_with_as_many_digits_as_they_have(
    figures: tuple[float, float, float], text: str
) -> None:
    assert with_interval(*figures, "share") == text.replace("50.00%", "50%")


@given(st.floats(), st.floats(), st.floats())
def test_any_figure_can_be_told(estimate: float, low: float, high: float) -> None:
    for unit in ("share", "number"):
        assert with_interval(estimate, low, high, unit)
        assert told(estimate, unit, high - low)


@given(st.floats(0, 1), st.floats(0, 0.5), st.floats(0, 0.5))
def test_an_interval_reaches_into_the_bands_of_its_ends(at: float, below: float, above: float) -> None:
    for threshold in thresholds().values():
        reached = threshold.bands_of(at - below, at + above)
        for point in (at - below, at, at + above):
            assert threshold.band_of(point) in reached


def test_seats_are_spoken_of_in_words() -> None:
    assert [spoken(part) for part in ("seat_2", "seat_99", "iron_gate")] == [
        "the second seat",
        "seat 99",
        "iron gate",
    ]


# --- The page


def test_a_report_asks_nobody_and_runs_nothing(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "iframe", "object", "embed", "form", "base", "img"} & {
        tag for tag, _ in reader.tags
    }
    for tag, attributes in reader.tags:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("src", "srcset", "xlink:href")
        ]
        address = attributes.get("href", "#")
        assert address.startswith(("#", f"{SERVER}/replay#")) or (tag == "link" and address == "data:,"), (
            address
        )
    assert "url(" not in page
    assert "@import" not in page
    assert len(page.encode()) < 300_000


def test_a_report_tells_everything(page: str) -> None:
    text = re.sub(r"\s+", " ", Reader(page).text)
    for words in (
        "The first seat scores 5% ± 2 above",
        "27% ± 1 of the turns offer no choice: too much of the game plays itself.",
        "up to 10%: there is nearly always something to decide",
        "About 14 minutes at 10 seconds a decision.",
        "top, top: The first seat scores",
        "fast = true: what dead_turns is: 10 ± 2 percentage points less.",
        "Wilson, by deals",
        "show me such a game: 17",
        "1. a move",
        'game = "one"',
    ):
        assert words in text, words
    assert "made_with" not in text
    assert page.count("<svg") == 8
    assert page == render(findings())  # the same bytes each time


def test_counts_have_a_line_of_their_own() -> None:
    """Behind the method they made a row of a table four lines tall."""
    page = render(findings([row("drawn", 0.02, 0.015, 0.028, counts="40 of 2,000")]))
    assert '<td>Wilson, by deals<br><span class="soft">40\u00a0of\u00a02,000</span></td>' in page


def test_links_lead_somewhere(page: str) -> None:
    tags = Reader(page).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    aims = {each["href"][1:] for _, each in tags if each.get("href", "").startswith("#")}
    assert aims
    assert aims <= set(ids)


def test_no_word_of_a_file_breaks_out() -> None:
    page = render(hostile())
    reader = Reader(page)
    plain = Reader(render(findings()))
    assert {tag for tag, _ in reader.tags} <= {tag for tag, _ in plain.tags}
    assert "<script" not in page
    assert "<img" not in page
    known = {name for _, attributes in plain.tags for name in attributes}
    assert {name for _, attributes in reader.tags for name in attributes} <= known
    assert "{{7*7}}" in reader.text
    assert all(
        each.get("href", "#")[0] == "#" or each["href"].startswith((SERVER, "data:,"))
        for _, each in reader.tags
    )


def test_a_large_experiment_makes_no_large_report() -> None:
    cells = tuple(CellInfo(n, f"option = {n}, another = {n}", ("greedy",) * 4) for n in range(1000))
    names = [f"worth_played.card_{n}" for n in range(60)]
    rows = [
        row(
            name,
            0.1,
            0.05,
            0.15,
            group="pieces",
            kind="worth",
            cell=cell.number,
            label=cell.label,
            words="w" * 90,
        )
        for cell in cells
        for name in names
    ]
    shown = tuple(Shown("advantage", n, "why", "1. move\n" * 12_000) for n in range(8))
    measures = checked(pl.DataFrame(rows, infer_schema_length=None), "test", len(cells))
    page = render(findings(measures=measures, cells=cells, shown=shown))
    assert len(page.encode()) < LARGEST
    assert "more rows are in" in page
    assert "the first 6 of 1000" in page


def test_a_link_carries_its_record() -> None:
    record = 'game = "one"\n\n1. a ☃ move\n' * 50
    link = replay_link(Shown("x", 1, "", record))
    packed = link.partition("#record=")[2]
    assert re.fullmatch(r"[\w-]+", packed)
    assert (
        zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -15).decode() == record
    )


@pytest.mark.parametrize(
    "text",
    [
        '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script><g onload="x"><a/></g></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://x"/><foreignObject/><style>a</style></svg>',
    ],
)
def test_pictures_hold_shapes_and_text_only(text: str) -> None:
    assert re.fullmatch(r"<svg [^>]*(/>|>(<g ?/>)?</svg>)", clean(text)), clean(text)


@pytest.mark.parametrize("text", ["", "<svg>", "<html/>", "<svg xmlns='x'/>"])
def test_what_is_no_picture_is_refused(text: str) -> None:
    with pytest.raises(BartizanError, match="cannot be drawn"):
        clean(text)


# --- Files


def test_the_report_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = tmp_path / "an experiment", tmp_path / "out.html"
    wanted = {
        "game": "castle-danger",
        "players": ["random", "greedy"],
        "games": 8,
        "measures": ["fairness", "length"],
    }
    experiment = Experiment.begin(wanted, folder)
    with pytest.raises(BadExperiment, match="nothing to report"):
        write_report(experiment)
    experiment.run()
    (folder / "measures.parquet").write_bytes(b"no measures")
    assert main(["lab", "report", str(folder), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    page = out.read_text(encoding="utf-8")
    assert "The measures are recomputed from the games." in page
    text = Reader(page).text
    records = re.findall(r"^Game (\d+)$", text, re.MULTILINE)
    assert records
    for number in records:
        assert experiment.record(int(number)).text() in text
    assert "bartizan lab games 'an experiment' --where" in text
    # What is printed to run it again is an experiment.
    printed = re.search(r'aria-label="The experiment">(.*?)</pre>', page, re.DOTALL)
    assert printed is not None
    again = Experiment.begin(html.unescape(printed.group(1)), tmp_path / "again")
    assert again.design.written() == experiment.design.written()

    assert main(["lab", "report", str(tmp_path / "nothing")]) == 2
    assert "isn't an experiment's folder" in capsys.readouterr().err


def test_a_file_of_measures_is_checked_whole(tmp_path: Path) -> None:
    path = tmp_path / "measures.parquet"
    pl.DataFrame(ROWS, infer_schema_length=None).write_parquet(path)
    assert read_measures(path, 3).height == len(ROWS)
    with pytest.raises(CorruptRecord, match=r"cell 2; the experiment has 2"):
        read_measures(path, 2)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(CorruptRecord, match="cannot be read"):
        read_measures(path, 3)
    with pytest.raises(CorruptRecord, match="'method' is missing"):
        checked(pl.DataFrame(ROWS, infer_schema_length=None).drop("method"), "it", 3)
    with pytest.raises(CorruptRecord, match="isn't a table of measures"):
        checked(pl.DataFrame(ROWS, infer_schema_length=None).with_columns(estimate=pl.lit("much")), "it", 3)


def test_games_tried_by_other_rules_are_told_in_a_section() -> None:
    at = {"group": "what-if", "cell": 1, "label": "fast = true"}
    rows = [
        *ROWS,
        row("refused", 0.5, 0.4, 0.6, **at),
        row("refused_at", 12.0, 10.0, 14.0, **at),
        row("refused_by.AB-1", 0.1, 0.05, 0.2, **at, words="games in which AB-1 refuses first: A rule"),
        row(
            "ended_by.AB-2",
            0.4,
            0.3,
            0.5,
            **at,
            words="games in which AB-2 has ended the game first: Another",
        ),
        row("flipped", 0.3, 0.2, 0.4, **at),
        row("flipped_anyway", 0.1, 0.0, 0.2, **at),
    ]
    (said,) = tried(findings(rows))
    assert said.text == (
        "fast = true: these rules refuse 50% ± 10 of the first variant's games, after 12 ± 2 decisions. "
        "Most often AB-2 has ended the game first: Another. Continued by the same players, 30% ± 10 have "
        "other winners, and 10% ± 10 if the first rules stay."
    )
    page = render(findings(rows))
    assert page.count("Continued by the same players") == 1
    assert page.count('id="what-if"') == 1
    assert "Nothing is varied" in render(findings(missing={"what-if": "Nothing is varied."}))
    never = [row("refused", 0.0, 0.0, 0.04, **at)]
    assert tried(findings(never))[0].text.endswith("refuse no game of the first variant (0% (0 to 4%)).")


def test_a_difference_says_where_the_same_games_disagree() -> None:
    at = {"cell": 1, "label": "fast = true"}
    gap = row("won.seat_1", 0.1, 0.05, 0.15, kind="difference", p=0.001, **at)
    for low, high, disagrees in ((-0.02, 0.04, True), (0.02, 0.06, False)):
        flipped = row(
            "flipped_by_rules", (low + high) / 2, low, high, group="what-if", kind="worth", p=0.5, **at
        )
        (change,) = changes(findings([gap, flipped]))
        assert ("other winners in the same games" in change.sentence.text) == disagrees


def test_one_point_is_singular() -> None:
    row = {"estimate": 0.01, "low": -0.1, "high": 0.12}
    assert points(row) == "+1 percentage point (−10 to +12)"
    assert points({**row, "estimate": -0.01}) == "−1 percentage point (−10 to +12)"
    assert points({**row, "estimate": 0.02}) == "+2 percentage points (−10 to +12)"
