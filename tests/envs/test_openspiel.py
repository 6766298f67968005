"""OpenSpiel's own suites, and that its searches and learners can play."""

from __future__ import annotations

import copy
import pickle
import random
import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_agent
from open_spiel.python.algorithms import ismcts, mcts, random_agent, sample_some_states

from bartizan.engine import registry
from bartizan.engine.game import GameState
from bartizan.engine.mode import COMPILED
from bartizan.envs import openspiel
from bartizan.envs.openspiel import CompiledRollouts, read_text_options
from bartizan.envs.openspiel_vector import BatchSyncVectorEnv
from bartizan.envs.settings import BadSetting
from bartizan.search.players import action_array
from tests.games.tables import GAMES, positions

every_game = pytest.mark.parametrize("name", GAMES)


def load(name: str, parameters: str = "horizon=60") -> Any:
    return pyspiel.load_game(f"bartizan_{name.replace('-', '_')}({parameters})")


def playable(state: Any, dice: random.Random) -> Any:
    """Let chance choose until somebody is asked, or the game is over."""
    while state.is_chance_node():
        outcomes, parts = zip(*state.chance_outcomes(), strict=True)
        assert sum(parts) == pytest.approx(1)
        state.apply_action(dice.choices(outcomes, parts)[0])
    return state


@every_game
def test_openspiel_finds_nothing_wrong_in_random_play(name: str) -> None:
    game = registry.get(name)
    for players in {game.min_seats, game.max_seats}:
        spiel = load(name, f"horizon=25,players={players}")
        pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)


@pytest.fixture
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have their suite look at forty states of a game, and not at all that four hundred take."""
    plain = sample_some_states.sample_some_states
    monkeypatch.setattr(
        sample_some_states, "sample_some_states", lambda game, max_states: plain(game, max_states=40)
    )
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["api_test"])


@every_game
@pytest.mark.usefixtures("few_states")
def test_openspiel_finds_nothing_wrong_in_the_tree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spiel = f"bartizan_{name.replace('-', '_')}"
    monkeypatch.setattr(api_test, "_GAMES_TO_TEST", {spiel})
    monkeypatch.setattr(api_test, "_GAMES_FULL_TREE_TRAVERSAL_TESTS", [])
    tests = unittest.defaultTestLoader.loadTestsFromTestCase
    suite = unittest.TestSuite(map(tests, api_test._create_test_case_classes()))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures, (result.errors + result.failures)[0][1]


@every_game
def test_types_say_what_the_games_are(name: str) -> None:
    game, kind = registry.get(name), load(name).get_type()
    kinds = pyspiel.GameType
    assert (kind.information == kinds.Information.PERFECT_INFORMATION) == game.perfect_information
    assert (kind.chance_mode == kinds.ChanceMode.DETERMINISTIC) == (not game.chance and not game.throws)
    assert (kind.utility == kinds.Utility.ZERO_SUM) == (game.max_seats == 2)
    assert load(name).num_distinct_actions() == game.actions.size


@every_game
def test_states_are_copied_pickled_and_observed(name: str) -> None:
    game, dice = registry.get(name), random.Random(3)
    state = playable(load(name).new_initial_state(), dice)
    for _ in range(12):
        if state.is_terminal():
            break
        player = state.current_player()
        table = state.core.table
        assert state.legal_actions(player) == state.core.legal()
        assert state.observation_tensor(player) == list(state.core.kit.observe(table, player + 1))
        for record in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert str(record) == str(state)
            assert record.information_state_string(player) == state.information_state_string(player)
        before, record = str(state), state.clone()
        record.apply_action(record.legal_actions()[0])
        assert str(state) == before
        assert str(record) != before
        told = state.action_to_string(player, state.legal_actions()[0])
        assert told == game.vocabulary.print_move(table.view(), state.legal_actions()[0])
        playable(state, dice).apply_action(dice.choice(state.legal_actions()))
        playable(state, dice)


@every_game
def test_what_is_dealt_anew_looks_the_same_to_the_player(name: str) -> None:
    dice = random.Random(5)
    state = playable(load(name).new_initial_state(), dice)
    for _ in range(6):
        state.apply_action(dice.choice(state.legal_actions()))
        if playable(state, dice).is_terminal():
            return
    player = state.current_player()
    others = {str(state.resample_from_infostate(player, dice.random)) for _ in range(4)}
    assert (len(others) > 1) != registry.get(name).perfect_information
    for _ in range(4):
        other = state.resample_from_infostate(player, dice.random)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()


def test_information_states_recall_everything() -> None:
    """Two ways to one position differ for who went them; what another seat cannot see changes nothing."""
    game = load("castle-danger")
    one, other = game.new_initial_state(), game.new_initial_state()
    texts = {one.action_to_string(0, action): action for action in one.legal_actions()}
    steps = [action for text, action in texts.items() if "-" in text]
    one.apply_action(steps[0])
    other.apply_action(texts["end"])
    assert one.information_state_string(0) != other.information_state_string(0)
    assert len({game.new_initial_state().information_state_string(player) for player in (0, 1)}) == 2


def test_throws_are_chance_nodes_with_the_throwers_shares() -> None:
    game = next(each for each in map(registry.get, GAMES) if each.throw_skills)
    thrower: Any = game.thrower
    kit = load(game.name, "players=2").new_initial_state().core.kit
    level = 1 + game.throw_skills.index(thrower.DEFAULT)
    pick = game.bind("bartizan.search.rollout").pick
    tried = 0
    for match, dice in positions(game.name, 30, 0.3, most=40):
        game_state = match.game_state()
        wishes = [action for action in match.legal() if game.actions.block_of(action).name == "report"]
        room = wishes[:]
        count = kit.thrower.aims(match.view(), room, len(room)) if room else 0
        if not count or tried >= 3:
            continue
        tried += 1
        wish = dice.choice(room[:count])
        out, parts = [0] * 32, [0.0] * 32
        number = kit.thrower.shares(match.view(), wish, level, out, parts)
        assert sum(parts[:number]) == pytest.approx(1)
        assert set(out[:number]) <= set(match.legal())
        rolls = GameState(game, game.state())
        rolls.rekey(dice.getrandbits(60))
        thrown = 3_000
        seen = dict.fromkeys(out[:number], 0)
        for _ in range(thrown):
            seen[int(pick(game_state.cells, rolls.cells, action_array([wish]), 1, 1 + 2 * level))] += 1
        for action, part in zip(out[:number], parts[:number], strict=True):
            assert abs(seen[action] / thrown - part) < 5 * (part * (1 - part) / thrown) ** 0.5 + 1e-9
    assert tried == 3


def test_their_searches_finish_a_game() -> None:
    """Their searches in Python, where all is known and where it is not, with playouts of both kinds."""
    dice = random.Random(1)
    game = load("castle-danger", "horizon=12")
    bots = [
        mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))),
        mcts.MCTSBot(game, 1.4, 4, CompiledRollouts(1, 3)),
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    tower = load("tower", "horizon=8")
    bot = ismcts.ISMCTSBot(
        game=tower,
        uct_c=1.4,
        evaluator=CompiledRollouts(1, 4),
        max_simulations=4,
        random_state=np.random.RandomState(2),
    )
    state = playable(tower.new_initial_state(), dice)
    while not state.is_terminal():
        state.apply_action(bot.step(state))
        playable(state, dice)
    assert state.returns() == [0.0, 0.0]


def test_a_search_of_a_game_for_one_cannot_look_into_the_deck() -> None:
    dice = random.Random(9)
    state = playable(load("alcazar", "chance=redeal").new_initial_state(), dice)
    redeals = 0
    for _ in range(10):
        state.apply_action(dice.choice(state.legal_actions()))
        if state.is_terminal():
            break
        redeals += state.is_chance_node()
        seen = state.core.kit.observe(state.core.table, 1)
        futures = set()
        for outcome in (0, 1, 2):
            record = state.child(outcome)
            assert (record.core.kit.observe(record.core.table, 1) == seen).all()
            futures.add(record.core.table.to_bytes())
        assert len(futures) == 3
        playable(state, dice)
    assert redeals > 3


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("players=7", "2 to 6 seats"),
        ("options=jokrs:2", "jokers"),
        ("options=jokers", "name:value"),
        ("options=jokers:2/jokers:2", "name:value"),
        ("skill=expert", "nothing is thrown"),
        ("horizon=0", "horizon is 0"),
        ("chance=deel", "Did you mean 'deal'"),
    ],
)
def test_parameters_that_make_no_sense_say_what_does(parameters: str, sentence: str) -> None:
    with pytest.raises(Exception, match=sentence):
        load("tower", parameters)


def test_options_are_read() -> None:
    state = load("tower", "players=3,options=jokers:2/decks:1").new_initial_state()
    assert (state.num_players(), state.core.kit.options.jokers) == (3, 1)
    assert read_text_options("a:1/b:x:y") == {"a": "1", "b": "x:y"}
    with pytest.raises(BadSetting):
        read_text_options(":1")
    assert set(openspiel.GAMES) >= {f"bartizan_{name.replace('-', '_')}" for name in GAMES} or not COMPILED


def test_many_tables_answer_as_their_vector_of_environments() -> None:
    env = BatchSyncVectorEnv("tower", 3, players=2, max_plies=20, seed=4)
    assert len(env) == 3
    agents = [random_agent.RandomAgent(player, env.num_actions) for player in range(2)]
    steps, ended = env.reset(), 0
    assert all(step.first() for step in steps)
    for _ in range(30):
        outputs = []
        for step in steps:
            player = step.current_player()
            assert step.observations["legal_actions"][player]
            assert not step.observations["legal_actions"][1 - player]
            assert step.observations["info_state"][player].shape == env.observation_spec()["info_state"]
            outputs.append(agents[player].step(step))
        steps, reward, done, unreset = env.step(outputs, reset_if_done=True)
        ended += sum(done)
        for step, last, over in zip(steps, unreset, done, strict=True):
            assert last.last() == over
            assert step.first() == over
            assert not step.last()
        assert [each.rewards for each in unreset] == reward
    assert ended >= 3
    assert env.action_spec()["num_actions"] == env.num_actions
    for wrong in (None, 1.7):
        with pytest.raises(BadSetting, match="actions must be integers"):
            env.step([rl_agent.StepOutput(action=wrong, probs=[])] * 3)


def test_actions_that_are_not_legal_are_refused() -> None:
    state = load("tower").new_initial_state()
    with pytest.raises(ValueError, match="dealt"):
        state.resample_from_infostate(0, random.random)
    for wrong in (256, -2):
        with pytest.raises(ValueError, match=f"{wrong} isn't an outcome"):
            state._apply_action(wrong)
    playable(state, random.Random(1))
    before = str(state)
    illegal = next(each for each in range(10**6) if each not in state.legal_actions())
    for wrong in (illegal, 10**6, -1):
        with pytest.raises(ValueError, match=f"{wrong} is illegal"):
            state._apply_action(wrong)
    assert str(state) == before
    with pytest.raises(ValueError, match="1000000 isn't an action"):
        state._action_to_string(0, 10**6)
