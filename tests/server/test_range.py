"""Practise throws without a game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.serving import Serving


def test_the_form_says_how_cards_can_be_thrown(alcazar: Serving) -> None:
    status, form = alcazar.json("GET", "/api/throws")
    assert status == 200
    assert [method["name"] for method in form["methods"]] == ["lob", "frisbee", "flip"]
    for method in form["methods"]:
        assert method["label"]
        assert method["sentence"]
        for field in method["fields"]:
            assert field["low"] <= field["default"] <= field["high"]
            assert field["step"] > 0
            assert field["sentence"]
            # What the form offers is what the server takes.
            for value in (field["low"], field["high"]):
                if not (field["low"] == -field["high"] and value == 0):
                    wanted = {"method": method["name"], "release": {field["name"]: value}}
                    assert alcazar.json("POST", "/api/throws/path", wanted)[0] == 200, wanted
    assert len(form["layout"]["pieces"]) == 12


def test_a_path_leads_from_the_hand_to_the_table(alcazar: Serving) -> None:
    status, path = alcazar.json("POST", "/api/throws/path", {"method": "lob", "release": {"height": 0.15}})
    assert status == 200
    points = path["points"]
    assert points[0][0] == 0
    assert points[0][3] == pytest.approx(0.15)
    assert [point[0] for point in points] == sorted(point[0] for point in points)
    assert points[-1][3] < 0.05
    assert max(point[3] for point in points) > 0.2
    turned = {"seat": 2, "side": 2, "castle": {"x": 0.0, "y": 0.35, "yaw": 3.14159}, "line": 0.2}
    _, other = alcazar.json("POST", "/api/throws/path", {"method": "lob", "chair": turned})
    assert other["points"][-1][2] < other["points"][0][2]


def test_a_throw_is_told_with_its_flight(alcazar: Serving) -> None:
    for distance in (None, 0.2, 0.6):
        wanted = {"method": "lob", "release": {"speed": 2.4}, "hand": "steady", "distance": distance}
        status, flown = alcazar.json("POST", "/api/throws", wanted)
        assert status == 200
        assert flown["sentence"]
        assert flown["frames"]
        assert alcazar.json("POST", "/api/throws", wanted)[1] == flown
    one, other = (alcazar.json("POST", "/api/throws", {"method": "lob"})[1] for _ in range(2))
    assert one["release"] != other["release"]  # the hand trembles


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"method": "lop"}, "There is no way of throwing called 'lop'"),
        ({"method": "lob", "release": {"speed": 9}}, "The speed of a lob is 9.0; it must be 1.8 to 3.2 m/s."),
        ({"method": "lob", "release": {"spede": 2}}, "Did you mean 'speed'?"),
        ({"method": "lob", "release": {"speed": "fast"}}, "release"),
        ({"method": "lob", "release": {"speed": None}}, "release"),
        ({"method": "lob", "release": [1]}, "release"),
        ({"method": "x" * 100}, "method"),
        ({}, "method"),
        (b"{", ""),
    ],
)
def test_what_no_hand_can_do_is_one_sentence(alcazar: Serving, wanted: Any, words: str) -> None:
    for path in ("/api/throws", "/api/throws/path"):
        status, _, data = alcazar.request("POST", path, wanted)
        problem = json.loads(data)
        assert status == 400
        assert words in problem["sentence"]


def test_a_chair_or_a_distance_far_away_is_refused(alcazar: Serving) -> None:
    chair = {"seat": 1, "side": 1, "castle": {"x": 1e9, "y": 0.0}, "line": 0.2}
    status, problem = alcazar.json("POST", "/api/throws/path", {"method": "lob", "chair": chair})
    assert (status, problem["sentence"]) == (400, "You can't sit more than 5 m away from a table.")
    status, _ = alcazar.json("POST", "/api/throws", {"method": "lob", "distance": 99})
    assert status == 400


def test_a_nearer_table_is_easier_for_every_hand(alcazar: Serving) -> None:
    status, told = alcazar.json("GET", "/api/throws/rates")
    assert status == 200
    shares = {(rate["level"], rate["inches"]): rate["share"] for rate in told["rates"]}
    levels, inches = ({key[n] for key in shares} for n in (0, 1))
    assert len(shares) == len(levels) * len(inches) == 16
    assert told["usual"] in inches
    for level in levels:
        assert 0 < shares[level, max(inches)] < shares[level, told["usual"]] < shares[level, min(inches)] <= 1
