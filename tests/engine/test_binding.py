"""The registry, modules bound to a game, the folders of compiled rules, and the two modes."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bartizan.engine import bind, registry, rule
from bartizan.engine.errors import BadSeats, UnknownGame
from bartizan.engine.game import Game
from bartizan.engine.mode import COMPILED
from bartizan.engine.record import I8, U64, Record, field

ROOT = Path(__file__).resolve().parents[2]
RULES = """
from bartizan.engine.rule import rule

@rule
def turn_of(s):
    return s.seat + {step}

@rule
def apply(s, action):
    s.seat = action * {step}
"""


class State(Record):
    rng: int = field(U64)
    seat: int = field(I8)


# --- Registry ----------------------------------------------------------------


def test_every_game_is_found_under_its_name_in_any_dress() -> None:
    assert registry.names() == sorted(registry.names())
    assert registry.names()
    for name in registry.names():
        game = registry.get(name)
        assert isinstance(game, Game)
        assert game.name == name
        for dressed in (name.upper(), f" {name} ", name.replace("-", "_"), name.replace("-", " ").title()):
            assert registry.get(dressed) is game


def test_an_unknown_game_gets_the_nearest_name() -> None:
    name = registry.names()[0]
    with pytest.raises(UnknownGame, match=rf"There is no game '{name}x'\. Did you mean '{name}'\?"):
        registry.get(f"{name}x")
    with pytest.raises(UnknownGame) as caught:
        registry.get("1234567")
    assert str(caught.value) == f"There is no game '1234567'. The games are {', '.join(registry.names())}."


@pytest.mark.parametrize("name", registry.names())
def test_seats_outside_the_range_are_refused(name: str) -> None:
    game = registry.get(name)
    assert game.check_seats(None) == game.min_seats
    for seats in range(game.min_seats, game.max_seats + 1):
        assert game.check_seats(seats) == seats
    for seats in (0, -1, game.min_seats - 1, game.max_seats + 1):
        with pytest.raises(
            BadSeats, match=rf"^{game.title} is for .*{game.max_seats} seat.*, not {seats}\.$"
        ):
            game.check_seats(seats)


# --- Bound modules -----------------------------------------------------------


def load(path: Path, name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def two_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """Register two games that have the same state and differ in their rules alone."""
    monkeypatch.setattr(rule, "cache_root", lambda: tmp_path / "cache")
    modules = dict(sys.modules)
    names = ("first-of-test", "second-of-test")
    for step, name in enumerate(names, 1):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "rules.py").write_text(RULES.format(step=step), encoding="utf-8")
        rules = load(folder / "rules.py", f"bartizan_test_{step}.rules")
        bind.register(name, rules, types.ModuleType("visibility"), types.ModuleType("heuristics"))
    yield names
    for name in names:
        del bind._rules[name], bind._heuristics[name]
    for module in set(sys.modules) - set(modules):
        if "of-test" in module or "bartizan_test" in module:
            del sys.modules[module]


def test_two_games_share_no_module_and_no_machine_code(two_games: tuple[str, str], tmp_path: Path) -> None:
    one, two = (bind.bind(name, "bartizan.engine.array_rules") for name in two_games)
    assert one is not two
    assert one is bind.bind(two_games[0], "bartizan.engine.array_rules")
    assert one.game is not two.game
    assert one.turn_of is not two.turn_of
    record = State()
    record.seat = 10
    for module, seat in ((one, 11), (two, 12), (one, 11)):
        states: Any = record.to_array() if COMPILED else [record.copy()]
        assert module.turn_of(states) == seat
        module.apply(states, 5)
        assert State.from_array(states).seat == (seat - 10) * 5 if COMPILED else states[0].seat
    if COMPILED:
        kept = {path.parent.parent.name for path in (tmp_path / "cache").rglob("*.nbi")} | {
            path.parent.name for path in (tmp_path / "cache").rglob("*.nbi")
        }
        assert set(two_games) <= kept  # a folder for each


def test_threads_wait_for_a_module_that_is_being_bound(
    two_games: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_of_test.py").write_text(
        "import time\ntime.sleep(0.2)\nREADY = True\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(lambda: bind.bind(two_games[0], "slow_of_test").READY) for _ in range(4)]
        assert all(each.result() for each in found)


def test_an_unbound_module_has_no_rules() -> None:
    assert vars(bind.bound_rules("anything")).keys() == vars(types.ModuleType("x")).keys()
    with pytest.raises(ImportError, match=r"no module bartizan\.engine\.nothing"):
        bind.bind(registry.names()[0], "bartizan.engine.nothing")


@pytest.mark.parametrize("name", registry.names())
def test_interpreted_rules_call_no_compiled_rule(name: str) -> None:
    plain = rule.interpreted(registry.get(name).rules)
    for each in vars(plain).values():
        assert not hasattr(each, "py_func"), each
        if isinstance(each, types.FunctionType):
            assert not [
                other for other in each.__globals__.values() if COMPILED and hasattr(other, "py_func")
            ]


# --- Folders of compiled rules -----------------------------------------------


def test_the_folder_changes_with_any_source_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule, "cache_root", lambda: tmp_path / "cache")

    def place(game: str) -> Path:
        rule.source_digest.cache_clear()
        return rule.cache_folder(f"some.{game}.rules", str(tmp_path / game / "rules.py"))

    for game in ("one", "two"):
        (tmp_path / game / "more").mkdir(parents=True)
        (tmp_path / game / "rules.py").write_text("a = 1\n", encoding="utf-8")
        (tmp_path / game / "more" / "values.py").write_text("b = 1\n", encoding="utf-8")
    first, other = place("one"), place("two")
    assert place("one") == first
    assert first.name == "one"
    assert other.name == "two"
    (tmp_path / "one" / "notes.txt").write_text("no source", encoding="utf-8")
    assert place("one") == first
    values = tmp_path / "one" / "more" / "values.py"
    values.write_text("b = 2\n", encoding="utf-8")
    changed = place("one")
    assert changed != first
    assert place("two") == other
    values.rename(values.with_name("renamed.py"))
    assert place("one") not in (first, changed)
    values.with_name("renamed.py").rename(values)
    values.write_text("b = 1\n", encoding="utf-8")
    assert place("one") == first
    rule.source_digest.cache_clear()


def test_the_folder_changes_with_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / "rng.py").write_text("a = 1\n", encoding="utf-8")
    (tmp_path / "game").mkdir()
    monkeypatch.setattr(rule, "ENGINE", engine)

    def places() -> tuple[Path, Path]:
        rule.source_digest.cache_clear()
        return (
            rule.cache_folder("bartizan.engine.rng", str(engine / "rng.py")),
            rule.cache_folder("some.game.rules", str(tmp_path / "game" / "rules.py")),
        )

    before = places()
    (engine / "rng.py").write_text("a = 2\n", encoding="utf-8")
    after = places()
    rule.source_digest.cache_clear()
    assert before[0] != after[0]
    assert before[1] != after[1]
    assert before[0].name == "engine"


# --- Modes -------------------------------------------------------------------


def test_an_unknown_mode_is_refused_in_one_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import bartizan.engine.mode"],
        cwd=ROOT,
        env={**os.environ, "BARTIZAN_MODE": "pyhton"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "BARTIZAN_MODE is 'pyhton'; it can be 'compiled' or 'python'.\n"


@pytest.mark.skipif(not COMPILED, reason="interpreted rules have no machine code to keep")
def test_threads_that_read_rules_at_once_keep_the_folder_of_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once code went to the working directory: another thread had just set Numba's folder back to none."""
    import numba
    from numba.core import config

    rule.rule(lambda number: number)  # the digest of the sources is known from here on
    njit = numba.njit
    kept = []

    def slowly(**flags: Any) -> Any:
        folder = config.CACHE_DIR
        time.sleep(0.05)
        kept.append(folder != "" and folder == config.CACHE_DIR)
        return njit(**flags)

    monkeypatch.setattr(numba, "njit", slowly)

    def read(delay: float) -> None:
        time.sleep(delay)
        rule.rule(lambda number: number + 1)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(read, (0.0, 0.025)))
    assert kept == [True, True]


def test_games_with_the_same_generated_source_keep_their_own_rules(tmp_path: Path) -> None:
    """Two games with the same verbs have the same dispatch, which calls different rules."""
    rules = []
    for number in (1, 2):
        module = types.ModuleType(f"twin_{number}")
        module.__file__ = str(tmp_path / f"twin_{number}" / "api.py")
        rules.append(rule.generated_rule("step", "def step(s):\n    return s + by\n", {"by": number}, module))
    assert [each(10) for each in rules] == [11, 12]
