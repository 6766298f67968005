"""Draw one item of a Scene as a short coloured text.

A face is shown in the notation in which it is typed, so that the table can be
read as moves; its suit's letter stands beside the colour, which is therefore
never the only sign.
"""

from __future__ import annotations

from rich.color import Color, ColorParseError
from rich.text import Text

from bartizan.engine.scene import Item, Theme

HIDDEN = "▒▒"
VACANT = "--"

# What a theme's colour names look like on a terminal, dark or light.
COLOURS = {
    "black": "bold",
    "red": "bold red",
    "blue": "bold blue",
    "green": "bold green",
    "orange": "bold yellow",
    "yellow": "bold yellow",
    "purple": "bold magenta",
    "pink": "bold magenta",
    "teal": "bold cyan",
    "cyan": "bold cyan",
    "grey": "bold bright_black",
}
KNOWN_FLAGS = {"borrowed": "+", "damaged": "!", "fired": "*"}  # the mark that stands for a word


def colour_style(name: str) -> str:
    """Return the terminal style for a theme's colour name; bold for one that no terminal knows."""
    if name in COLOURS:
        return COLOURS[name]
    try:
        Color.parse(name)
    except ColorParseError:
        return "bold"
    return f"bold {name}"


def seat_name(seat: int, theme: Theme) -> Text:
    """Name a seat in the colour of its pieces."""
    if not 0 < seat <= len(theme.liveries):
        return Text(f"seat {seat}", style="bold")
    livery = theme.liveries[seat - 1]
    return Text(livery.name, style=colour_style(livery.colour))


def face_style(face: str, theme: Theme) -> str:
    """Return the style of a face: that of the suit whose letter ends it."""
    suit = theme.suits.get(face.rstrip("!")[-1:])
    return colour_style(suit.colour) if suit else "bold"


def item_style(item: Item, theme: Theme) -> str:
    """Return the style of a face-up item: that of its owner's pieces, or of its suit."""
    if 0 < item.owner <= len(theme.liveries):
        return colour_style(theme.liveries[item.owner - 1].colour)
    return face_style(item.face, theme)


def glyph(item: Item, theme: Theme) -> Text:
    """Draw an item: its face, ``~`` and its face where only this seat knows it, or a back."""
    drawn = Text()
    if item.face:
        drawn.append(item.face, style=item_style(item, theme))
    elif item.peek:
        drawn.append(f"~{item.peek}", style=f"{face_style(item.peek, theme)} dim")
    else:
        drawn.append(HIDDEN, style="bright_black")
    for flag in item.flags:
        mark = KNOWN_FLAGS.get(flag, "")
        if mark and not drawn.plain.endswith(mark):
            drawn.append(mark, style="bold")
    if item.badge and item.badge != item.face:
        drawn.append(f"({item.badge})", style="dim")
    return drawn


def flags_note(items: tuple[Item, ...]) -> str:
    """Return a legend for the flags among `items`: ``"+ borrowed"``; empty without flags."""
    words = dict.fromkeys(flag for item in items for flag in item.flags if flag in KNOWN_FLAGS)
    return ", ".join(f"{KNOWN_FLAGS[word]} {word}" for word in words)
