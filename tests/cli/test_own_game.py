"""`bartizan new`, `check` and `dev`: a game of one's own, from the first file to the page."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from bartizan.engine import registry
from bartizan.match.close_look import some_ids

BARTIZAN = [sys.executable, "-m", "bartizan"]
ENVIRONMENT = {**os.environ, "BARTIZAN_MODE": "python", "PYTHONDONTWRITEBYTECODE": "1"}
ROOT = Path(__file__).resolve().parents[2]


def bartizan(folder: Path, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [*BARTIZAN, *words],
        cwd=folder,
        env={**ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def edited(folder: Path, file: str, old: str, new: str) -> int:
    """Change a file of the new game; return the number of the line that was changed."""
    path = folder / "shed" / "shed" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


@pytest.fixture
def shed(tmp_path: Path) -> Path:
    """Return a folder with a new card game in it."""
    assert bartizan(tmp_path, "new", "shed", "--cards")[0] == 0
    return tmp_path


@pytest.mark.parametrize(("kind", "seats"), [("--cards", "3"), ("--board", "2"), ("--board", "6")])
def test_a_new_game_holds_together(tmp_path: Path, kind: str, seats: str) -> None:
    assert bartizan(tmp_path, "new", "Hill Fort", kind, "--seats", seats)[0] == 0
    files = {path.relative_to(tmp_path / "hill-fort").as_posix() for path in tmp_path.rglob("*.*")}
    assert files == {
        "hill_fort/__init__.py",
        "hill_fort/clauses.toml",
        "scenarios/hill_fort.toml",
        "pyproject.toml",
        "test_hill_fort.py",
    }
    code, out, err = bartizan(tmp_path, "check", "hill-fort", "--games", "40")
    assert (code, err) == (0, "")
    assert re.search(r"^40 games, [\d,]+ moves, \d+ positions, 1 scenario, 0 faults\.$", out)


def test_nothing_is_overwritten(shed: Path) -> None:
    code, _, err = bartizan(shed, "new", "shed", "--board")
    assert (code, err) == (
        2,
        "bartizan: shed exists already; choose a different name, or move it away.\n",
    )
    assert "There is already a game 'tower'" in bartizan(shed, "new", "Tower", "--board")[2]
    assert "already has a module 'random'" in bartizan(shed, "new", "random", "--board")[2]
    assert "can't be a game's name" in bartizan(shed, "new", "7up", "--cards")[2]


# What is written in place of what, in which file, and the sentence; {line} is the line that was changed.
MISTAKES = {
    "a field without a zone": (
        "__init__.py",
        '    pile: Pile = zone(CARDS.size, "pile", sees="all")',
        "    from bartizan.engine.record import I8, field\n    laid: int = field(I8)\n"
        '    pile: Pile = zone(CARDS.size, "pile", sees="all")',
        "shed/shed/__init__.py:{next}: State.laid does not say what it is",
    ),
    "a verb without a rule": (
        "__init__.py",
        "def why_not_draw(",
        "def refuse(",
        "The verb 'draw' has no rule why_not_draw(s).",
    ),
    "a verb that no phase asks for": (
        "__init__.py",
        "HAND = 5",
        'HAND = 5\nPHASES = {"turn": ("play",)}',
        "shed/shed/__init__.py: No phase asks for 'draw': add it to PHASES in __init__.py.",
    ),
    "a legal move that isn't listed": (
        "__init__.py",
        "@rule\ndef draw(",
        "@rule\ndef list_draw(s, out, n):\n    return n\n\n\n@rule\ndef draw(",
        "Of 'draw' the rules say two things: it isn't listed, and no clause forbids it: see legal_actions.",
    ),
    "an overrun": (
        "__init__.py",
        "hand = s.hand[s.to_move - 1]\n    take",
        "hand = s.hand[s.to_move + 1]\n    take",
        "shed/shed/__init__.py:{line}: An array is overrun",
    ),
    "too small a MAX_LEGAL": (
        "__init__.py",
        "HAND = 5",
        "HAND = 5\nMAX_LEGAL = 2",
        "shed/shed/__init__.py:{next}: MAX_LEGAL is 2, but 3 actions were legal at once.",
    ),
    "an unknown clause in code()": (
        "__init__.py",
        'code("MY-2")'.replace("MY", "SH"),
        'code("SH-22")',
        "shed/shed/__init__.py:{line}: clauses.toml has no SH-22. Did you mean 'SH-2'?",
    ),
    "an unknown clause in a docstring": (
        "__init__.py",
        "Deal the hands and turn up a card (SH-1)",
        "Deal the hands and turn up a card (SH-11)",
        "shed/shed/__init__.py:{line}: clauses.toml has no SH-11.",
    ),
    "a name that isn't bound": (
        "__init__.py",
        "push(s.pile, card)",
        "psh(s.pile, card)",
        "shed/shed/__init__.py:{line}: The name 'psh' isn't defined. Did you mean 'push'?",
    ),
    "a misspelt field": (
        "__init__.py",
        "top = s.pile.cards[s.pile.count - 1]",
        "top = s.pile.cards[s.pyle.count - 1]",
        "shed/shed/__init__.py:{line}: State has no field 'pyle'. Did you mean 'pile'?",
    ),
    "a lost card": (
        "__init__.py",
        "    push(s.pile, card)\n    if",
        "    if",
        "is there no more, not once, after 'play",
    ),
    "a hand that all see": (
        "__init__.py",
        "    return OK\n\n\n@rule\ndef draw(",
        "    return OK if s.deck.cards[0] % 2 == 0 else NO_MATCH\n\n\n@rule\ndef draw(",
        "can see what is hidden from it",
    ),
    "an option without bounds": (
        "__init__.py",
        "HAND = 5",
        "HAND = 5\nfrom bartizan.engine.options import OptionSet\n"
        "class Options(OptionSet, frozen=True, kw_only=True):\n    goal: int = 20",
        "shed/shed/__init__.py:{goal}: The option 'goal' must be declared as Annotated[int, option(…)]",
    ),
    "a scenario": (
        "clauses.toml",
        'id = "SH-6"',
        'id = "SH-7"',
        "clauses.toml has no SH-6.",
    ),
    "a book": (
        "clauses.toml",
        'title = "Shed"',
        "title = 7",
        "shed/shed/clauses.toml:{line}: title is a whole number; it must be a text.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gives_a_sentence_with_its_place(shed: Path, mistake: str) -> None:
    file, old, new, sentence = MISTAKES[mistake]
    line = edited(shed, file, old, new)
    code, out, err = bartizan(shed, "check", "shed", "--games", "30")
    assert (code, err) == (1, ""), out
    assert sentence.format(line=line, next=line + 1, goal=line + 3) in out


@pytest.mark.parametrize("verb", ["look", "guard", "before", "after"])
def test_a_verb_may_have_a_name_that_the_engine_uses(shed: Path, verb: str) -> None:
    for old, new in (
        ('"draw"', f'"{verb}"'),
        ("why_not_draw", f"why_not_{verb}"),
        ("def draw", f"def {verb}"),
    ):
        edited(shed, "__init__.py", old, new)
    edited(shed, "../scenarios/shed.toml", '"draw"', f'"{verb}"')
    _, out, _ = bartizan(shed, "check", "shed", "--games", "30")
    assert "1 scenario, 0 faults." in out, out


def test_a_verb_named_like_the_state_is_told(shed: Path) -> None:
    edited(shed, "__init__.py", 'block("draw")', 'block("draw"), block("state")')
    edited(shed, "__init__.py", "@rule\ndef why_not_draw", RULES_OF_STATE)
    _, out, _ = bartizan(shed, "check", "shed")
    assert "State must be a Verb, because there is a verb 'state'; choose a different name" in out


RULES_OF_STATE = """@rule
def why_not_state(s):
    return NO_MATCH


@rule
def state(s):
    pass


@rule
def why_not_draw"""


def test_a_move_of_every_verb_is_tried() -> None:
    game = registry.get("castle-danger")
    for number in range(20):
        tried = some_ids(game, random.Random(number))
        assert {game.actions.block_of(action).name for action in tried} == {*game.actions.verbs}


def test_a_file_that_is_no_python_is_bad_input(shed: Path) -> None:
    line = edited(shed, "__init__.py", "HAND = 5", "HAND = = 5")
    code, _, err = bartizan(shed, "check", "shed")
    assert (code, err) == (2, f"bartizan: shed/shed/__init__.py:{line}: invalid syntax.\n")
    code, _, err = bartizan(shed, "check", "./elsewhere")
    assert (code, err.count("\n")) == (2, 1)
    assert "There is no game 'shad'" in bartizan(shed, "check", "shad")[2]


@pytest.mark.parametrize(
    "words", ["play shed", "play shed/", "simulate shed", "games shed", "lab run exp.toml"]
)
def test_a_game_that_is_only_a_folder_is_to_be_installed(shed: Path, words: str) -> None:
    experiment = 'game = "shed"\nplayers = ["random", "random"]\ngames = 4\nseed = "1"\n'
    (shed / "exp.toml").write_text(experiment, encoding="utf-8")
    code, _, said = bartizan(shed, *words.split())
    assert code == 2
    assert "The game 'shed' isn't installed; use `pip install -e shed`." in said
    shutil.copy(shed / "exp.toml", shed / "shed")
    assert "isn't installed; use `pip install -e .`." in bartizan(shed / "shed", *words.split())[2]
    (shed / "shed" / "pyproject.toml").unlink()
    assert "There is no game 'shed" in bartizan(shed, *words.split())[2]


def test_a_path_without_a_game_is_no_misspelt_name(tmp_path: Path) -> None:
    for word in ("./nowhere", f"nowhere{os.sep}", ".", "there/nowhere"):
        status, _, said = bartizan(tmp_path, "check", word)
        assert (status, "Did you mean" in said) == (2, False), said
        assert f"{word} has no game" in said


def test_a_word_that_python_keeps_is_no_name(tmp_path: Path) -> None:
    status, _, said = bartizan(tmp_path, "new", "class", "--board")
    assert status == 2
    assert "'class' is a reserved word in Python" in said


def test_check_knows_installed_games(tmp_path: Path) -> None:
    code, out, _ = bartizan(tmp_path, "check", "alcazar", "--games", "3")
    assert (code, "0 faults" in out) == (0, True)


def asked(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/games", timeout=2) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def await_text(port: int, text: str) -> None:
    until = time.monotonic() + 60
    while text not in asked(port):
        assert time.monotonic() < until, text
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_edit_is_served_and_a_mistake_told(shed: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (shed / "errors").open("w+", encoding="utf-8") as errors:
        served = subprocess.Popen(
            [*BARTIZAN, "dev", "shed", "--port", str(port), "--no-open"],
            cwd=shed,
            env={**ENVIRONMENT, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=errors,
        )
        try:
            await_text(port, "Get rid of your cards.")
            edited(shed, "clauses.toml", "Get rid of your cards.", "Lay them all down.")
            await_text(port, "Lay them all down.")
            line = edited(shed, "__init__.py", "push(s.pile, card)", "psh(s.pile, card)")
            until = time.monotonic() + 60
            while f"{line}: The name 'psh'" not in (shed / "errors").read_text(encoding="utf-8"):
                assert time.monotonic() < until
                time.sleep(0.1)
            edited(shed, "__init__.py", "psh(s.pile, card)", "push(s.pile, card)")
            await_text(port, "Lay them all down.")
        finally:
            served.send_signal(signal.SIGINT)
            out, _ = served.communicate(timeout=30)
    assert served.returncode == 0
    assert b"Traceback" not in out
    assert "Traceback" not in (shed / "errors").read_text(encoding="utf-8")
    assert not asked(port)
