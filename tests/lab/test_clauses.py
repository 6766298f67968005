"""Clauses that take effect, counted against what the records of the same games tell."""

from __future__ import annotations

import ast
import linecache
import random
import re
import types
from collections import Counter

import numpy as np
import polars as pl
import pytest

from bartizan.engine import registry
from bartizan.engine.counting import CountingBuild, clauses_in, is_rule
from bartizan.engine.errors import BartizanError
from bartizan.engine.game import Game
from bartizan.engine.rule import interpreted
from bartizan.lab.batch import GameBatch, deal_seed
from bartizan.lab.clauses import ClauseCounter, _parts
from bartizan.lab.groups.clauses import Clauses
from bartizan.lab.reading import design_of
from tests.corpus import sample
from tests.lab.interpreted_clauses import InterpretedCounter


def test_a_docstring_names_clauses_ranges_and_questions() -> None:
    known = [f"CC-{number}" for number in range(1, 40)]
    found = clauses_in("Deal (CC-4 to CC-7), and pass (CC-Q6); CC-99.", "CC", known, {"CC-Q6": "CC-13"})
    assert found == {"CC-4", "CC-5", "CC-6", "CC-7", "CC-13"}


# A verb, and the clause that only the rule which plays it names.
VERBS = [
    ("castle-danger", "build", "wall", "CD-31"),
    ("castle-danger", "add", "add", "CD-23"),
    ("card-cassonne", "place", "token", "CC-19"),
    ("card-cassonne", "play", "play", "CC-24"),
    ("alcazar", "missile", "missile", "ALC-43"),
    ("tower", "rebuild", "rebuild", "TWR-42"),
]


@pytest.mark.parametrize(("name", "what", "verb", "clause"), VERBS)
def test_a_clause_takes_effect_as_often_as_its_verb_is_played(
    name: str, what: str, verb: str, clause: str
) -> None:
    game = registry.get(name)
    batch = GameBatch(game, {}, ["greedy"] * game.min_seats)
    counter = ClauseCounter(game)
    seeds = [deal_seed("3", deal) for deal in range(4)]
    scripts = [batch.actions(seed) for seed in seeds]
    played = Counter(game.actions.block_of(action).name for actions in scripts for action in actions)
    times = counter.count(batch, seeds, 0, list(map(len, scripts)))
    assert times[:, counter.told_apart.index(clause)].sum() == played[verb]


def options_of(game: Game, dice: random.Random) -> dict[str, object]:
    """Return options by lot that programs can play by."""
    while True:
        chosen: dict[str, object] = {
            spec.key: dice.choice(spec.values) for spec in game.options if len(spec.values) > 1
        }
        try:
            game.check_programs(chosen, game.min_seats)
        except BartizanError:
            continue
        return chosen


@pytest.mark.parametrize("name", registry.names())
def test_what_rules_note_is_what_their_interpreted_rules_are_seen_to_do(name: str) -> None:
    """Two ways that share nothing but the docstrings agree in every game and at every clause."""
    game, dice = registry.get(name), random.Random(name)
    counter, interpreted = ClauseCounter(game), InterpretedCounter(game)
    seen: set[str] = set()
    for deal in range(sample(3, 12)):
        players = [dice.choice(["random", "greedy"])] * dice.randint(game.min_seats, game.max_seats)
        batch = GameBatch(game, options_of(game, dice) if deal else {}, players)
        seed = deal_seed("twins", deal)
        actions = batch.actions(seed)[:400]
        times = dict(zip(counter.told_apart, counted(counter, batch, seed, actions), strict=True))
        told = interpreted.count(batch, seed, actions)
        assert {clause: count for clause, count in times.items() if count} == told, deal
        seen |= set(told)
    assert seen <= set(counter.told_apart)
    assert len(seen) > len(counter.told_apart) / 3


def counted(counter: ClauseCounter, batch: GameBatch, seed: str, actions: list[int]) -> list[int]:
    """Count in one game whose actions are given."""
    game = batch.game
    game_state = game.blank(game.option_set.read(batch.options), batch.seats, 0)
    script = np.array([actions or [0]], np.int64)
    (times,) = counter.count_scripts(game_state, [seed], np.array([len(actions)]), script)
    return [int(each) for each in times]


@pytest.mark.parametrize("name", registry.names())
def test_what_lists_and_refuses_counts_nothing(name: str) -> None:
    """A game of no action has only what the set-up does."""
    game = registry.get(name)
    batch = GameBatch(game, {}, ["greedy"] * game.min_seats)
    counter, seed = ClauseCounter(game), deal_seed("3", 0)
    nothing = counted(counter, batch, seed, [])
    whole = counted(counter, batch, seed, batch.actions(seed))
    assert all(one <= other for one, other in zip(nothing, whole, strict=True))
    assert sum(map(bool, nothing)) < sum(map(bool, whole))
    assert max(nothing) <= 1


def test_only_what_playing_can_reach_is_told_apart() -> None:
    """CD-37 and CD-38 are named by what lists and refuses shots: nobody can say when they take effect."""
    game = registry.get("castle-danger")
    told = ClauseCounter(game).told_apart
    assert {"CD-23", "CD-31"} <= set(told)
    assert not {"CD-37", "CD-38"} & set(told)
    assert told == sorted(told, key=lambda clause: int(clause.partition("-")[2]))


def test_games_are_counted_in_parts_that_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.get("castle-danger")
    batch = GameBatch(game, {}, ["random", "random"])
    counter = ClauseCounter(game)
    seeds = [deal_seed("parts", deal) for deal in range(6)]
    plies = [len(batch.actions(seed)) for seed in seeds]
    whole = counter.count(batch, seeds, 0, plies)
    monkeypatch.setattr("bartizan.lab.clauses.MOST_ACTIONS", 2 * max(plies))
    assert len(_parts(plies)) >= 3
    assert (counter.count(batch, seeds, 0, plies) == whole).all()


def test_shares_and_times_of_clauses_are_those_of_the_counts() -> None:
    """Four games of two deals, made by hand."""
    design = design_of({"game": "castle-danger", "players": ["greedy", "random"], "measures": ["clauses"]})
    clauses = Clauses(design)
    ids = ClauseCounter(design.game).told_apart
    times = np.zeros((4, len(ids)), np.int32)
    times[0, ids.index("CD-31")], times[2, ids.index("CD-31")] = 3, 1
    times[1, ids.index("CD-23")] = 2
    frame = pl.DataFrame({"game": range(4), "cell": [0] * 4, "deal": [0, 0, 1, 1]}).with_columns(
        pl.Series("times", times)
    )
    clauses.add(frame[:2])
    clauses.add(frame[2:])
    figures = {figure.measure: figure for figure in clauses.figures()}
    found = {measure: figure.interval.estimate for measure, figure in figures.items()}
    assert (found["in_games.CD-31"], found["times.CD-31"]) == (0.5, 1.0)
    assert (found["in_games.CD-23"], found["times.CD-23"]) == (0.25, 0.5)
    assert found["in_games.CD-27"] == 0.0
    assert np.isnan(found["in_games.CD-42"])  # it also ends games by an answer
    assert (figures["in_games.CD-31"].deals, figures["in_games.CD-31"].games) == (2, 4)


GUARDS = ("why_not_in_phase", "why_not_step")
RULES = '''
from bartizan.engine.rule import rule


@rule
def setup(s):
    """Begin at a number (XY-1)."""
    s.number = START


@rule
def step(s, by):
    """Go on (XY-2)."""
    s.number += by
    wrap(s)


@rule
def wrap(s):
    """Stay small (XY-3)."""
    s.number %= 10
'''


def test_rules_that_a_program_made_are_counted() -> None:
    """A module without a file: its source stands in `linecache`, some of its names were given to it."""
    from bartizan.engine.actions import ActionSpace, block
    from bartizan.engine.assembly import CALLS, Modules
    from bartizan.engine.clauses import Clause, Rulebook

    calls = [f'@rule\ndef {name}(s):\n    """Do nothing."""\n\n\n' for name in CALLS if name != "setup"]
    guards = [f'@rule\ndef {name}(s, x):\n    """Allow it."""\n    return 0\n\n\n' for name in GUARDS]
    source = "".join([RULES, "\n\n", *calls, *guards])
    module = types.ModuleType("made_up.rules")
    module.__file__ = "<made up>"
    linecache.cache[module.__file__] = (len(source), None, source.splitlines(keepends=True), module.__file__)
    vars(module)["START"] = 7
    exec(compile(source, module.__file__, "exec"), vars(module))
    clauses = [Clause(id=f"XY-{number}", section="", title="", text="") for number in (1, 2, 3, 4)]
    book = Rulebook(title="", source="", summary="", clause=tuple(clauses))
    build = CountingBuild("made_up", book, ActionSpace(block("step", by=3)), Modules("made-up", [module]))
    table, noted = types.SimpleNamespace(number=0), [0] * build.size
    plain = interpreted(build.rules)
    plain.setup(table, noted)
    assert (table.number, noted) == (7, [1, 0, 0, 0])
    plain.apply(table, 2, noted)
    assert (table.number, noted) == (9, [1, 1, 1, 0])
    assert build.clauses == ["XY-1", "XY-2", "XY-3"]


def answering(game: Game) -> set[str]:
    """Return the clauses named by a rule that answers or refuses: these act without anything being done."""
    book = game.clauses
    known = [clause.id for clause in book.all()]
    questions = {question: clause.id for clause in book.all() for question in clause.questions}
    codes: dict[str, str] = {}
    named: set[str] = set()
    used: set[str] = set()
    for path in set(game.folder.rglob("*.py")) - {game.folder / "features.py"}:  # a network's, not the rules'
        text = path.read_text(encoding="utf-8")
        for names, clauses in re.findall(r"^([A-Z_, ]+) = ((?:code\(\"[^\"]+\"\)(?:, )?)+)$", text, re.M):
            codes.update(zip(names.split(", "), re.findall(r'"([^"]+)"', clauses), strict=False))
        for each in ast.parse(text).body:
            if is_rule(each) and isinstance(each, ast.FunctionDef):
                if each.name.startswith("why") or ast.unparse(each.returns or ast.Constant(None)) != "None":
                    named |= clauses_in(ast.get_docstring(each) or "", book.prefix, known, questions)
                    used |= {node.id for node in ast.walk(each) if isinstance(node, ast.Name)}
    return named | {codes[name] for name in used & set(codes)}


@pytest.mark.parametrize("name", registry.names())
def test_no_clause_is_said_never_to_act_that_acts_by_permitting_or_refusing(name: str) -> None:
    game = registry.get(name)
    seats = min(3, game.max_seats)
    design = design_of({"game": name, "players": ["greedy"] * seats, "measures": ["clauses"]})
    clauses, ids = Clauses(design), ClauseCounter(game).told_apart
    at = np.arange(50)
    frame = pl.DataFrame({"game": at, "cell": at * 0, "deal": at})
    clauses.add(frame.with_columns(pl.Series("times", np.zeros((50, len(ids)), np.int32))))
    never = {
        figure.measure.partition(".")[2] for figure in clauses.figures() if figure.interval.estimate == 0
    }
    unknown = {figure.measure.partition(".")[2] for figure in clauses.figures()} - never
    assert not never & answering(game)
    assert never
    assert all(f.interval.method == "not measured" for f in clauses.figures() if f.measure[9:] in unknown)
    if name == "tower":  # a second deflection is played in nearly every game, and nothing else does these
        assert {"TWR-33", "TWR-34", "TWR-46"} <= unknown
