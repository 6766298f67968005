"""Clean up names and chat lines: no invisible characters, no impersonation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bartizan.engine.errors import nearest
from bartizan.tables.errors import BadRequest

LONGEST_NAME = 24  # characters
LONGEST_LINE = 300
LONGEST_REASON = 300  # of a report
MOST_MARKS = 2  # accents on one letter

CHARGES = (
    *("tower", "castle", "wall", "cannon", "sword", "axe"),
    *("lion", "raven", "tree", "sun", "moon", "crown"),
)
TINCTURES = ("gules", "azure", "vert", "purpure", "sable", "argent", "or", "tenne")

# Words that pages use for seats, and names that could speak for the server.
RESERVED = (
    *(
        "red",
        "blue",
        "green",
        "yellow",
        "purple",
        "orange",
        "teal",
        "black",
        "white",
        "brown",
        "pink",
        "grey",
    ),
    *("person", "program", "bartizan", "server", "host", "you", "nobody", "spectator", "admin", "moderator"),
)
# Letters of other scripts that look like Latin ones, with which a taken name could be imitated.
LOOKALIKES = str.maketrans("аеорсухіјѕԁһӏвнкмтαερονικτυχ01", "aeopcyxijsdhlbhkmtaeporiktuxol")


def clean(text: str, longest: int, what: str) -> str:
    """Return a text on one line without control, invisible and direction characters.

    Raises `BadRequest` if it has more than `longest` characters; `what` names the text in the error.
    """
    visible = (
        " " if each.isspace() else each
        for each in unicodedata.normalize("NFC", text)
        if each.isspace() or unicodedata.category(each) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    line = " ".join(_few_marks("".join(visible)).split())
    if len(line) > longest:
        raise BadRequest(f"{what} has {longest} characters at most; this one has {len(line)}.")
    return line


def _few_marks(text: str) -> str:
    """Return a text without stacked accents, which would cover other lines."""
    kept, marks = [], 0
    for each in text:
        marks = marks + 1 if unicodedata.category(each).startswith("M") else 0
        if marks <= MOST_MARKS:
            kept.append(each)
    return "".join(kept)


def skeleton(name: str) -> str:
    """Return a name's visual skeleton: names with the same skeleton look alike."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LOOKALIKES)
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", plain))


def clean_name(name: str, taken: Iterable[str]) -> str:
    """Return a name as it is shown; empty for no name.

    Raises `BadRequest` for a name that is too long, has no letter or digit, is `taken`, or is reserved, such
    as a colour.
    """
    line = clean(name, LONGEST_NAME, "A name")
    if not line:
        return ""
    own = skeleton(line)
    if not own:
        raise BadRequest("A name needs a letter or a digit.")
    for other in (*RESERVED, *taken):
        if skeleton(other) == own:
            raise BadRequest(f"{line!r} would be taken for {other!r} here: choose another name.")
    return line


def check_arms(arms: str) -> str:
    """Return arms as "charge tincture", or an empty text for none; raises `BadRequest`."""
    if not arms:
        return ""
    charge, _, tincture = arms.partition(" ")
    if charge not in CHARGES:
        raise BadRequest(f"There's no emblem {charge!r}.{nearest(charge, CHARGES)}")
    if tincture not in TINCTURES:
        raise BadRequest(f"There's no colour {tincture!r}.{nearest(tincture, TINCTURES)}")
    return arms
