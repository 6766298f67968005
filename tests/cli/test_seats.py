"""Who sits where: ``--players``, ``--seats``, and the older spelling."""

from __future__ import annotations

import json

import pytest

from bartizan.cli.main import COMMANDS, main
from bartizan.cli.parser import Parser
from bartizan.cli.seats import add_players, read_players
from bartizan.engine import registry


@pytest.mark.parametrize(
    ("words", "players"),
    [
        ("", ["person"] * 2),
        ("--seats 3", ["person"] * 3),
        ("--players greedy", ["greedy"] * 2),
        ("--players greedy --seats 4", ["greedy"] * 4),
        ("--players person,greedy,random", ["person", "greedy", "random"]),
        ("--players person,greedy,random --seats 3", ["person", "greedy", "random"]),
        ("--seats person,greedy,random", ["person", "greedy", "random"]),
        ("--seats greedy", ["greedy"] * 2),
    ],
)
def test_who_sits_where(words: str, players: list[str]) -> None:
    parser = Parser(prog="x")
    add_players(parser, "anybody")
    args = parser.parse_args(words.split())
    assert read_players(args, registry.get("tower"), "person", persons=True) == players


def test_a_trace_for_more_than_the_fewest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "tower", "--seats", "3", "--players", "greedy", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out.splitlines()[0])["seats"] == 3
    assert main(["trace", "tower", "--seats", "greedy,greedy,greedy", "--json"]) == 0
    assert capsys.readouterr().out == out


def test_one_name_has_one_meaning_over_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Everywhere a flag takes the same thing; older spellings are named in a sentence, not listed."""
    shown: dict[str, set[str]] = {}
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        for line in capsys.readouterr().out.splitlines():
            flag, _, rest = line.strip().partition(" ")
            if line.startswith("  --") and rest:
                shown.setdefault(flag, set()).add(rest.split()[0])
    assert {flag: shown[flag] for flag in ("--seats", "--players", "--seed", "--resume", "--record")} == {
        "--seats": {"N"},
        "--players": {"A,B,…"},
        "--seed": {"HEX"},
        "--resume": {"FILE"},
        "--record": {"FILE"},
    }
    assert not {"--file", "--pair"} & set(shown)
