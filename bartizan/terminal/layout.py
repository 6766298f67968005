"""Set blocks of text into named areas, as CSS does with grid-template-areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

GAP = 3  # columns of blank between two areas
LEAST = 6  # no column is squeezed below this

Drawer = Callable[[int], list[Text]]  # draws a block no wider than a width


@dataclass(frozen=True)
class Place:
    """Where an area lies: first and last column and row, from 0."""

    left: int
    top: int
    right: int
    bottom: int


def places(rows: Sequence[str]) -> tuple[dict[str, Place], int]:
    """Read rows of area names (``.`` is a blank); return where each lies, and how many columns there are."""
    table = [row.split() for row in rows]
    places: dict[str, Place] = {}
    for y, names in enumerate(table):
        for x, name in enumerate(names):
            if name.strip(".") == "":
                continue
            was = places.get(name, Place(x, y, x, y))
            places[name] = Place(min(was.left, x), min(was.top, y), max(was.right, x), max(was.bottom, y))
    return places, max((len(names) for names in table), default=0)


def compose(rows: Sequence[str], blocks: Mapping[str, Drawer], width: int) -> list[Text]:
    """Draw every block in the area of its name; blocks without an area follow below."""
    where, columns = places(rows)
    drawn = {name: place for name, place in where.items() if name in blocks}
    lines = _grid(drawn, columns, len(rows), blocks, width) if drawn else []
    for name, draw in blocks.items():
        if name not in drawn:
            lines.extend([Text(), *draw(width)] if lines else draw(width))
    return lines


def _breadth(lines: Sequence[Text]) -> int:
    return max((line.cell_len for line in lines), default=0)


def _grid(
    where: Mapping[str, Place], columns: int, rows: int, blocks: Mapping[str, Drawer], width: int
) -> list[Text]:
    widths = _widths(where, columns, {name: _breadth(blocks[name](10_000)) for name in where}, width)
    used = [x for x in range(columns) if widths[x]]

    def room(place: Place) -> int:
        inside = [widths[x] for x in used if place.left <= x <= place.right]
        return sum(inside) + GAP * max(0, len(inside) - 1)

    texts = {name: blocks[name](max(room(place), 1)) for name, place in where.items()}
    heights = [0] * rows
    for name, place in sorted(where.items(), key=lambda each: each[1].bottom - each[1].top):
        between = sum(1 for height in heights[place.top : place.bottom] if height)
        missing = len(texts[name]) - sum(heights[place.top : place.bottom + 1]) - between
        heights[place.bottom] += max(0, missing)
    heights = [height + 1 if height else 0 for height in heights]  # a blank line below every row

    def line(y: int, number: int) -> Text:
        """Put together line `number` of the whole, which lies in row `y`."""
        parts: list[Text] = []
        reached = -1
        for x in used:
            if x <= reached:
                continue
            size, part = widths[x], Text()
            for name, place in where.items():
                if place.left <= x <= place.right and place.top <= y <= place.bottom:
                    size, reached = room(place), place.right
                    index = number - sum(heights[: place.top])
                    part = Text().append_text(texts[name][index]) if index < len(texts[name]) else part
            parts.append(part.append(" " * (size - part.cell_len)))
        whole = Text(" " * GAP).join(parts)
        whole.rstrip()
        return whole

    lines = [line(y, sum(heights[:y]) + index) for y in range(rows) for index in range(heights[y])]
    while lines and not lines[-1].plain:
        lines.pop()
    return lines


def _widths(where: Mapping[str, Place], columns: int, natural: Mapping[str, int], width: int) -> list[int]:
    """Share the width among the columns: what each needs, squeezed from the widest where it is too much."""
    widths = [0] * columns
    for name, place in where.items():
        if place.left == place.right:
            widths[place.left] = max(widths[place.left], natural[name])
    for name, place in where.items():
        span = list(range(place.left, place.right + 1))
        used = sum(1 for x in range(columns) if widths[x] or x in span)
        missing = natural[name] - sum(widths[x] for x in span) - GAP * (len(span) - 1)
        spare = width - sum(widths) - GAP * (used - 1)
        if len(span) > 1 and min(missing, spare) > 0:
            extra = min(missing, spare)
            for number, x in enumerate(span):
                widths[x] += extra // len(span) + (1 if number < extra % len(span) else 0)
    used = sum(1 for size in widths if size)
    while sum(widths) + GAP * max(0, used - 1) > width and max(widths, default=0) > LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths
