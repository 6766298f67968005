"""Collect what is wrong with a game while it is played."""

from __future__ import annotations


class Broken(Exception):
    """A game that can't continue; the fault has been noted."""


class Faults(dict[str, str]):
    """A sentence for each kind of fault, the first that was found."""

    def note(self, kind: str, sentence: str, place: str = "") -> None:
        """Keep a sentence, with the file and line in front, unless there is one of this kind."""
        self.setdefault(kind, f"{place}: {sentence}" if place else sentence)

    def fatal(self, kind: str, sentence: str, place: str = "") -> Broken:
        """Note a fault after which the game can't continue; return what to raise."""
        self.note(kind, sentence, place)
        return Broken()
