"""Say what each seat of a game saw at every ply; what was drawn once is kept for a while."""

from __future__ import annotations

from functools import cache
from typing import Any

from bartizan.engine.game import Game, GameState
from bartizan.engine.rng import stream
from bartizan.engine.scene import LogLine
from bartizan.match.history import History

LOG_LINES = 12  # how many of the last plies a Scene tells
KEPT = 1  # of how many plies before the present one the views are kept: the last line of the log needs them
REDEALS = 8  # a card drawn from two that it may be looks alike in all of them once in 256 times, at the worst


class Observations:
    """What the seats of one game see: records of its states, and the lines of its log."""

    def __init__(self, game: Game, history: History, seed: str) -> None:
        self._all_see_all = game.perfect_information
        self._game = game
        self._history = history
        self._seed = seed
        self._views: dict[int, Any] = {}  # by ply: the whole state, hidden things included
        self._seen: dict[tuple[int, int], Any] = {}  # by seat and ply
        self._lines: dict[tuple[int, int], LogLine] = {}  # by seat and ply: what was told is told again
        self._revealed: dict[
            tuple[int, int, int], bool
        ] = {}  # by seat and plies: whether it learned anything

    def present(self, ply: int, game_state: GameState) -> Any:
        """Return a record of the present state; what was seen long before it is forgotten."""
        if ply not in self._views:
            self.keep(ply - KEPT, ply)
            self._views[ply] = game_state.view()
        return self._views[ply]

    def view(self, ply: int) -> Any:
        """Return a record of the state after `ply` decisions, hidden things included."""
        if ply not in self._views:
            self._views[ply] = self._history.state(ply).view()
        return self._views[ply]

    def observation(self, seat: int, ply: int) -> Any:
        """Return what `seat` sees of the table at one ply; scenes read it and change nothing."""
        eyes = 0 if self._all_see_all else seat
        if (eyes, ply) not in self._seen:
            blanked = self._history.state(ply)
            self._game.array_rules.blank(blanked.cells, eyes)
            self._seen[eyes, ply] = blanked.view()
        return self._seen[eyes, ply]

    def keep(self, first: int, last: int) -> None:
        """Forget the views of all plies but those from `first` to `last`."""
        self._views = {ply: view for ply, view in self._views.items() if first <= ply <= last}
        self._seen = {key: each for key, each in self._seen.items() if first <= key[1] <= last}

    def forget_after(self, ply: int) -> None:
        """Forget what was seen after a ply: after an undo another line of play begins there."""
        self.keep(0, ply)
        self._lines = {key: line for key, line in self._lines.items() if key[1] <= ply}
        self._revealed = {key: revealed for key, revealed in self._revealed.items() if key[2] <= ply}

    def line(self, seat: int, ply: int) -> LogLine:
        """Return what `seat` saw happen at one ply, from 1."""
        if (seat, ply) not in self._lines:
            move = self._history.moves[ply - 1]
            before, after = self.observation(seat, ply - 1), self.observation(seat, ply)
            label, items = self._game.vocabulary.narrate(before, move.action)
            events = tuple(self._game.events(before, after, seat))
            self._lines[seat, ply] = LogLine(
                ply=ply,
                seat=move.seat,
                move=move.text,
                who=self._game.mover_name(before),
                label=label,
                items=items,
                events=events,
                motions=self._game.motions(before, after, seat),
            )
        return self._lines[seat, ply]

    def revealed_information(self, ply: int) -> bool:
        """Say whether the move before a ply showed its seat what it could not know: a drawn card."""
        return ply > 0 and self.revealed_since(self._history.moves[ply - 1].seat, ply - 1, ply)

    def revealed_since(self, seat: int, first: int, last: int) -> bool:
        """Say whether the moves from one ply to another showed a seat what it could not know at the first."""
        key = seat, first, last
        if key not in self._revealed:
            self._revealed[key] = self._reveals_information(seat, first, last)
        return self._revealed[key]

    def _reveals_information(self, seat: int, first: int, last: int) -> bool:
        """Replay moves with everything redealt that the seat didn't know; say whether it sees a difference.

        An opponent's move that would have been illegal also reveals something.
        """
        array_rules = self._game.array_rules
        before = self._history.state(first)
        before.rekey(0)
        known = before.to_bytes()
        seen = cache(lambda ply: self._blanked(self._history.state(ply), seat))
        for number in range(REDEALS):
            other = before.copy()
            other.rekey(stream(self._seed, f"redeal {number}", last))
            array_rules.determinize(other.cells, seat)
            other.rekey(0)
            if other.to_bytes() == known:  # nothing is hidden
                return False
            for ply in range(first, last):
                move = self._history.moves[ply]
                if ply > first and array_rules.why_not(other.cells, move.action):
                    return True
                other.rekey(stream(self._seed, f"chance {number}", ply + 1))
                array_rules.apply(other.cells, move.action)
                if self._blanked(other.copy(), seat) != seen(ply + 1):
                    return True
        return False

    def _blanked(self, game_state: GameState, seat: int) -> bytes:
        """Return what a seat sees of a state as bytes; the random stream is no part of the table."""
        self._game.array_rules.blank(game_state.cells, seat)
        game_state.rekey(0)
        return game_state.to_bytes()
