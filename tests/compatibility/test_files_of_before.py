"""What earlier versions wrote still works: tables in a data folder, their links, records.

The files were made by the version of 22 November 2026, before actions and tables got their present form:
`tables.sqlite` its data folder, `tables.json` the links and what each seat was shown last, `records` games in
full and from positions in their midst, `finals.json` the positions that these led to.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bartizan.match import GameRecord, Match
from bartizan.match.verify import verify
from bartizan.tables.entries import KINDS, read_entry
from bartizan.tables.installed import Installed
from tests.tables.sessions import Ear, change, opened, present

FILES = Path(__file__).parent / "files"
TABLES: list[dict[str, Any]] = json.loads((FILES / "tables.json").read_text(encoding="utf-8"))
FINALS: dict[str, dict[str, Any]] = json.loads((FILES / "finals.json").read_text(encoding="utf-8"))

# What a sync had for each request before it had one map of them.
FLAGS = {
    "can_undo": "undo",
    "can_redo": "redo",
    "can_resign": "resign",
    "can_offer_draw": "offer",
    "can_rematch": "rematch",
    "can_return": "return",
}


def shown(sync: dict[str, Any]) -> dict[str, Any]:
    """Return of what a seat is shown what an earlier version noted."""
    scene = sync["scene"]
    return {
        "version": sync["version"],
        "ply": scene["status"]["ply"],
        "moves": [line["move"] for line in scene.get("log", [])],
        "choices": sorted(choice["text"] for choice in scene.get("choices", [])),
        "zones": {zone["id"]: [item["id"] for item in zone.get("items", [])] for zone in scene["zones"]},
        "headline": (scene.get("result") or {}).get("headline", ""),
        "draw_offer": sync.get("draw_offer", 0),
        "rematch": sync.get("rematch", {}),
    }


@pytest.mark.anyio
async def test_tables_and_links_go_on(tmp_path: Path) -> None:
    shutil.copy(FILES / "tables.sqlite", tmp_path)
    async with opened(tmp_path, Installed()) as tables:
        for entry in TABLES:
            links = entry["links"]
            for seat, token in enumerate([links["spectator"], *links["seats"]]):
                table, found = await tables.open(links["table"], token)
                assert found == seat
                ear = Ear(seat)
                table.subscribe(ear)
                await table.greet(ear)
                heard = {message["type"]: message for message in [*ear.aside, *ear.heard]}
                assert heard["opened"]["table"] == links["table"]
                expected = entry["expect"][str(seat)]
                expected.pop("prompt")  # words may be put better
                assert shown(heard["sync"]) == expected, entry["game"]
                table.leave(ear)


@pytest.mark.anyio
async def test_a_folder_of_form_4_goes_on_with_its_clock_and_its_talk(tmp_path: Path) -> None:
    """`tables-4.sqlite` was made on 23 November, before entries had an order over all tables."""
    before = json.loads((FILES / "tables-4.json").read_text(encoding="utf-8"))
    shutil.copy(FILES / "tables-4.sqlite", tmp_path / "tables.sqlite")
    async with opened(tmp_path, Installed()) as tables:
        for seat, token in enumerate(before["keys"]):
            session, found = await tables.open(before["table"], token)
            assert found == seat
            ear = Ear(seat)
            session.subscribe(ear)
            await session.greet(ear)
            told = {message["type"]: message for message in [*ear.aside, *ear.heard]}
            expected = before["expect"][str(seat)]
            assert {key: shown(told["sync"])[key] for key in expected} == expected
            assert [line.get("text") or line["emote"] for line in told["chat"]["lines"]] == before["chat"]
            assert told["present"]["persons"][0]["name"] == before["name"]
            assert told["clock"]["left"] == [86_400_000] * 2
            session.leave(ear)
        # Entries have their place in the order of all, and what is new comes after them.
        assert await tables._log.news() == []
        version = before["expect"]["2"]["version"]
        table = await tables.get(before["table"])
        assert await change(table, 2, "decline", "now", version) == version + 1


@pytest.mark.anyio
async def test_logs_of_form_5_with_every_kind_of_entry_go_on(tmp_path: Path) -> None:
    """`tables-5.sqlite` was made on 25 November, before each kind of entry had a class of its own."""
    before = json.loads((FILES / "tables-5.json").read_text(encoding="utf-8"))
    kept = {kind for table in before for kind in table["kinds"]}
    assert len(kept) == 22
    assert kept <= set(KINDS)  # none is forgotten; new ones may come
    shutil.copy(FILES / "tables-5.sqlite", tmp_path / "tables.sqlite")
    async with opened(tmp_path, Installed()) as tables:
        for entry in before:
            rows = await tables._log.read(entry["table"])
            assert [read_entry(each).to_row(each.seat, each.spent) for each in rows] == rows
            table = await tables.get(entry["table"])
            for seat, expected in entry["expect"].items():
                told = await present(table, int(seat))
                may = told.get("allowed", {})
                now = shown(told) | {key: told.get(key) for key in expected if key in told}
                flags = {flag: may.get(name) == "" for flag, name in FLAGS.items()}
                now |= flags
                now["can_ask"] = [what for what in ("takeback", "adjourn") if may.get(f"ask {what}") == ""]
                expected.pop("answer")  # what was said before the game went on
                if proposed := expected["proposal"]:
                    now["proposal"] = {key: now["proposal"][key] for key in proposed}
                for key, value in expected.items():
                    assert (now.get(key) or None) == (value or None), (entry["kinds"], seat, key)
            watched = await present(table, 0)
            assert len(watched["head"]) == 20  # the log is chained all the same
            if watched["scene"].get("result"):
                record = GameRecord.parse(await table.questions.record(0))
                assert [each.says for each in verify(record, head=watched["head"]) if not each.holds] == []


@pytest.mark.parametrize("name", sorted(FINALS))
def test_records_replay_to_the_same_end(name: str) -> None:
    record = GameRecord.parse((FILES / "records" / f"{name}.txt").read_text(encoding="utf-8"))
    match = Match.of(record)
    assert {"position": match.position(), "result": match.result()} == FINALS[name]
    assert list(record.moves) == match.moves
