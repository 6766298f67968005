"""Read options for a second implementation of a game's rules: what is the same for all games."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def completed(
    given: Mapping[str, Any] | None,
    defaults: Mapping[str, Any],
    choices: Mapping[str, Sequence[Any]],
    ranges: Mapping[str, tuple[int, int]],
    other: Mapping[str, Callable[[str], Any]] | None = None,
) -> dict[str, Any]:
    """Fill in the defaults; ValueError for what is no option, or no value of it.

    Numbers become numbers, yes and no truth values. `other` reads words that stand for a value in another
    way, by the option; None: the word is none of these.
    """
    options = dict(defaults)
    for key, value in (given or {}).items():
        if key not in options:
            file = "/".join(Path(sys._getframe(1).f_code.co_filename).parts[-3:])  # of the game's reference
            raise ValueError(
                f"there is no option {key!r}; add a new one to DEFAULTS and CHOICES, or its range, in {file}"
            )
        word = str(value).lower()
        found = other[key](word) if other and key in other else None
        options[key] = plain_value(key, word, defaults, choices, ranges) if found is None else found
    return options


def plain_value(
    key: str,
    word: str,
    defaults: Mapping[str, Any],
    choices: Mapping[str, Sequence[Any]],
    ranges: Mapping[str, tuple[int, int]],
) -> Any:
    """Return the value that a word in lower case stands for."""
    found: list[Any]
    if isinstance(defaults[key], bool):
        found = [TRUTHS[word]] if word in TRUTHS else []
    elif key in ranges:
        low, high = ranges[key]
        found = [int(word)] if word.isdigit() and low <= int(word) <= high else []
    else:
        found = [choice for choice in choices[key] if str(choice) == word]
    if not found:
        raise ValueError(f"{key} = {word!r}")
    return found[0]
