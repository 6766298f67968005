"""The games as OpenSpiel games: importing this module registers ``bartizan_<game>`` for each.

    import pyspiel, bartizan.envs.openspiel

    game = pyspiel.load_game("bartizan_tower(players=3,options=jokers:2/decks:1)")

Parameters: `players`; `options` as ``name:value`` separated by ``/`` (OpenSpiel's parser reserves ``=`` and
``,``); `skill` of throws; `horizon`, the ply after which a game ends with zeros; `observe_options`, whether
observations end with the options as numbers; `chance`, which in a
solitaire may be ``redeal``: then everything that the player can't know is dealt again after each action, so
that a search can't see the deck.

Four chance nodes of 256 outcomes choose the deal, and everything else follows from it.  A throw is followed
by a chance node with its possible results.  OpenSpiel 2.0's C++ ``MCTSBot`` crashes on every Python game: use
the one in ``open_spiel.python.algorithms``.
"""

from __future__ import annotations

import copy
import hashlib
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError
from bartizan.engine.extras import require
from bartizan.engine.game import Game, GameState
from bartizan.engine.rng import stream
from bartizan.engine.rule import interpreted
from bartizan.envs.arrays import Dice, room_for_legal, scratch_state, set_stream
from bartizan.envs.settings import (
    BadSetting,
    check_choice,
    check_game,
    check_options,
    check_skill,
    check_whole,
)
from bartizan.envs.variants import observed_layout, option_numbers
from bartizan.search.workspace import record_array

require("openspiel", "OpenSpiel's interface")

import pyspiel  # noqa: E402

PREFIX = "bartizan_"
DEAL_NODES, OUTCOMES = 4, 256
HORIZON = 5_000
CHANCES = ("deal", "redeal")
MOST_SHARES = 32  # results of one throw
DEFAULTS: dict[str, Any] = {
    "options": "",
    "observe_options": False,
    "skill": "",
    "horizon": HORIZON,
    "chance": "deal",
}


def read_text_options(text: str) -> dict[str, str]:
    """Return options written ``name:value/name:value``; raises `BadSetting`."""
    names: dict[str, str] = {}
    for part in filter(None, text.split("/")):
        name, colon, value = part.partition(":")
        if not colon or not name or name in names:
            raise BadSetting(f"options has {part!r}; it must be name:value, once for each, with / between.")
        names[name] = value
    return names


class Kit:
    """What all states of one loaded game share."""

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        self.game = check_game(game)
        self.parameters = parameters
        self.seats = game.check_seats(int(parameters.get("players") or game.min_seats))
        given = read_text_options(str(parameters["options"]))
        self.options = game.read_options(check_options(game, given, self.seats), self.seats)
        skill = check_skill(game, parameters["skill"] or None)
        self.skill = 1 + game.throw_skills.index(skill) if skill in game.throw_skills else 0
        self.horizon = check_whole(parameters["horizon"], "horizon", 1, 1 << 30)
        chance = check_choice(str(parameters["chance"]), "chance", CHANCES)
        self.redeals = chance == "redeal" and self.seats == 1
        self.deals = game.chance
        self.array_rules = game.array_rules
        self.observing: Any = game.bind("bartizan.envs.observing")
        self.thrower: Any = interpreted(game.thrower)
        observe_options = bool(parameters["observe_options"])
        self.layout = observed_layout(game, observe_options)
        self.room, self.scratch = room_for_legal(game), scratch_state(game)
        self.one = np.ones(1, np.bool_)
        undealt = game.blank(self.options, self.seats, 0)
        self.undealt = undealt.to_bytes()
        self.told = option_numbers(game, undealt) if observe_options else np.zeros(0, np.int8)

        self._first: Core | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Kit:
        """Return the same object: nothing in it changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the arguments that it was made from."""
        return Kit, (self.game, self.parameters)

    def fresh_core(self) -> Core:
        """Return a state before the deal; if there is no deal, the first position."""
        if self._first is None:
            self._first = Core(self)
        return copy.deepcopy(self._first)

    def observe(self, game_state: GameState, seat: int) -> NDArray[np.int8]:
        """Return the observation of a seat, from 1, or a spectator: int8 (size,)."""
        out = np.zeros((1, self.layout.size), np.int8)
        seats = np.array([seat], np.int8)
        self.observing.observe_range(game_state.cells, self.scratch, seats, self.one, out, 0, 1)
        out[0, self.layout.size - len(self.told) :] = self.told
        return np.array(out[0])


class Core:
    """A state's own part, which is copied as bytes."""

    __slots__ = ("_legal", "chains", "deal", "kit", "game_state", "plies", "redeal", "shares", "turn")

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.game_state: GameState | None = None  # None before the deal
        self.deal = 0 if kit.deals else DEAL_NODES  # how many chance nodes were passed, and their choices
        self.shares: list[tuple[int, float]] = []  # possible results of the throw that was made
        self.redeal = False  # whether a chance node redeals what is unknown
        self.plies = 0
        self.turn = 0  # the seat to move; 0: none
        self.chains: list[bytes] = []  # by seat: a digest of everything that it has observed and done
        self._legal: list[int] | None = None
        if not kit.deals:
            self.begin(0)

    def __deepcopy__(self, memo: dict[int, Any]) -> Core:
        """Return a copy; shared parts stay shared."""
        other = Core.__new__(Core)
        other.kit, other.deal, other.redeal, other.plies = self.kit, self.deal, self.redeal, self.plies
        other.turn, other._legal = self.turn, self._legal
        other.shares, other.chains = self.shares, self.chains[:]
        other.game_state = self.game_state.copy() if self.game_state is not None else None
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as bytes."""
        data = None if self.game_state is None else self.game_state.to_bytes()
        return core_of, (
            self.kit,
            data,
            self.deal,
            self.shares,
            self.redeal,
            self.plies,
            self.turn,
            self.chains,
        )

    def begin(self, number: int) -> None:
        """Deal what four chance nodes have chosen."""
        kit = self.kit
        self.game_state = GameState.unpacked(kit.game, kit.undealt)
        self.game_state.rekey(stream("0", "openspiel", number))
        kit.array_rules.setup(self.game_state.cells)
        self.chains = [b""] * kit.seats
        self._settle(0, 0)

    @property
    def table(self) -> GameState:
        """The state of the dealt table; raises `BadSetting` before the deal."""
        if self.game_state is None:
            raise BadSetting("no game has been dealt yet; let chance act first.")
        return self.game_state

    @property
    def is_chance(self) -> bool:
        """Whether a chance node comes next."""
        return self.game_state is None or bool(self.shares) or self.redeal

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or at the horizon."""
        return (
            self.game_state is not None
            and not self.is_chance
            and (self.turn == 0 or self.plies >= self.kit.horizon)
        )

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to move."""
        if self._legal is None:
            kit, cells = self.kit, self.table.cells
            count = int(kit.array_rules.legal_actions(cells, kit.room))
            if kit.skill:
                count = int(kit.array_rules.aims(cells, kit.room, count))
            self._legal = [int(action) for action in kit.room[:count]]
        return self._legal

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the chance node, numbered from 0, with their probabilities."""
        if self.shares:
            return [(number, part) for number, (_, part) in enumerate(self.shares)]
        return [(number, 1 / OUTCOMES) for number in range(OUTCOMES)]

    def chance(self, outcome: int) -> None:
        """Let chance choose."""
        if self.game_state is None:
            nodes, chosen = self.deal % (DEAL_NODES + 1), self.deal // (DEAL_NODES + 1)
            nodes, chosen = nodes + 1, chosen * OUTCOMES + outcome
            self.deal = nodes + (DEAL_NODES + 1) * chosen
            if nodes == DEAL_NODES:
                self.begin(chosen)
        elif self.shares:
            action, _ = self.shares[outcome]
            self.shares = []
            self._play(action, self.turn)
        else:
            self.redeal = False
            self.table.rekey(stream("0", "redeal", outcome, self.plies))
            self.kit.array_rules.determinize(self.table.cells, 1)

    def act(self, action: int) -> None:
        """Play an action of the seat to move; a throw waits for its result."""
        kit = self.kit
        if kit.skill:
            room, parts = [0] * MOST_SHARES, [0.0] * MOST_SHARES
            count = kit.thrower.shares(self.table.view(), action, kit.skill, room, parts)
            if count > 1:
                self.shares = list(zip(room[:count], parts[:count], strict=True))
                return
            action = room[0]
        self._play(action, self.turn)

    def _play(self, action: int, seat: int) -> None:
        self.kit.array_rules.apply(self.table.cells, action)
        self.plies += 1
        self._settle(action + 1, seat)
        self.redeal = self.kit.redeals and self.turn != 0 and self.plies < self.kit.horizon

    def _settle(self, done: int, seat: int) -> None:
        """Find whose turn it is, and add what each seat sees and has done to its digest."""
        kit = self.kit
        self.turn, self._legal = int(kit.array_rules.turn_of(self.table.cells)), None
        for each in range(kit.seats):
            own = done if each + 1 == seat else 0
            seen = kit.observe(self.table, each + 1).tobytes()
            told = self.chains[each] + own.to_bytes(8, "little") + seen
            self.chains[each] = hashlib.blake2b(told, digest_size=16).digest()

    def returns(self) -> list[float]:
        """Return the value of a finished game to each seat; zeros before, and at the horizon."""
        if self.game_state is None or self.turn != 0:
            return [0.0] * self.kit.seats
        return [
            float(self.kit.array_rules.returns(self.table.cells, seat + 1)) for seat in range(self.kit.seats)
        ]


def core_of(kit: Kit, data: bytes | None, *rest: Any) -> Core:
    """Restore a pickled state's own part."""
    core = Core.__new__(Core)
    core.kit, core._legal = kit, None
    core.game_state = None if data is None else GameState.unpacked(kit.game, data)
    core.deal, core.shares, core.redeal, core.plies, core.turn, core.chains = rest
    return core


class BartizanState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A state for OpenSpiel: players count from 0, and chance nodes are states of their own."""

    def __init__(self, game: Any, kit: Kit) -> None:
        """Start before the deal; OpenSpiel also calls this for every copy."""
        super().__init__(game)
        self.core = kit.fresh_core()

    def current_player(self) -> int:
        """Return the player to move, or the id for chance or the end."""
        core = self.core
        if core.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if core.is_over else int(core.turn) - 1

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.core.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        return list(self.core.outcomes())

    def _apply_action(self, action: int) -> None:
        core = self.core
        if core.is_chance:
            self._check_outcome(action)
            core.chance(action)
        elif core.is_over or action not in core.legal():
            raise BadSetting(f"action {action} is illegal here; legal_actions() lists the legal ones.")
        else:
            core.act(action)

    def _check_outcome(self, outcome: int) -> None:
        count = len(self.core.shares) or OUTCOMES
        if not 0 <= outcome < count:
            raise BadSetting(f"{outcome} isn't an outcome of this chance node; they are 0 to {count - 1}.")

    def _action_to_string(self, player: int, action: int) -> str:
        core = self.core
        if player != pyspiel.PlayerId.CHANCE:
            size = core.kit.game.actions.size
            if not 0 <= action < size:
                raise BadSetting(f"{action} isn't an action; actions are 0 to {size - 1}.")
            return core.kit.game.vocabulary.print_move(core.table.view(), action)
        self._check_outcome(action)
        if core.shares:
            return core.kit.game.vocabulary.print_move(core.table.view(), core.shares[action][0])
        return f"chance {action}"

    def is_terminal(self) -> bool:
        """Say whether the game has ended."""
        return bool(self.core.is_over)

    def returns(self) -> list[float]:
        """Return the value of the game to each player."""
        return list(self.core.returns())

    def resample_from_infostate(self, player: int, sampler: Any) -> Any:
        """Return a state that `player` cannot tell from this one, dealt at random by `sampler`."""
        other = self.clone()
        if other.core.kit.game.perfect_information:
            return other
        draw = sampler() if callable(sampler) else random.random()
        table = other.core.table
        table.rekey(stream("0", "resample", draw.hex()))
        other.core.kit.array_rules.determinize(table.cells, player + 1)
        other.core._legal = None
        return other

    def __str__(self) -> str:
        core = self.core
        if core.game_state is None:
            return f"before the deal, {core.deal}"
        return core.table.to_bytes().hex() + f" {core.plies} {core.shares} {core.redeal}"


class BartizanObserver:
    """Observes states of one game, in the parts that OpenSpiel asks for."""

    def __init__(self, kit: Kit, kind: Any) -> None:
        self._kit = kit
        self._recalls = bool(kind.perfect_recall)
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._groups = [each for each in kit.layout if (private if each.private else bool(kind.public_info))]
        self._is_whole = private and bool(kind.public_info)
        self.tensor = np.zeros(sum(each.size for each in self._groups), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        first = 0
        for each in self._groups:
            self.dict[each.name] = self.tensor[first : first + each.size].reshape(each.shape)
            first += each.size

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player observes to `tensor`; `dict` has its parts."""
        self.tensor[:] = 0
        if state.core.game_state is not None:
            seen = self._kit.observe(state.core.table, player + 1)
            for each in self._groups:
                self.dict[each.name][:] = seen[each.first : each.end].reshape(each.shape)

    def string_from(self, state: Any, player: int) -> str:
        """Return a player's observation as text; with perfect recall, a digest of all its observations."""
        if state.core.game_state is None:
            return ""
        if self._recalls and self._is_whole:
            return f"p{player} {state.core.chains[player].hex()}"
        seen = self._kit.observe(state.core.table, player + 1)
        told = []
        for each in self._groups:
            mine = seen[each.first : each.end]
            marked = " ".join(f"{at}:{mine[at]}" for at in np.flatnonzero(mine))
            if marked or not each.private:
                told.append(f"{each.name}({marked})")
        return " ".join(told)


def is_for_two(game: Game) -> bool:
    """Say whether the game is always for two: only then it is zero-sum."""
    return game.min_seats == game.max_seats == 2


def game_type(game: Game) -> Any:
    """Return what OpenSpiel needs to know about a game before it is loaded."""
    kinds = pyspiel.GameType
    has_chance = game.chance or game.throws
    return kinds(
        short_name=PREFIX + game.name.replace("-", "_"),
        long_name=f"Bartizan: {game.title}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION
        if game.perfect_information
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_for_two(game) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={"players": game.min_seats, **DEFAULTS},
    )


def spiel_game(game: Game) -> type:
    """Return the class from which OpenSpiel makes a game: one for each of ours."""
    kind = game_type(game)

    class BartizanGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
        """One game with its parameters."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = {"players": game.min_seats, **DEFAULTS, **(params or {})}
            try:
                self.kit = Kit(game, given)
            except BartizanError as error:
                raise ValueError(str(error)) from error
            info = pyspiel.GameInfo(
                num_distinct_actions=game.actions.size,
                max_chance_outcomes=OUTCOMES if game.chance or game.throws else 0,
                num_players=self.kit.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if is_for_two(game) else None,
                max_game_length=self.kit.horizon,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> BartizanState:
            """Return the state before the deal."""
            return BartizanState(self, self.kit)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BartizanObserver:
            """Return an observer; raises `ValueError` for parameters, because there are none."""
            if params:
                raise ValueError(f"observers take no parameters, not {params}.")
            usual = pyspiel.IIGObservationType(perfect_recall=False)
            return BartizanObserver(self.kit, iig_obs_type or usual)

    BartizanGame.__name__ = BartizanGame.__qualname__ = kind.short_name
    globals()[kind.short_name] = BartizanGame  # where pickle looks for it
    return BartizanGame


class CompiledRollouts:
    """Evaluates states for OpenSpiel's Python searches by compiled random playouts, as an ``Evaluator``.

    Hidden information is redealt for each playout, so that playouts don't leak it.
    """

    def __init__(self, n_rollouts: int = 1, seed: int = 0) -> None:
        self._count = check_whole(n_rollouts, "n_rollouts", 1, 1 << 20)
        self._dice = random.Random(seed)

    def evaluate(self, state: Any) -> NDArray[np.float64]:
        """Return the mean result of random playouts for each player."""
        core: Core = state.core
        kit = core.kit
        rolling: Any = kit.game.bind("bartizan.envs.rolling")
        dice, sums = record_array(Dice, 1), np.zeros(kit.seats)
        set_stream(dice, 0, self._dice.getrandbits(64))
        policy = 2 * kit.skill
        states = core.table.stack(core.table, core.table)
        ended = rolling.playouts(states, kit.room, dice, policy, self._count, kit.horizon, sums)
        return sums / max(int(ended), 1)

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return the same probability for each action; at a chance node, the node's own."""
        if state.is_chance_node():
            return list(state.chance_outcomes())
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def register() -> list[str]:
    """Register every installed game that has observations with OpenSpiel; return their names."""
    names = []
    known = {each.short_name for each in pyspiel.registered_games()}
    for name in registry.names():
        game = registry.get(name)
        if game.has_observer:
            names.append(PREFIX + name.replace("-", "_"))
            if names[-1] not in known:
                pyspiel.register_game(game_type(game), spiel_game(game))
    return names


GAMES = register()
