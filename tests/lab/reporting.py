"""Make findings and folders of experiments by hand, for the tests of the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from bartizan.lab.report.findings import CellInfo, Findings, Shown, checked

HOSTILE = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>{{7*7}}"


def row(measure: str, estimate: float, low: float, high: float, **more: Any) -> dict[str, Any]:
    """Return a row of measures."""
    usual: dict[str, Any] = {
        "group": "fairness",
        "measure": measure,
        "kind": "level",
        "cell": 0,
        "label": "",
        "estimate": estimate,
        "low": low,
        "high": high,
        "n": 1000,
        "games": 2000,
        "method": "Wilson, by deals",
        "p": None,
        "words": f"what {measure} is",
    }
    return usual | more


ROWS = [
    row("won.seat_1", 0.54, 0.52, 0.56),
    row("won.seat_2", 0.44, 0.42, 0.46),
    row("advantage.seat_1", 0.05, 0.03, 0.07),
    row("advantage.seat_2", -0.05, -0.07, -0.03),
    row("drawn", 0.02, 0.015, 0.028),
    row("advantage.seat_1", 0.01, 0.005, 0.015, cell=2, label="players: top"),
    row("decisions", 84.2, 82.2, 86.2, group="length", n=1000),
    row("dead_turns", 0.27, 0.26, 0.28, group="length"),
    row("chosen.attack", 0.004, 0.003, 0.005, group="choice"),
    row("chosen.build", 0.4, 0.39, 0.41, group="choice"),
    row("in_games.AB-1", 0.0, 0.0, 0.05, group="clauses"),
    row("in_games.AB-2", 0.9, 0.8, 0.95, group="clauses"),
    row(
        "dead_turns",
        -0.1,
        -0.12,
        -0.08,
        group="length",
        cell=1,
        label="fast = true",
        kind="difference",
        p=1e-4,
    ),
    row("drawn", 0.001, -0.01, 0.012, cell=1, label="fast = true", kind="difference", p=0.8),
    row("dead_turns", 0.17, 0.16, 0.18, group="length", cell=1, label="fast = true"),
]


def findings(rows: list[dict[str, Any]] | None = None, **more: Any) -> Findings:
    """Return findings of a game for two with two variants, and a confirmation by other players."""
    given: dict[str, Any] = {
        "title": "A game",
        "author": "Somebody",
        "seats": 2,
        "folder": "an experiment",
        "settings": (("Game", "A game"), ("Seed", "1")),
        "experiment": 'game = "one"\n\n[made_with]\nbartizan = "0"\n',
        "cells": (
            CellInfo(0, "fast = false", ("greedy", "greedy")),
            CellInfo(1, "fast = true", ("greedy", "greedy")),
            CellInfo(2, "players: top", ("top", "top"), confirms=True),
        ),
        "measures": checked(
            pl.DataFrame(rows if rows is not None else ROWS, infer_schema_length=None), "test", 3
        ),
        "lengths": pl.DataFrame(
            {"cell": [0, 0, 1], "low": [10, 20, 10], "high": [20, 30, 20], "share": [0.5, 0.5, 1.0]}
        ),
        "shown": (Shown("advantage", 17, "why it is shown", 'game = "one"\n\n1. a move\n'),),
    }
    return Findings(**(given | more))


def hostile() -> Findings:
    """Return findings whose every word is an attack."""
    rows = [
        {**each, "words": HOSTILE, "label": HOSTILE, "method": HOSTILE, "measure": each["measure"] + HOSTILE}
        for each in ROWS
    ]
    rows += [{**each, "words": HOSTILE, "label": HOSTILE, "method": HOSTILE} for each in ROWS]
    rows.append(row("won." + HOSTILE, 0.5, 0.4, 0.6, group=HOSTILE))
    cells = tuple(CellInfo(n, HOSTILE + str(n), (HOSTILE,), confirms=n == 2) for n in range(3))
    shown = (Shown("advantage", 1, HOSTILE, HOSTILE),)
    more = {"title": HOSTILE, "author": HOSTILE, "folder": HOSTILE, "settings": ((HOSTILE, HOSTILE),)}
    return findings(
        rows,
        cells=cells,
        shown=shown,
        experiment=HOSTILE,
        faults=(HOSTILE,),
        missing={HOSTILE: HOSTILE},
        **more,
    )


def written(folder: Path, name: str = "report.html") -> Path:
    """Write a report that was made by hand."""
    from bartizan.lab.report.page import render

    path = folder / name
    path.write_text(render(findings()), encoding="utf-8")
    return path
