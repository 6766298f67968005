"""Draw the figures of an experiment by Vega-Altair, as SVG that a page holds and that follows its colours."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

WIDTH = 560
INK, PAPER, MARK = "#101112", "#fefdfc", "#3a6ea5"  # stand for the page's own colours
COLOURS = {INK: "var(--ink)", PAPER: "var(--paper)", MARK: "var(--mark)"}


def intervals(rows: pl.DataFrame, title: str, zero: float | None = None) -> str:
    """Return a picture of estimates with their intervals: a row a measure, a panel where cells differ.

    `rows` has measure, label, estimate, low, high; `zero` draws a line there.
    """
    import altair as alt

    known = rows.filter(
        pl.col("estimate").is_not_nan() & pl.col("low").is_finite() & pl.col("high").is_finite()
    )
    if known.height == 0:
        return ""
    order = known["measure"].unique(maintain_order=True).to_list()
    base = alt.Chart(_data(known))
    y = alt.Y("measure:N", sort=order, title=None)
    layers: list[Any] = [
        base.mark_rule(strokeWidth=2, color=MARK).encode(
            x=alt.X("low:Q", title=title, scale=alt.Scale(zero=False)), x2="high:Q", y=y
        ),
        base.mark_point(filled=True, size=60, color=MARK, opacity=1).encode(x="estimate:Q", y=y),
    ]
    if zero is not None:
        layers.append(base.mark_rule(strokeDash=[4, 3], color=INK).encode(x=alt.datum(zero)))
    chart: Any = alt.layer(*layers).properties(width=WIDTH)
    if known["label"].n_unique() > 1:
        labels = known["label"].unique(maintain_order=True).to_list()
        row = alt.Row(
            "label:N", sort=labels, title=None, header=alt.Header(labelColor=INK, labelAlign="left")
        )
        chart = chart.facet(row=row)
    return _svg(chart)


def histogram(values: pl.DataFrame, title: str) -> str:
    """Return a picture of how often each number comes; `values` has value and games."""
    import altair as alt

    if values.height == 0:
        return ""
    chart = (
        alt.Chart(_data(values))
        .mark_bar(color=MARK)
        .encode(
            x=alt.X("value:Q", bin=alt.Bin(maxbins=40), title=title),
            y=alt.Y("sum(games):Q", title="games"),
        )
        .properties(width=WIDTH, height=180)
    )
    return _svg(chart)


def curve(rows: pl.DataFrame, title: str) -> str:
    """Return a picture of a line; `rows` has x from 0 to 1 and y."""
    import altair as alt

    if rows.height == 0:
        return ""
    chart = (
        alt.Chart(_data(rows))
        .mark_line(color=MARK, strokeWidth=2)
        .encode(
            x=alt.X("x:Q", title="part of the game", axis=alt.Axis(format="%")),
            y=alt.Y("y:Q", title=title, scale=alt.Scale(domain=[0, 1])),
        )
        .properties(width=WIDTH, height=180)
    )
    return _svg(chart)


def _data(frame: pl.DataFrame) -> Any:
    """Return a frame as what a chart holds."""
    import altair

    untyped: Any = altair
    return untyped.Data(values=frame.to_dicts())


def _svg(chart: Any) -> str:
    """Return a chart as SVG without a background, whose colours are the page's."""
    import vl_convert as vlc

    styled = (
        chart.configure(background="transparent", font="sans-serif")
        .configure_axis(
            labelColor=INK, titleColor=INK, tickColor=INK, domainColor=INK, gridColor=INK, gridOpacity=0.12
        )
        .configure_view(stroke=None)
    )
    text = str(vlc.vegalite_to_svg(styled.to_dict()))
    for colour, name in COLOURS.items():
        text = text.replace(colour, name)
    # What is drawn is said in words beside it; a reader of the page need not hear every tick.
    text = re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', text, count=1)
    return re.sub(r' (role|aria-label|aria-roledescription)="[^"]*"', "", text)
