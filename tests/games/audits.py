"""Try the audit of a game's second implementation: what is the same for all games.

`Auditing` is a game's ``reference.audit``; the lines are those of a trace in which it finds nothing.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bartizan.match import Match
from tests.reference.audit import Audit

Auditing = Callable[[Iterable[str]], Audit]
Line = Mapping[str, Any]


def differing_keys(audit: Auditing, lines: Iterable[Line]) -> set[str]:
    """Return the keys that an audit complains of."""
    return {difference.key for difference in audit(map(json.dumps, lines)).differences}


def keys_after(audit: Auditing, lines: Sequence[Line], number: int, change: Mapping[str, Any]) -> set[str]:
    """Change a line's position and return the keys that the audit of all up to it then complains of."""
    line = {**lines[number], "position": {**lines[number]["position"], **change}}
    return differing_keys(audit, [*lines[:number], line])


def notices_wrong_lists(audit: Auditing, first: Line, foreign: str) -> None:
    """Assert that an audit notices a missing, an illegal, an unsorted and a repeated move."""
    legal = first["legal"]
    assert len(legal) > 2
    for listed in (legal[:-1], sorted([*legal, foreign]), legal[::-1], sorted([*legal, legal[0]])):
        assert "legal" in differing_keys(audit, [{**first, "legal": listed}])


def main_counts_and_says_what_differs(
    main: Callable[[Sequence[str]], int], lines: Sequence[Line], folder: Path, games: int
) -> None:
    """Assert what the command that audits a file prints and returns."""
    good, bad = folder / "good.jsonl", folder / "bad.jsonl"
    good.write_text("\n".join(map(json.dumps, lines)))
    bad.write_text(json.dumps({**lines[0], "legal": []}))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main([str(good)]) == 0
        assert main([str(bad)]) == 1
    assert said.getvalue().splitlines()[0].startswith(f"{games} games, ")
    assert "expected True, found False" in said.getvalue()


def command_audits_a_trace(reference: Path, game: str, games: int, *settings: str) -> None:
    """Assert that what ``bartizan trace`` writes passes the audit, each run as a command."""
    words = ["trace", game, "--games", str(games), "--seed", "a1", "--json", *settings]
    written = subprocess.run(
        [sys.executable, "-m", "bartizan", *words], capture_output=True, check=True, timeout=200
    )
    audited = subprocess.run(
        [sys.executable, str(reference), "-"],
        input=written.stdout,
        capture_output=True,
        timeout=200,
        check=False,
    )
    assert audited.returncode == 0, audited.stdout.decode()[-2000:]
    assert audited.stdout.startswith(f"{games} games, ".encode())


# --- short games ----------------------------------------------------------------------------------------


def first_word(move: str) -> str:
    """Return the kind of a move that begins with its verb."""
    return move.split(maxsplit=1)[0]


def even_hand(rng: random.Random, legal: Sequence[str], kind_of: Callable[[str], str] = first_word) -> str:
    """Draw a kind of move, then a move of that kind."""
    kind = rng.choice(sorted({kind_of(move) for move in legal}))
    return rng.choice([move for move in legal if kind_of(move) == kind])


def short_game(
    rng: random.Random,
    match: Match,
    number: int,
    most: int = 12,
    choose: Callable[[random.Random, Sequence[str]], str] = even_hand,
) -> list[str]:
    """Play on for some plies and write them as a trace, the position that they lead to included."""
    lines: list[dict[str, Any]] = []
    while not match.is_over and len(lines) <= most:
        legal = sorted(match.legal_texts())
        line = {"game_no": number, "ply": match.ply, "position": match.position(), "legal": legal}
        if len(lines) == most:  # to be compared with the move before; its own is not played
            lines.append({**line, "move": legal[0]})
            break
        move = choose(rng, legal)
        lines.append({**line, "move": move})
        assert match.play(move) == move
    if match.is_over:
        result = {"winner": match.winner(), "scores": match.scores(), "returns": match.returns()}
        lines.append({"game_no": number, "position": match.position(), "result": result})
    lines[0] |= {"options": match.options, "seats": match.seats, "start": "a position of its own"}
    return [json.dumps(line) for line in lines]
