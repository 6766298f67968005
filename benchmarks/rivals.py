"""Let our searches meet another framework's, as many iterations: ``python -m benchmarks.rivals``.

The rivals are OpenSpiel's searches in Python, `MCTSBot` where everything is known and `ISMCTSBot` where
something is hidden, with random playouts to the end.  They see a game through `Position`, which answers as a
state of theirs does.  Both play each deal from every seat; in a game for one both play the same deals.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from bartizan.cli.progress import bar
from bartizan.engine import registry
from bartizan.engine.errors import UnknownGame
from bartizan.engine.game import Game, GameState
from bartizan.lab.ladder import Guest, LadderGame, meetings, pair_of
from bartizan.search.players import Player, PlyHistory
from bartizan.search.tree import Budget, TreeSearch

UCT = 1.4  # the rivals' constant of exploration, for worths from -1 to 1


class Position:
    """A table as OpenSpiel's searches in Python want states: players from 0, chance inside the actions."""

    def __init__(self, game_state: GameState, kind: Any, dice: random.Random) -> None:
        self._game_state = game_state
        self._kind = kind
        self._dice = dice
        self._array_rules = game_state.game.array_rules
        self._out = np.zeros(game_state.game.max_legal, np.int32)

    def clone(self) -> Position:
        """Return a copy on which chance falls anew."""
        game_state = self._game_state.copy()
        game_state.rekey(self._dice.getrandbits(64))
        return Position(game_state, self._kind, self._dice)

    def current_player(self) -> int:
        """Return who is to move; -4 stands for the end."""
        seat = int(self._array_rules.turn_of(self._game_state.cells))
        return seat - 1 if seat else -4

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self.current_player() < 0

    def is_chance_node(self) -> bool:
        """Say no: what chance does happens inside the actions."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions."""
        count = self._array_rules.legal_actions(self._game_state.cells, self._out)
        return [int(action) for action in self._out[:count]]

    def apply_action(self, action: int) -> None:
        """Play an action."""
        self._array_rules.apply(self._game_state.cells, action)

    def returns(self) -> list[float]:
        """Return what the game is worth to each player."""
        return [
            float(self._array_rules.returns(self._game_state.cells, seat + 1))
            for seat in range(self._game_state.seats)
        ]

    def get_game(self) -> Any:
        """Return what tells the kind of game."""
        return self._kind

    def information_state_string(self) -> bytes:
        """Return the same for all positions that the one to move cannot tell apart."""
        game_state = self._game_state.copy()
        game_state.rekey(0)
        self._array_rules.determinize(game_state.cells, self.current_player() + 1)
        return game_state.to_bytes()

    def resample_from_infostate(self, player: int, _sampler: object) -> Position:
        """Return the position with everything dealt anew that a player cannot know."""
        fresh = self.clone()
        self._array_rules.determinize(fresh._game_state.cells, player + 1)
        fresh._game_state.rekey(self._dice.getrandbits(64))
        return fresh


class Playouts:
    """Values positions by one random game to the end, all actions being as likely before they are tried."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def evaluate(self, position: Position) -> Any:
        """Return what a random game from here comes to for each player."""
        working = position.clone()
        while not working.is_terminal():
            working.apply_action(self._dice.choice(working.legal_actions()))
        return np.array(working.returns())

    def prior(self, position: Position) -> list[tuple[int, float]]:
        """Return the legal actions, one as likely as the other."""
        legal = position.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class Kind:
    """Answers what OpenSpiel's searches ask of a game."""

    def __init__(self, pyspiel: Any, hidden: bool) -> None:
        self.dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL
        self.reward_model = pyspiel.GameType.RewardModel.TERMINAL
        information = pyspiel.GameType.Information
        self.information = information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION

    def get_type(self) -> Kind:
        """Return what is asked for."""
        return self

    def max_utility(self) -> float:
        """Return what a win is worth."""
        return 1.0


class Rival(Player):
    """OpenSpiel's search at a seat."""

    def __init__(self, game: Game, iterations: int, seed: int) -> None:
        import pyspiel
        from open_spiel.python.algorithms.ismcts import ISMCTSBot
        from open_spiel.python.algorithms.mcts import MCTSBot

        self._dice = random.Random(seed)
        self._kind = Kind(pyspiel, game.chance)
        numbers = np.random.RandomState(seed % 2**32)
        playouts = Playouts(self._dice)
        self._bot: Any
        if game.chance:
            self._bot = ISMCTSBot(
                self._kind,
                playouts,
                UCT,
                iterations,
                random_state=numbers,
                allow_inconsistent_action_sets=True,
            )
        else:
            self._bot = MCTSBot(self._kind, UCT, iterations, playouts, random_state=numbers)

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return the action that the rival plays."""
        if len(legal) == 1:
            return int(legal[0])
        fresh = game_state.copy()
        fresh.rekey(self._dice.getrandbits(64))
        return int(self._bot.step(Position(fresh, self._kind, self._dice)))


class Ours(Player):
    """Our search at a seat, which begins anew at each decision, as the rival's does."""

    def __init__(self, game: Game, iterations: int, seed: int) -> None:
        self._search = TreeSearch(game, game.min_seats, seed)
        self._budget = Budget(iterations=iterations)

    def choose(self, game_state: GameState, legal: Sequence[int], history: PlyHistory | None = None) -> int:
        """Return the action that our search plays."""
        if len(legal) == 1:
            return int(legal[0])
        self._search.forget()
        seat = int(game_state.game.array_rules.turn_of(game_state.cells))
        return self._search.think(game_state, seat, legal, self._budget)[0].action


def meet(game: Game, deals: int, iterations: int) -> str:
    """Return as a sentence what some deals came to."""
    guests: dict[str, Guest] = {
        "ours": partial(Ours, game, iterations),
        "the rival's": partial(Rival, game, iterations),
    }
    contest = LadderGame(game, guests=guests)
    with bar(f"{game.title}: deals played", deals) as progress:
        games = deals * contest.games_a_round
        pair = pair_of(list(meetings(contest, [("ours", "the rival's")], games, progress=progress)))
    won = f"  {game.title}: ours won {pair.wins[0]} and the rival's {pair.wins[1]} of"
    if contest.seats == 1:
        return f"{won} the same {deals} deals"
    drawn = f", {pair.draws} were drawn" if pair.draws else ""
    return (
        f"{won} {pair.games} games{drawn}; {pair.score:.0%} of the points ({pair.low:.0%} to {pair.high:.0%})"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; without OpenSpiel say how to get it."""
    parsing = argparse.ArgumentParser(prog="python -m benchmarks.rivals", description=__doc__)
    parsing.add_argument("games", nargs="*", metavar="GAME", help="all but games in which cards are thrown")
    parsing.add_argument("--deals", type=int, default=10, help="each is played from every seat (10)")
    parsing.add_argument("--iterations", type=int, default=200, help="of both searches, each decision (200)")
    args = parsing.parse_args(words)
    try:
        games = [registry.get(name) for name in args.games or registry.names()]
    except UnknownGame as error:
        parsing.error(str(error))
    for game in games:
        if args.games and game.throws:
            parsing.error(f"{game.title} asks for a model of the throw, which OpenSpiel's searches lack.")
    try:
        import pyspiel  # noqa: F401 - whether it is there
    except ImportError:
        print("OpenSpiel is not installed; `make openspiel` installs it.")
        return 2
    print(f"Our search and OpenSpiel's, {args.iterations} iterations a decision each:")
    for game in games:
        if not game.throws:
            print(meet(game, args.deals, args.iterations), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
