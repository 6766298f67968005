"""Apply patches to a table as the browser client does."""

from __future__ import annotations

from typing import Any


def patched(last: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """Return the table after a patch; `web/src/net/patch.ts` does the same."""
    assert patch["base"] == last["version"]
    scene = laid(last["scene"], patch.get("scene", {}))
    new = patch.get("log", [])
    first = new[0]["ply"] if new else scene["status"]["ply"] + 1
    scene["log"] = [line for line in last["scene"].get("log", []) if line["ply"] < first] + new
    own = {"version": patch["version"], "head": patch.get("head", ""), "scene": scene}
    return {**laid(last, patch.get("sync", {})), **own}


def laid(old: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Lay changes over an object, and over the elements of its lists."""
    new = {**old}
    for name, value in changes.items():
        before = old.get(name)
        if isinstance(before, list) and isinstance(value, dict):
            value = [laid(one, value.get(str(place), {})) for place, one in enumerate(before)]
        new[name] = value
    return new
