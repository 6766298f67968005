"""`bartizan check` finds rules that can't be compiled or don't end, and says where."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from bartizan.cli.main import main
from bartizan.engine.actions import block
from bartizan.engine.clauses import Rulebook
from bartizan.engine.errors import BadData, BadSeats, UnfinishedGame
from bartizan.engine.game import Game
from bartizan.engine.mode import COMPILED
from bartizan.engine.table import CardDeck, grid, zone
from bartizan.match.limits import Endless, limited
from bartizan.match.local import told

ROOT = Path(__file__).resolve().parents[2]
INIT = "shed/__init__.py"
PUSH = "    push(s.pile, card)\n"


@pytest.fixture
def shed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a new card game, in the working folder."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "shed", "--cards"]) == 0
    return tmp_path / "shed"


def change(shed: Path, file: str, *changes: tuple[str, str]) -> int:
    """Change a file of the game; return the line of the last change."""
    path = shed / file
    text, line = path.read_text(encoding="utf-8"), 0
    for old, new in changes:
        assert old in text
        line = text[: text.index(old)].count("\n") + 1
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    return line


def checked(shed: Path, *lines: str, games: int = 3) -> str:
    """Check the game in a process that first runs some lines of Python; return all that is printed."""
    run = f"sys.exit(main(['check', 'shed', '--games', '{games}']))"
    code = ["import sys", "from bartizan.match import checking, close_look, random_games", *lines]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([*code, "from bartizan.cli.main import main", run])],
        cwd=shed.parent,
        env={
            **os.environ,
            "BARTIZAN_MODE": "python",
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(shed.parent / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == (0 if " 0 faults." in done.stdout else 1 if done.stdout else 2)
    return done.stdout + done.stderr


# --- Compiling ---------------------------------------------------------------------

COMPILE_TOO = "checking.GAMES = 3"  # as after 200 games


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_rules_are_compiled_at_the_end(shed: Path) -> None:
    line = change(shed, INIT, ("@rule\ndef deal(", "def deal("))
    out = checked(shed, COMPILE_TOO)
    assert out.startswith("Compiling the rules. This takes a few seconds.\n")
    assert f"shed/{INIT}:{line}: A rule can only call rules: write @rule above the `def` of 'deal'.\n" in out
    assert "1 fault." in out


# What Python runs and Numba doesn't compile, and the sentence.
UNCOMPILED = {
    "return helper(x)": "A rule can only call rules: write @rule above the `def` of 'helper'.",
    "return DOUBLED[0]": "A rule can't use 'DOUBLED' (dict): it can read whole numbers, and tuples",
    "return LISTED[0]": "A rule can't read the list 'LISTED': make it a tuple.",
    "global x0; x0 = x": "A rule can't change a global variable: keep in State what changes.",
    "return sum(y for y in range(x))": "A rule can't use a generator expression: write a `for` loop.",
    "return len([y for y in range(x)])": "A rule can't make lists, sets or text: use whole numbers, and",
    "try: return x // x0\n    except ZeroDivisionError: return 0": "A rule can't use `try`: ask before",
    "import math": "A rule can't import: do it at the top of the file.",
}


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_what_numba_refuses_is_told_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lines = ["from bartizan.engine.rule import entry, rule", "def helper(x): return x"]
    lines.append("DOUBLED, LISTED, x0 = {0: 0}, [0], 0")
    places = []
    for number, line in enumerate(UNCOMPILED):
        lines += ["@rule", f"def play{number}(x):", f"    {line}"]
        places.append(len("\n".join(lines).splitlines()))
        lines += ["@entry", f"def enter{number}(x): return play{number}(x)"]
    (tmp_path / "uncompiled.py").write_text("\n".join(lines), encoding="utf-8")
    module = __import__("uncompiled")
    for number, sentence in enumerate(UNCOMPILED.values()):
        with pytest.raises((NumbaError, UnsupportedBytecodeError)) as raised:
            getattr(module, f"enter{number}")(1)
        assert told(raised.value, tmp_path).startswith(f"uncompiled.py:{places[number]}: {sentence}")


# --- Answers, numbers, points, words -------------------------------------------------


def test_an_answer_that_is_no_clause_is_told(shed: Path) -> None:
    line = change(shed, INIT, ("    return OK\n", "    return True\n")) - 2
    out = checked(shed)
    assert f"shed/{INIT}:{line}: why_not_draw must return OK or a clause's code, not True.\n" in out


def test_a_fraction_is_told_with_its_line_and_a_scenarios_clause_with_its_file(shed: Path) -> None:
    line = change(shed, INIT, (PUSH, f"{PUSH}    s.pile.count = s.pile.count / 1\n")) + 1
    scenario = next((shed / "scenarios").iterdir())
    change(shed, f"scenarios/{scenario.name}", ('"SH-3"', '"SH-33"'))
    out = checked(shed)
    assert f"shed/{INIT}:{line}: count can't be 2.0: rules use whole numbers, and divide with // (" in out
    assert f"shed/scenarios/{scenario.name}: clauses.toml has no SH-33. Did you mean 'SH-3'?\n" in out


def test_points_of_hidden_cards_and_a_shuffle_without_chance_are_told(shed: Path) -> None:
    points = "@rule\ndef points(s: State, seat: int) -> int:\n    return s.hand[seat - 1].cards[0]\n\n\n"
    change(
        shed,
        INIT,
        ("@rule\ndef deal(", f"{points}@rule\ndef deal("),
        ("max_seats", "chance=False, max_seats"),
    )
    lines = (shed / INIT).read_text(encoding="utf-8").splitlines()
    out = checked(shed)
    assert (
        f"shed/{INIT}:{lines.index('game = Game(') + 1}: Cards are shuffled: leave chance=False out.\n" in out
    )
    assert f"shed/{INIT}:{lines.index('def points(s: State, seat: int) -> int:') + 1}: Seat 1 has " in out
    assert "by what spectators can see; points are always shown, so count only what everyone sees.\n" in out


def test_words_are_derived_where_the_game_has_none(shed: Path) -> None:
    words = "from bartizan.engine.words import Verb\n\n\nclass Draw(Verb):\n    def narrate(self, look):\n"
    path = shed / "shed" / "words.py"
    path.write_text(f"{words}        return 'One more', ()\n", encoding="utf-8")
    shows = ["from pathlib import Path", "from bartizan.match.local import load_game"]
    shows.append("match = close_look.Match(load_game(Path('shed/shed').resolve()))")
    log = checked(shed, *shows, "print(match.views.scene(1).choices[-1].label)")
    assert log.startswith("One more\n")
    assert " 0 faults." in log
    path.write_text(f"{words.replace('narrate', 'narate')}        return 'One more', ()\n", encoding="utf-8")
    assert "shed/shed/words.py:5: Nothing uses 'narate'. Did you mean 'narrate'?\n" in checked(shed)


def test_who_cannot_move_is_told_what_a_rule_must_do(shed: Path) -> None:
    change(shed, INIT, ("    return OK\n", "    return NOT_IN_HAND\n"))
    assert "end the game with win() or tie(), or pass the turn on.\n" in checked(shed)


# --- Names, keys, seats ------------------------------------------------------------


def test_each_name_that_nothing_uses_or_defines_has_its_place(shed: Path) -> None:
    change(shed, "pyproject.toml", ("shed = ", "shad = "))
    change(shed, INIT, (", take\n", "\n"), ("    return OK if card", "    OK if card"))
    change(shed, INIT, ("class State", "class Optoins:\n    pass\n\n\nclass State"))
    change(
        shed,
        INIT,
        ("@rule\ndef play(", "@rule\ndef score_plya(s, card):\n    return 1\n\n\n@rule\ndef play("),
    )
    lines = (shed / INIT).read_text(encoding="utf-8").splitlines()
    at = {text: number for number, line in enumerate(lines, 1) for text in TELLING if text in line}
    out = checked(shed)
    assert "shed/pyproject.toml:14: The entry point is called 'shad', but the game's name is 'shed'" in out
    for text, sentence in TELLING.items():
        assert f"shed/{INIT}:{at[text]}: {sentence}\n" in out
    assert "5 faults." in out


TELLING = {
    "class Optoins": "Nothing uses 'Optoins'. Did you mean 'Options'?",
    "    take(": "The name 'take' isn't defined: import it from bartizan.engine.piles.",
    "    OK if card": "why_not_play can end without a value: is a `return` missing?",
    "def score_plya": "Nothing uses 'score_plya'. Did you mean 'score_play'?",
}


def test_a_name_is_first_taken_for_one_of_its_function(shed: Path) -> None:
    change(shed, INIT, ("def play(s: State, card: int)", "def play(s: State, kard: int)"))
    assert "The name 'card' isn't defined. Did you mean 'kard'?\n" in checked(shed)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("    s.pile.cuont = 1\n", "Pile52 has no 'cuont'. Did you mean 'count'?"),
        ("    win(s, 1)\n", "win() missing 1 required positional argument: 'clause'"),
    ],
)
def test_what_fails_in_games_and_scenarios_is_told_once(shed: Path, line: str, sentence: str) -> None:
    at = change(shed, INIT, (PUSH, f"{PUSH}{line}")) + 1
    out = checked(shed)
    assert out.count(f"shed/{INIT}:{at}: {sentence} (seed ") == 1
    assert "1 fault." in out


def test_an_error_that_several_files_meet_is_told_once(shed: Path) -> None:
    (shed / "shed" / "sizes.py").write_text("WIDE, HIGH = (1, 2, 3)\n", encoding="utf-8")
    (shed / "shed" / "more.py").write_text("from shed.sizes import WIDE\n", encoding="utf-8")
    out = checked(shed)
    assert out.count("shed/sizes.py:1: ValueError: too many values to unpack (expected 2).\n") == 1
    assert "1 fault." in out


def test_a_goal_that_is_no_option_is_told(shed: Path) -> None:
    line = change(shed, INIT, ("HAND = 5", 'GOAL = "stones"\nHAND = 5'))
    assert f"shed/{INIT}:{line}: GOAL: There is no option 'stones'.\n" in checked(shed)


def test_a_win_for_no_seat_is_told(shed: Path) -> None:
    line = change(shed, INIT, (PUSH, f"{PUSH}    win(s, 0, EMPTY_HAND)\n"))
    told_of = "win() got seat 0, but seats are 1 to 2; use tie() where no one wins ("
    assert f"shed/{INIT}:{line + 1}: {told_of}" in checked(shed, games=1)


@pytest.mark.parametrize(
    ("key", "other", "sentence"),
    [
        ("\nauthor", "\nautor", ":4: There is no key 'autor' here. Did you mean 'author'?"),
        ("\ntext", "\ntxt", ":13: There is no key 'txt' here. Did you mean 'text'?"),
        ("[[clause]]", "[[cluase]]", ":9: There is no key 'cluase' here. Did you mean 'clause'?"),
        ("\ntitle", '\ntitle = "" #', ":3: title must not be empty."),
    ],
)
def test_a_rulebook_with_a_wrong_key_or_an_empty_one_is_told(
    shed: Path, key: str, other: str, sentence: str
) -> None:
    change(shed, "shed/clauses.toml", (key, other))
    with pytest.raises(BadData) as raised:
        Rulebook.load(shed / "shed" / "clauses.toml")
    assert str(raised.value) == f"shed/clauses.toml{sentence}"


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (lambda: block("move", square=0), "The field 'square' of 'move' must have a number of values, not 0"),
        (lambda: grid("5", 5, "board"), "columns must be a whole number from 1, not '5'"),  # type: ignore[arg-type]
        (lambda: grid(5, 5, "board", pieces=("man")), 'a tuple, with a comma even for one: ("man",)'),  # type: ignore[arg-type]
        (lambda: CardDeck("12", "ab", ("alder",)), "CardDeck has 2 suits and 1 names for them"),
        (lambda: CardDeck("12", "a", ("alder",), ("one",)), "CardDeck has 2 ranks and 1 names for them"),
    ],
)
def test_what_is_declared_wrongly_is_told(declare: Callable[[], object], sentence: str) -> None:
    with pytest.raises(UnfinishedGame, match=re.escape(sentence)):
        declare()


def test_who_sees_a_zone_is_one_of_three() -> None:
    with pytest.raises(UnfinishedGame, match="sees must be 'all', 'owner' or 'nobody', not 'ownr'"):
        zone(5, "hand", sees="ownr")  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [("Red",), ("Red", "Blue", "Green"), ("Red", "Red"), "Red"])
def test_each_seat_has_a_name_of_its_own(names: tuple[str, ...]) -> None:
    with pytest.raises(BadSeats, match="seat_names must be 2 different names, not "):
        Game(name="shed", package="shed", min_seats=2, max_seats=2, seat_names=names)


# --- Chance, and loops ----------------------------------------------------------------


def test_chance_that_no_seed_repeats_is_refused(shed: Path) -> None:
    uses = ["random.randint(0, 1)", "int(now())", "np.random.randint(2)"]
    imports = "import random\nfrom time import time as now\nimport numpy as np\n\n"
    added = "".join(f"@rule\ndef chance{at}(s):\n    s.ply += {use}\n\n\n" for at, use in enumerate(uses))
    line = change(
        shed, INIT, ("SEATS = 2", f"{imports}SEATS = 2"), ("@rule\ndef play(", f"{added}@rule\ndef play(")
    )
    out = checked(shed)
    for at, name in enumerate(["random", "time", "random"]):
        why = f"chance{at} uses {name}, so no seed could repeat a game"
        assert f"shed/{INIT}:{line + 5 * at + 2}: {why}: take chance from `below`" in out
    assert "3 faults." in out


def test_an_endless_loop_is_stopped_and_told(shed: Path) -> None:
    line = change(shed, INIT, (PUSH, f"{PUSH}    while card >= 0:\n        card += 1\n"))
    (told_of, _) = checked(shed, "checking.MOST_STEP = random_games.MOST_STEP = 0.3").splitlines()
    place, _, sentence = told_of.partition(": ")
    assert place in (f"shed/{INIT}:{line + 1}", f"shed/{INIT}:{line + 2}")
    assert sentence.startswith(
        "The function play was stopped after 0.3 seconds: make sure that its loop ends ("
    )


def test_an_endless_loop_in_a_scenario_is_told(shed: Path) -> None:
    """Only there a seven of hearts lies below a seven of clubs."""
    change(shed, INIT, (PUSH, f"{PUSH}    while s.pile.cards[0] == 31 and card == 5:\n        pass\n"))
    change(shed, "scenarios/shed.toml", ("[[step]]", '[[step]]\nplay = "play 7c"\n\n[[step]]'))
    out = checked(shed, "checking.MOST_STEP = random_games.MOST_STEP = 0.3", games=1)
    assert "The function play was stopped after 0.3 seconds" in out, out


def run_forever() -> None:
    while True:
        pass


def test_a_limit_ends_with_its_body(tmp_path: Path) -> None:
    with pytest.raises(Endless, match="The game was stopped"), limited(0.02, tmp_path):
        run_forever()
    with limited(0.02, tmp_path):
        pass
    for _ in range(3_000_000):
        pass


def test_a_scenario_that_overruns_an_array_is_named(shed: Path) -> None:
    """Only there a seven of hearts lies below a seven of clubs."""
    line = change(
        shed, INIT, (PUSH, f"{PUSH}    if s.pile.cards[0] == 31 and card == 5:\n        s.hand[9]\n")
    )
    change(shed, "scenarios/shed.toml", ("[[step]]", '[[step]]\nplay = "play 7c"\n\n[[step]]'))
    place = f"shed/{INIT}:{line + 2}: An array is overrun"
    out = checked(shed, games=1)
    assert place in out, out
    assert f"(in {Path('shed', 'scenarios', 'shed.toml')})." in out


def test_a_step_without_a_near_key_lists_all(shed: Path) -> None:
    change(shed, "scenarios/shed.toml", ("[[step]]", '[[step]]\ndo = "play 7c"'))
    assert "a step has no key 'do'. It can have legal, illegal, play, expect, winner.\n" in checked(shed)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("GOAL = [5]", "GOAL must be a whole number, or the name of the option that holds it."),
        ('PHASES = ("play", "draw")', "The game 'shed': PHASES lists the verbs of each phase: PHASES = {"),
    ],
)
def test_a_name_with_a_meaning_has_its_form(shed: Path, line: str, sentence: str) -> None:
    change(shed, INIT, ("HAND = 5", f"{line}\nHAND = 5"))
    assert sentence in checked(shed)


def test_names_without_a_meaning_are_free(shed: Path) -> None:
    change(shed, INIT, ("HAND = 5", "COLOURS = TABLE = 5\nHAND = 5"))
    assert "0 faults." in checked(shed)


FACE_DOWN = '    laid: Sequence[Pile] = zone(CARDS.size, "laid", sees="owner", per_seat=SEATS)\n'


def test_a_move_that_names_a_card_which_stays_hidden_is_told(shed: Path) -> None:
    to_laid = "    push(s.laid[s.to_move - 1], card)\n"
    change(shed, INIT, (PUSH, to_laid))
    line = change(shed, INIT, ("    pile: Pile", f"{FACE_DOWN}    pile: Pile"))
    out = checked(shed)
    assert f"shed/{INIT}:{line}: Everyone can read the move 'play " in out, out
    assert (
        "but not everyone can see its card in 'laid'; let the move name a place in the hand instead." in out
    )
