"""Keep the line of play of one game: who decided what at every ply, and the states between."""

from __future__ import annotations

import msgspec

from bartizan.engine.game import Game, GameState, packed
from bartizan.engine.layout import Flown


class CheckedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A move that was read and found legal in one position: `Match.check` gives it, `Match.push` takes it."""

    ply: int  # decisions taken before it
    seat: int  # whose move it is
    action: int  # its code: the action's id, or that of a variant
    text: str  # in canonical notation
    flown: Flown | None = None  # of a report: the throw at this table that it is of


class History:
    """The decisions of a game in their order, those taken back included until others are taken."""

    def __init__(self, game: Game, first: GameState) -> None:
        self.states = [first.pack()]  # before the first decision, and after each
        self._latest = self.states[0], first.to_bytes()  # what is asked for most, as it is kept and as it is
        self.moves: list[CheckedMove] = []
        self._game = game

    def state(self, ply: int) -> GameState:
        """Return the state after `ply` decisions."""
        kept, data = self._latest
        state = self.states[ply]
        return GameState.unpacked(self._game, data if state is kept else state)

    def add(self, move: CheckedMove, after: GameState) -> None:
        """Keep a decision and where it led; what was played after its ply is forgotten."""
        del self.moves[move.ply :], self.states[move.ply + 1 :]
        self.moves.append(move)
        data = after.to_bytes()
        self.states.append(packed(data))
        self._latest = self.states[-1], data
