"""List the variants of Connect Four."""

from __future__ import annotations

from typing import Annotated

from bartizan.engine.options import OptionSet, option


class Options(OptionSet, frozen=True, kw_only=True):
    """The variants of Connect Four; the default is the game as everybody knows it."""

    misere: Annotated[bool, option("Whether who makes four in a line loses.", compare=True)] = False
