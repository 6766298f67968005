"""Describe the result of a throw in one sentence."""

from __future__ import annotations

from bartizan.engine.layout import TableLayout
from bartizan.throwing.air import LENGTH, WIDTH
from bartizan.throwing.flight import TABLE, Flight
from bartizan.throwing.verdict import ThrowVerdict, area, contact_times, outline

FULL = WIDTH * LENGTH * 1e6  # mm²
NEAR = 0.1  # metres: what a card missed by more was not aimed at


def name_of(layout: TableLayout, name: str) -> str:
    """Return what a piece is called: ``2.wall3`` is "Red's wall 3"."""
    label = next((piece.label for piece in layout.pieces if piece.name == name), "")
    return label or name


def sentence(layout: TableLayout, side: int, flight: Flight, verdict: ThrowVerdict) -> str:
    """Return what a player hears of a throw."""
    text = _landed(layout, verdict) if verdict.landings else _missed(layout, side, flight, verdict)
    if verdict.moved:
        text += f" It moved {_list([name_of(layout, name) for name in verdict.moved])}."
    return text


def _landed(layout: TableLayout, verdict: ThrowVerdict) -> str:
    first = verdict.landings[0]
    share = f"{100 * first.overlap / FULL:.0f}%"
    if verdict.verdict == "perfect":
        return f"It landed on {name_of(layout, first.target)} and covers all four corners: a perfect hit."
    if len(verdict.landings) == 2:
        second = verdict.landings[1]
        return (
            f"It landed on {name_of(layout, first.target)} and {name_of(layout, second.target)}, and covers "
            f"{share} of the one and {100 * second.overlap / FULL:.0f}% of the other."
        )
    return f"It landed on {name_of(layout, first.target)} and covers {share} of it."


def _missed(layout: TableLayout, side: int, flight: Flight, verdict: ThrowVerdict) -> str:
    if verdict.reason == "moving":
        return "It did not come to rest."
    if verdict.reason == "outside":
        return (
            "It left the table."
            if not area(layout).intersects(outline(flight.card))
            else ("It came to rest across the edge of the table.")
        )
    if verdict.reason == "beneath":
        return f"It slid beneath {name_of(layout, verdict.beneath)}."
    if verdict.reason == "table":
        return _table_first(layout, side, flight)
    if verdict.reason == "edge":
        theirs = {piece.name: piece for piece in layout.pieces if piece.side != side}
        touched = min((name for name in flight.contacts if name in theirs), key=flight.contacts.__getitem__)
        return f"It touched {name_of(layout, touched)} and did not stay on it."
    return f"It came down on the table{_how_far(layout, side, flight)}."


def _table_first(layout: TableLayout, side: int, flight: Flight) -> str:
    theirs = {piece.name: piece for piece in layout.pieces if piece.side != side}
    first = flight.first_contact
    if first is not None and first[0] not in theirs and first[0] != TABLE:
        return f"It touched {name_of(layout, first[0])} first, of its own side."
    t_table, t_card = contact_times(theirs, flight)
    assert t_table is not None
    assert t_card is not None
    touched = min((name for name in flight.contacts if name in theirs), key=flight.contacts.__getitem__)
    return (
        f"It touched the table first, {1000 * (t_card - t_table):.0f} ms before {name_of(layout, touched)}."
    )


def _how_far(layout: TableLayout, side: int, flight: Flight) -> str:
    """Return ", 4 mm from Red's wall 3" for the nearest target, or nothing if none is near."""
    own = outline(flight.card)
    gaps = {
        piece.name: own.distance(outline(flight.pieces[piece.name]))
        for piece in layout.pieces
        if piece.side != side
    }
    nearest = min(gaps, key=gaps.__getitem__, default="")
    if not nearest or gaps[nearest] > NEAR:
        return ""
    return f", {1000 * gaps[nearest]:.0f} mm from {name_of(layout, nearest)}"


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
