"""Say what changed at a table since a seat was last shown it, so that a move needs few bytes."""

from __future__ import annotations

from itertools import dropwhile
from typing import Any

from bartizan.engine.scene import LogLine, Scene
from bartizan.engine.schema import Schema
from bartizan.tables.messages import Patch, Sync

APART = ("version", "head", "scene")  # each has its own place in a patch, as the log has


def patch(before: Sync, now: Sync) -> Patch:
    """Return what turns one `Sync` of a seat into a later one."""
    return Patch(
        base=before.version,
        version=now.version,
        head=now.head,
        sync=_changed(before, now, APART),
        scene=_changed(before.scene, now.scene, ("log",)),
        log=_new_lines(before.scene, now.scene),
    )


def _changed(before: Schema, now: Schema, apart: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields that changed; of a list, where few of its structs did, only those by their place."""
    changed = {}
    for name in now.__struct_fields__:
        old, new = getattr(before, name), getattr(now, name)
        if old != new and name not in apart:
            changed[name] = _places(old, new) or new
    return changed


def _places(old: Any, new: Any) -> dict[str, dict[str, Any]]:
    """Return what changed in some structs of a list, by their place; empty to replace all of them."""
    if not isinstance(new, tuple) or len(old) != len(new):
        return {}
    places: dict[str, dict[str, Any]] = {}
    for place, (before, now) in enumerate(zip(old, new, strict=True)):
        if before != now:
            if not isinstance(now, Schema) or type(before) is not type(now) or 2 * len(places) > len(new):
                return {}
            places[str(place)] = _changed(before, now)
    return places


def _new_lines(old: Scene, new: Scene) -> tuple[LogLine, ...]:
    """Return the lines of the log from the first that isn't as it was; all after a move was taken back."""
    if new.status.ply < old.status.ply:
        return new.log
    known = {line.ply: line for line in old.log}
    return tuple(dropwhile(lambda line: known.get(line.ply) == line, new.log))
