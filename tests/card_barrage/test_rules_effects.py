"""The third card's effect, by the house's effects, none, and a table of one's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine.errors import BadData
from bartizan.games.card_barrage.effects import Effect, load_effects
from bartizan.match import Match
from tests.card_barrage.tables import after, duel, player, refused

ROOT = Path(__file__).resolve().parents[2]


def third(hit: str, one: dict[str, Any] | None = None, **more: Any) -> Match:
    """Return a duel in which seat 1 has hit the wall `hit` of seat 2, its third card, with the 6v."""
    walls = [hit, "4v", "11k", "6s", "10t"]
    position = {"one": {"pile": ["1k", "1s"], **(one or {})}, "two": {"walls": walls, "hand": ["9k"]}, **more}
    match = duel(**position)
    match.play("report 6v hit 2.1 perfect")
    return match


def test_knowledge_draws_two_and_discards_one() -> None:
    match = third("7k")
    assert match.position()["scored"] == ["7k"]
    assert sorted(match.legal_texts()) == ["decline", "effect 7k"]
    match.play("effect 7k")
    assert sorted(player(match, 1)["hand"]) == sorted(["4k", "13t", "5k", "5s"])
    position = after(match, "discard 4k")
    assert position["players"][0]["discard"] == ["4k", "6v"]
    assert (position["phase"], position["scored"]) == ("turn", [])


def test_science_exchanges_and_puts_straight_even_for_a_lower_card() -> None:
    match = third("7s", {"moved": [1, 2]}, options={"upgrade_must_be_higher": True})
    position = after(match, "effect 7s exchange 2 with 4k")
    assert position["players"][0]["walls"][1] == "4k"
    assert position["players"][0]["moved"] == [1]
    assert position["upgraded"] is False


def test_technology_builds_without_costing_an_attack() -> None:
    match = third("8t", {"walls": ["3t", "-", "9s", "2v", "12v"]})
    position = after(match, "effect 8t build 4k at 2")
    assert position["players"][0]["walls"][1] == "4k"
    assert position["built"] is False
    full = third("8t")
    assert full.position()["phase"] == "turn"  # no slot is empty, so nothing is offered


def test_services_lets_an_enemy_discard() -> None:
    match = third("7v")
    assert refused(match, "effect 7v pick 1") == "CB-40"
    match.play("effect 7v pick 2")
    assert (match.seat_to_move, match.position()["phase"]) == (2, "discard")
    position = after(match, "discard 9k")
    assert position["players"][1]["discard"] == ["9k"]


def test_the_effect_comes_before_replacement_and_may_be_declined() -> None:
    walls = ["7k", "4v", "11k", "6s", "10t"]
    match = duel(one={"pile": ["1k", "1s"]}, two={"walls": walls, "hand": ["3v"]})
    match.play("report 6v hit 2.1")
    assert match.position()["phase"] == "effect"
    match.play("decline")
    assert match.position()["phase"] == "replace"


@pytest.mark.parametrize(("pile", "offered"), [([], False), (["1k"], True), (["1k", "1s"], True)])
def test_of_two_cards_the_attacker_names_the_third(pile: list[str], offered: bool) -> None:
    match = duel(one={"pile": pile}, two={"walls": ["7k", "7v", "11k", "6s", "10t"], "hand": ["9k", "13k"]})
    match.play("report 6v hit 2.1 2.2")
    if not offered:
        assert match.position()["phase"] == "turn"
        return
    assert match.position()["scored"] == ["7k", "7v"]
    assert {"effect 7k", "effect 7v pick 2", "decline"} == set(match.legal_texts())


def test_a_given_card_may_be_the_third() -> None:
    match = duel(one={"pile": ["1k", "1s"]}, two={"hand": ["9v", "9k"]})
    after(match, "report 6v hit 2.castle", "give 9v")
    assert match.position()["phase"] == "effect"
    assert "effect 9v pick 2" in match.legal_texts()


def test_off_offers_nothing() -> None:
    match = third("7k", options={"effects": "off"})
    assert match.position()["phase"] == "turn"
    events = match.views.log(1)[-1].events
    assert any("third" in event for event in events)


# --- A table of one's own -----------------------------------------------------


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_names_domains_and_single_cards(tmp_path: Path) -> None:
    path = write(
        tmp_path / "effects.toml", '[domains]\nscience = "pick"\n[cards]\n"7s" = "draw"\n"1k" = "build"'
    )
    effects = load_effects(path)
    assert effects[25] == Effect.DRAW  # 7s
    assert effects[21] == Effect.PICK  # 6s
    assert effects[0] == Effect.BUILD  # 1k
    assert effects[24] == Effect.NONE  # 7k


def test_a_table_is_refused_with_all_its_faults(tmp_path: Path) -> None:
    text = '[domain]\n[domains]\nscienc = "pick"\n[cards]\n"14s" = "draw"\n"7s" = "drow"\nW = "draw"'
    with pytest.raises(BadData) as caught:
        load_effects(write(tmp_path / "effects.toml", text))
    told = str(caught.value)
    for words in ("'domain'", "domains.scienc", "'science'", "'14s'", "'drow'", "'draw'", "cards.W"):
        assert words in told
    with pytest.raises(BadData, match="cannot be read"):
        load_effects(tmp_path / "none.toml")


def test_rules_play_by_a_table_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path / "card_barrage" / "data" / "effects.toml", '[cards]\n"7k" = "pick"')
    code = (
        "from tests.card_barrage.test_rules_effects import third\n"
        "print(sorted(third('7k', options={'effects': 'table'}).legal_texts()))\n"
        "print(sorted(third('7v', options={'effects': 'table'}).legal_texts()))\n"
        "print(sorted(third('7k').legal_texts()))\n"
    )
    environment = {**os.environ, "BARTIZAN_MODE": "python", "BARTIZAN_DATA": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['decline', 'effect 7k pick 2']",
        "['end']",
        "['decline', 'effect 7k']",
    ]
