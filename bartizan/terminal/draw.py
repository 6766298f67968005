"""Draw a whole Scene: the head, the zones in their areas, what happened, and what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from bartizan.engine.scene import Aid, Choice, Contest, LogLine, Race, Refusal, Scene, Setting, Theme, Zone
from bartizan.terminal.glyphs import seat_name
from bartizan.terminal.layout import Drawer, compose
from bartizan.terminal.zones import flow, plate_lines, wrap, zone_lines

WIDE_FROM = 90  # columns from which a Scene's "wide" areas are used
LOG_SHOWN = 4  # plies of the log that a table shows
CHOICES_SHOWN = 3  # moves of one verb that are written out


def blocks(scene: Scene, theme: Theme) -> dict[str, Drawer]:
    """Return a drawer for each area of the Scene: its zones one below the other."""
    grouped: dict[str, list[Zone]] = {}
    for zone in scene.zones:
        grouped.setdefault(zone.layout.area or zone.id, []).append(zone)

    def drawer(zones: Sequence[Zone]) -> Drawer:
        def draw(width: int) -> list[Text]:
            lines: list[Text] = []
            for (owner, on_plate), group in groupby(zones, key=lambda zone: (zone.owner, zone.brief != "")):
                if on_plate and owner:
                    lines.extend(plate_lines(list(group), theme, width))
                else:
                    lines.extend(line for zone in group for line in zone_lines(zone, theme, width))
            return lines

        return draw

    return {area: drawer(zones) for area, zones in grouped.items()}


def table_lines(scene: Scene, setting: Setting, width: int) -> list[Text]:
    """Draw the zones of a Scene, placed by wide or narrow areas as `width` allows."""
    areas = scene.areas or setting.areas
    rows = areas.get("wide" if width >= WIDE_FROM else "narrow") or next(iter(areas.values()), ())
    return compose(rows, blocks(scene, setting.theme), width)


def facts_line(scene: Scene, width: int) -> list[Text]:
    """Draw the figures of the table."""
    parts = []
    told = {fact.label.lower() for fact in scene.status.facts}
    if scene.status.round and not told & {"round", "turn"}:
        parts.append(Text(f"Round {scene.status.round}", style="bold"))
    if scene.status.steps:
        parts.append(steps_text(scene))
    parts.extend(
        Text(f"{fact.label} ", style="dim").append(
            fact.value + (f" ({fact.note})" if fact.note else ""), style="not dim"
        )
        for fact in scene.status.facts
    )
    return flow(parts, width, "  ·  ")


def contest_text(contest: Contest) -> Text:
    """Draw a contest: both numbers, what makes the first up, and what would happen."""
    first, second = contest.sides
    text = Text(f"{first.label} {first.value}", style="bold")
    parts = [f"{part.label.lower()} {part.value}" for part in first.segments if part.value]
    text.append(f" ({', '.join(parts)})" if len(parts) > 1 else "", style="not bold")
    text.append(f" against {second.label.lower()} {second.value}")
    outcome = (first if first.value >= second.value else second).outcome
    return text.append(f": {outcome}" if outcome else "", style="not bold")


def race_text(race: Race, theme: Theme) -> Text:
    """Draw a race: everyone's value, each in their colour, and the goal."""
    racers = [
        Text(racer.label, style=seat_name(racer.seat, theme).style).append(f" {racer.value}")
        for racer in race.racers
    ]
    return Text(f"{race.label} to {race.goal}: ", style="dim").append_text(
        Text(" · ", style="not dim").join(racers)
    )


def stakes_lines(scene: Scene, theme: Theme, width: int) -> list[Text]:
    """Draw the contests and races of the table, each on a line."""
    texts = [contest_text(each) for each in scene.contests] + [race_text(each, theme) for each in scene.races]
    return [line for text in texts for line in flow(text.split(" "), width)]


def steps_text(scene: Scene) -> Text:
    """Draw the order of the turn, with the step it stands at picked out."""
    status = scene.status
    names = [
        Text(name, style="bold" if number == status.step else "dim")
        for number, name in enumerate(status.steps)
    ]
    return Text(" › ", style="dim").join(names)


def log_lines(log: Iterable[LogLine], width: int, setting: Setting) -> list[Text]:
    """Draw plies of a table: who moved and what, then what was seen to happen."""
    lines: list[Text] = []
    for entry in log:
        who = f" ({entry.who or seat_name(entry.seat, setting.theme)})" if setting.seats > 1 else ""
        told = " ".join(entry.events)
        first = len(lines)
        lines.extend(wrap(f"{entry.ply}{who} {entry.move}{': ' if told else ''}{told}", width))
        lines[first].stylize("dim", 0, len(str(entry.ply)))
    return lines


def choice_lines(choices: Sequence[Choice], width: int) -> list[Text]:
    """Sum up the legal moves by their verbs."""
    grouped: dict[str, list[Choice]] = {}
    for choice in choices:
        grouped.setdefault(choice.verb or choice.text.split()[0], []).append(choice)
    lines: list[Text] = []
    for verb, same in grouped.items():
        words = {choice.text.split()[0] for choice in same}  # a verb may have none of its own: "c1", "d1-d2"
        narrowed = f"legal {words.pop()}" if len(words) == 1 else "legal"
        line = Text(f"{verb}: ", style="bold")
        if len(same) <= CHOICES_SHOWN:
            line.append(" · ".join(map(_typed, same)), style="not bold")
        else:
            line.append(f"{len(same)} ways, such as {same[0].text}", style="not bold")
            line.append(f" ({narrowed})", style="dim not bold")
        lines.extend(flow(line.split(" "), width) if line.cell_len > width else [line])
    return lines


def _typed(choice: Choice) -> str:
    """Return how a move is typed, and what it does if a single word doesn't say so."""
    tells = " " not in choice.text and choice.label.lower() not in ("", choice.text, choice.verb.lower())
    return f"{choice.text} ({choice.label})" if tells else choice.text


def extras_lines(scene: Scene, width: int) -> list[Text]:
    """Say what may be added to a report, in the notation in which it is typed."""
    lines: list[Text] = []
    for group in scene.extras:
        words = " ".join(filter(None, [group.before, group.entries[0].text])) if group.entries else ""
        lines.extend(wrap(f"{group.title}: add '{words}' behind a report.", width, "dim") if words else [])
    return lines


def result_lines(scene: Scene, setting: Setting, width: int) -> list[Text]:
    """Tell how the game ended."""
    result = scene.result
    if result is None:
        return []
    lines = [Text(result.headline, style="bold")]
    outcome = result.outcome
    lines.extend(wrap(result.text + (f" ({outcome.clause})" if outcome.clause else ""), width))
    for seat in dict.fromkeys(item.seat for item in result.items):
        total = f" {outcome.points[seat - 1]}" if outcome.points else ""
        items = [f"{item.label}: {item.points}" for item in result.items if item.seat == seat]
        words = [seat_name(seat, setting.theme).append(f"{total}:"), *Text(", ".join(items)).split(" ")]
        lines.extend(flow(words, width))
    if setting.seats > 1 and outcome.points and not result.items:
        points = [
            seat_name(seat, setting.theme).append(f" {each}") for seat, each in enumerate(outcome.points, 1)
        ]
        lines.append(Text("Points: ").append_text(Text(", ").join(points)))
    return lines


def draw_scene(
    scene: Scene, setting: Setting, width: int, *, choices: bool = True, log: int = LOG_SHOWN
) -> RenderableType:
    """Draw a Scene `width` columns wide, with the last `log` plies and the legal moves."""
    parts: list[RenderableType] = [Rule(Text(setting.title, style="bold"), characters="─", style="dim")]
    parts.extend(facts_line(scene, width))
    parts.extend(stakes_lines(scene, setting.theme, width))
    parts.append("")
    parts.extend(table_lines(scene, setting, width))
    if any(item.peek and not item.face for zone in scene.zones for item in zone.items):
        parts.extend(wrap("~ lies face down, but you know it", width, "dim"))
    if scene.log and log:
        parts.append("")
        parts.extend(log_lines(scene.log[-log:], width, setting))
    parts.append("")
    if scene.result is not None:
        parts.extend(result_lines(scene, setting, width))
    else:
        parts.extend(wrap(scene.status.prompt, width, "bold"))
        if choices:
            parts.extend(choice_lines(scene.choices, width))
            parts.extend(extras_lines(scene, width) if scene.choices else [])
    return Group(*parts)


def refusal_lines(refusal: Refusal) -> Text:
    """Explain why a move is not possible, with its clause."""
    named = refusal.clause and refusal.clause not in refusal.sentence
    text = Text(refusal.sentence + (f" ({refusal.clause})" if named else ""), style="yellow")
    if refusal.rule and refusal.rule not in refusal.sentence:
        text.append(f"\n{refusal.clause}: {refusal.rule}", style="dim not yellow")
    return text


def look_lines(scene: Scene, setting: Setting) -> Text:
    """Tell every thing on the table in words, with what it does there."""
    text = Text()
    for zone in scene.zones:
        if len(text):
            text.append("\n")
        text.append(zone.label, style="bold")
        text.append(f" {zone.count}" if zone.count or zone.kind == "counter" else "", style="dim")
        text.append(f": {zone.note}" if zone.note else "")
        for item in zone.items:
            known = item.face or (f"~{item.peek}" if item.peek else "")
            where = next((slot.label for slot in zone.slots if slot.id == item.at), item.at)
            words = [where, known, item.label or ("" if known else "face down")]
            text.append("\n  " + " ".join(word for word in words if word))
            text.append(f": {item.note}" if item.note else "", style="dim")
        for region in zone.regions:
            text.append(f"\n  {region.label}")
    if setting.aids:
        text.append("\n").append_text(aids_text(setting.aids))
    return text


def aids_text(aids: Iterable[Aid]) -> Text:
    """Tell what there is to look up beside the table."""
    text = Text()
    for aid in aids:
        text.append("\n" if len(text) else "").append(aid.title, style="bold")
        text.append(f": {aid.text}" if aid.text else "")
        for line in aid_lines(aid):
            text.append(f"\n  {line}")
    return text


def aid_lines(aid: Aid) -> list[str]:
    """Set the rows of an aid's table in columns."""
    widths = [max(map(len, column)) for column in zip(*aid.table, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in aid.table]


def print_scene(
    console: Console, scene: Scene, setting: Setting, *, choices: bool = True, log: int = LOG_SHOWN
) -> None:
    """Print a Scene as wide as the console."""
    drawn = draw_scene(scene, setting, console.width, choices=choices, log=log)
    console.print(drawn, highlight=False, markup=False)
