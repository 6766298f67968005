"""Draw one zone of a Scene as lines of text, no wider than it is told."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from bartizan.engine.scene import Item, Region, Slot, Theme, Zone
from bartizan.terminal.glyphs import VACANT, face_style, flags_note, glyph, seat_name

WIDE = 10_000  # a width that nothing reaches: drawn so, a zone shows its natural width
PILE_SHOWN = 8  # cards of a pile that are drawn before the rest is counted

# A ground is a word of the game's; these are the signs for the common ones.
GROUNDS = {"river": "~", "water": "~", "sand": ":", "portal": "o", "wall": "#"}


def flow(parts: Iterable[Text], width: int, gap: str = " ") -> list[Text]:
    """Set parts side by side, on as many lines as `width` asks for."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= width:
            lines[-1].append(gap).append_text(part)
        else:
            lines.append(
                Text().append_text(part)
            )  # on a blank text, as a text's own style colours what follows
    return lines


def wrap(text: str, width: int, style: str = "") -> list[Text]:
    """Break a sentence into lines."""
    lines = textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)
    return [Text(line, style=style) for line in lines]


def zone_lines(zone: Zone, theme: Theme, width: int = WIDE) -> list[Text]:
    """Draw a zone: its name with what it counts, then what lies in it."""
    body = _DRAWERS[zone.kind](zone, theme, width)
    legend = flags_note(zone.items)
    if legend:
        body.extend(wrap(legend, width, "dim"))
    head = Text(zone.label, style="bold")
    count = _count(zone)
    if count:
        head.append(f" {count}", style="dim")
    if zone.kind == "counter" or (len(body) == 1 and zone.layout.size == "small"):
        joined = flow([head, *body], width, "  ")
        if len(joined) == 1:
            return joined
    return [*_fit(head, width), *body]


def plate_lines(zones: Sequence[Zone], theme: Theme, width: int = WIDE) -> list[Text]:
    """Draw what is counted of one seat on one line: its name, then each figure with its brief name."""
    parts = [seat_name(zones[0].owner, theme)]
    for zone in zones:
        count = str(zone.count or len(zone.items)) + (f"/{zone.limit}" if zone.limit else "")
        parts.append(Text(count).append(f" {zone.brief}", style="dim"))
    return flow(parts, width, "  ")


def _fit(head: Text, width: int) -> list[Text]:
    """Break a heading that is too long for its column, with its styles."""
    return flow(head.split(" "), width) if head.cell_len > width else [head]


def _count(zone: Zone) -> str:
    """Say how many things a zone holds, where that is not plain to see."""
    if zone.kind == "counter":
        return ""
    number = zone.count or len(zone.items)
    if zone.limit:
        return f"{number}/{zone.limit}"
    return str(number) if zone.kind in ("pile", "fan") or number > len(zone.items) else ""


def _nothing() -> list[Text]:
    return [Text(VACANT, style="bright_black")]


def _pile(zone: Zone, theme: Theme, width: int) -> list[Text]:
    if not zone.items:
        return _nothing() if not zone.count else [Text("▒▒", style="bright_black")]
    parts = [glyph(item, theme) for item in zone.items[:PILE_SHOWN]]
    more = max(zone.count, len(zone.items)) - len(parts)
    if more > 0 and zone.items[0].back and len(parts) > 1:
        parts.insert(1, Text("…", style="dim"))  # the known ones need not lie next to the top
    elif more > 0 and zone.items[0].face:
        parts.append(Text(f"… {more} more", style="dim"))
    return flow(parts, width)


def _row(zone: Zone, theme: Theme, width: int) -> list[Text]:
    if not zone.items:
        return _nothing()
    parts = [glyph(item, theme) for item in zone.items]
    unseen = zone.count - len(parts)
    if unseen > 0:
        parts.append(Text(f"… {unseen} more", style="dim"))
    return parts if zone.layout.direction == "column" else flow(parts, width)


def _slots(zone: Zone, theme: Theme, width: int) -> list[Text]:
    parts = []
    for slot in zone.slots:
        part = Text().append(f"{slot.label} " if slot.label else "", style="dim")
        inside = [glyph(item, theme) for item in zone.items if item.at == slot.id] or _nothing()
        parts.append(part.append_text(Text(" ").join(inside)))
    known = {slot.id for slot in zone.slots}
    parts.extend(glyph(item, theme) for item in zone.items if item.at not in known)
    return parts if zone.layout.direction == "column" else flow(parts, width, "  ")


def _levels(zone: Zone, theme: Theme, width: int) -> list[Text]:
    """Draw levels one upon another: what each is, and its bonus or that it is lost."""
    if zone.note and not zone.items:
        return wrap(zone.note, width)
    margin = max((len(slot.label) for slot in zone.slots), default=0)
    lines = []
    for slot in zone.slots:
        here = [glyph(item, theme) for item in zone.items if item.at == slot.id] or _nothing()
        lines.append(Text().append(f"{slot.label:<{margin}} ", style="dim").append_text(Text(" ").join(here)))
    breadth = max((line.cell_len for line in lines), default=0)
    for line, slot in zip(lines, zone.slots, strict=True):
        lost = "" if slot.works else "(lost)"
        for told in (f"{slot.bonus} {lost}".rstrip(), lost) if slot.bonus else ():
            if told and breadth + 1 + len(told) <= width:
                line.append(" " * (breadth + 1 - line.cell_len)).append(told, "dim" if lost else "")
                break
    return lines


def _lanes(zone: Zone, theme: Theme, width: int) -> list[Text]:
    """Draw attacks in flight: attacker, target, distance, and what could stop them."""
    lines: list[Text] = []
    for item in zone.items:
        if item.course is None:
            continue
        parts = [
            seat_name(item.owner, theme),
            Text("─"),
            Text(item.face, style=face_style(item.face, theme)),
            Text("─▶"),
        ]
        parts += [seat_name(item.course.goal, theme), Text(_arrival(item.course.turns), style="dim")]
        known = dict.fromkeys(answer.partition(":")[0] for answer in item.course.answers)
        if known:  # the ids of known things begin with their face
            parts.append(Text(f"stopped by {', '.join(known)}", style="bold"))
        lines.extend(flow(parts, width))
    return lines or _nothing()


def _arrival(turns: int) -> str:
    """Say when something gets there."""
    return f"in {turns} turns" if turns > 1 else "next turn" if turns else "now"


def _ground(slot: Slot) -> Text:
    return Text(GROUNDS.get(slot.kind, "."), style="bright_black")


def _cells(rows: list[tuple[str, list[Text]]], heads: list[str]) -> list[Text]:
    """Set cells in columns, row names on the left and column names below."""
    size = max([cell.cell_len for _, row in rows for cell in row] + [len(head) for head in heads], default=1)
    margin = max((len(name) for name, _ in rows), default=0)
    lines = []
    for name, row in rows:
        line = Text().append(f"{name:>{margin}} " if margin else "", style="dim")
        for cell in row:
            line.append_text(cell).append(" " * (size - cell.cell_len + 1))
        line.rstrip()
        lines.append(line)
    if any(heads):
        feet = " ".join(f"{head:<{size}}" for head in heads).rstrip()
        lines.append(Text(" " * (margin + 1 if margin else 0) + feet, style="dim"))
    return lines


def _grid(zone: Zone, theme: Theme, width: int) -> list[Text]:
    columns = zone.layout.columns or max(1, len(zone.slots))
    at: dict[str, list[Item]] = {}
    for item in zone.items:
        at.setdefault(item.at, []).append(item)

    def cell(slot: Slot) -> Text:
        return _heap(at[slot.id], theme) if slot.id in at else _ground(slot)

    slots = list(zone.slots)
    table = [slots[start : start + columns] for start in range(0, len(slots), columns)]
    # FeatureLayout named like those of a chess board give the edges their names.
    named = [[re.fullmatch(r"([a-z]+)(\d+)", slot.label or slot.id) for slot in row] for row in table]
    if all(matched is not None for row in named for matched in row):
        sides = [row[0].group(2) if row[0] else "" for row in named]
        heads = [matched.group(1) if matched else "" for matched in named[0]] if named else []
    else:
        sides, heads = [""] * len(table), []
    lines = _cells(
        [(side, [cell(slot) for slot in row]) for side, row in zip(sides, table, strict=True)], heads
    )
    return [*lines, *(line for told in _legend(zone, theme) for line in wrap(told, width, "dim"))]


def _legend(zone: Zone, theme: Theme) -> list[str]:
    """Say what the signs on a board stand for, and whose they are: a line for each owner, then the others."""
    meant: dict[str, dict[str, str]] = {}  # owner -> sign -> what it is
    for item in sorted(zone.items, key=lambda item: item.owner):
        who = seat_name(item.owner, theme).plain if item.owner else ""
        what = item.label.partition(",")[0].removeprefix(f"{who}'s ").removeprefix("A ")
        if item.face and what:
            meant.setdefault(who, {})[item.face] = what
    if list(meant) == [""] and len(meant[""]) == 1:  # a single kind of thing needs none
        meant.clear()
    grounds = {GROUNDS[slot.kind]: slot.kind for slot in zone.slots if slot.kind in GROUNDS}
    meant[""] = meant.pop("", {}) | grounds
    return [
        (f"{who}: " if who else "") + ", ".join(f"{sign} {what}" for sign, what in signs.items())
        for who, signs in meant.items()
    ]


def _heap(items: Sequence[Item], theme: Theme) -> Text:
    """Draw what lies in one square: things that look alike once, with their number."""
    alike: dict[str, list[Text]] = {}
    for item in items:
        drawn = glyph(item, theme)
        alike.setdefault(drawn.plain, []).append(drawn)
    return Text(" ").join(
        Text(f"{len(same)}×").append_text(same[0]) if len(same) > 1 else same[0] for same in alike.values()
    )


def _map(zone: Zone, theme: Theme, width: int) -> list[Text]:
    """Draw a grid around what lies on it, as far as its edge if it has one; y grows upwards."""
    cells: dict[tuple[int, int], list[Text]] = {}
    for item in zone.items:
        place = _place(item.at)
        if place:
            cells.setdefault(place, []).append(glyph(item, theme))
    if not cells:
        return _nothing()
    corners = [place for place in map(_place, zone.edge) if place]
    xs = [x for x, _ in [*cells, *corners]]
    ys = [y for _, y in [*cells, *corners]]
    drawn = {place: Text("").join(glyphs) for place, glyphs in cells.items()}

    def part(columns: range) -> list[Text]:
        rows = [
            (str(y), [drawn.get((x, y), Text("·", style="bright_black")) for x in columns])
            for y in range(max(ys), min(ys) - 1, -1)
        ]
        return _cells(rows, [str(x) for x in columns])

    lines = part(range(min(xs), max(xs) + 1))
    if (
        max(line.cell_len for line in lines) > width
    ):  # too wide: some columns at a time, one part below another
        margin = max(len(str(y)) for y in ys)
        breadth = max(text.cell_len for text in [*drawn.values(), Text(str(min(xs))), Text(str(max(xs)))])
        band = max(1, (width - margin) // (breadth + 1))
        lines = []
        for first in range(min(xs), max(xs) + 1, band):
            lines += [Text()] * bool(lines) + part(range(first, min(first + band, max(xs) + 1)))
    lines += wrap(zone.note, width, "dim")
    return lines + [line for region in zone.regions for line in _region(region, theme, width)]


def _place(text: str) -> tuple[int, int] | None:
    match = re.fullmatch(r"(-?\d+),(-?\d+)", text)
    return (int(match.group(1)), int(match.group(2))) if match else None


def _region(region: Region, theme: Theme, width: int) -> list[Text]:
    """Name a claimed region and its owners."""
    if not region.owners:
        return []
    who = [seat_name(owner, theme) for owner in dict.fromkeys(region.owners)]
    return flow([*Text(", ").join(who).append(":").split(" "), *Text(region.label).split(" ")], width)


def _table(zone: Zone, theme: Theme, width: int) -> list[Text]:
    if not zone.items:
        return _nothing()
    parts = []
    for item in zone.items:
        where = f" at {item.at}" if item.at else ""
        parts.append(Text().append_text(glyph(item, theme)).append(where, style="dim"))
    return flow(parts, width, "  ")


def _counter(zone: Zone, theme: Theme, width: int) -> list[Text]:
    return [Text(f"{zone.count}/{zone.limit}" if zone.limit else str(zone.count))]


_DRAWERS: dict[str, Callable[[Zone, Theme, int], list[Text]]] = {
    "pile": _pile,
    "row": _row,
    "fan": _row,
    "slots": _slots,
    "levels": _levels,
    "lanes": _lanes,
    "grid": _grid,
    "map": _map,
    "table": _table,
    "counter": _counter,
}
