"""Replay recorded games with other rules: find refused moves, the clauses that refuse them, and new winners.

The games of an experiment's first cell are replayed move by move at tables with the options of each other
cell.  If a move is refused, the game ends early, or the record ends first, the same players continue from
there under the other rules.  They also continue under the original rules with the same dice, which
shows how many winners would change from new dice alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass

import polars as pl

from bartizan.engine.errors import BartizanError, IllegalMove
from bartizan.engine.rng import stream
from bartizan.lab.batch import MAX_SEARCHED_PLIES, GameBatch
from bartizan.lab.design import Cell, Design
from bartizan.match.history import CheckedMove
from bartizan.match.match import Match
from bartizan.search.players import Player

NO_CLAUSE = "no_clause"  # where a move cannot be read by the other rules, or another seat is asked

SCHEMA: dict[str, pl.DataType] = {
    "game": pl.Int64(),
    "cell": pl.Int32(),  # whose rules were tried
    "deal": pl.Int64(),
    "plies": pl.Int32(),  # of the record
    "refused_at": pl.Int32(),  # decisions before the first move that cannot be played; -1 where all can
    "clause": pl.String(),  # that refuses it, or has ended the game; empty where all can be played
    "ended": pl.Boolean(),  # whether it cannot be played because the game is over by then
    "goes_on": pl.Boolean(),  # whether all moves can be played, and the game is not over then
    "flipped": pl.Boolean(),  # whether the winners differ from the record's
    "flipped_anyway": pl.Boolean(),  # whether they differ under the original rules too, with new dice
}


@dataclass(frozen=True)
class Trial:
    """The result of replaying one recorded game under other rules; see `SCHEMA`."""

    plies: int
    refused_at: int
    clause: str
    ended: bool
    goes_on: bool
    flipped: bool
    flipped_anyway: bool


def sampled_deals(design: Design) -> int:
    """Return the number of deals whose games are tried."""
    return -(-design.tried // design.games_of(design.cells[0]))


def try_game(batch: GameBatch, other: Cell, seed: str, slot: int) -> Trial:
    """Play a batch's game again under the options of another cell.

    `slot` tells the games of one deal apart, as in `GameBatch.play`.
    """
    recorded = batch.match(seed, batch.actions(seed, slot))
    winners, plies = _winners(recorded), recorded.last_ply
    tried = Match(batch.game, other.options, batch.seats, seed)
    refused_at, clause, ended = _follow(tried, recorded)
    flipped_anyway = False
    if refused_at >= 0 and not ended:
        recorded.go_to(refused_at)
        _go_on(recorded, batch, slot)
        flipped_anyway = _winners(recorded) != winners
    goes_on = refused_at < 0 and not tried.is_over
    _go_on(tried, batch, slot)
    flipped = _winners(tried) != winners
    return Trial(plies, refused_at, clause, ended, goes_on, flipped, flipped_anyway)


def row_of(game: int, other: Cell, deal: int, trial: Trial) -> tuple[object, ...]:
    """Return a trial as a row of the frame."""
    return (game, other.number, deal, *astuple(trial))


def frame_of_trials(rows: Iterable[tuple[object, ...]]) -> pl.DataFrame:
    """Return rows as a frame."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def _winners(match: Match) -> tuple[int, ...]:
    """Return who has won; no one while a game runs."""
    outcome = match.outcome
    return outcome.winners if outcome else ()


def _follow(tried: Match, recorded: Match) -> tuple[int, str, bool]:
    """Play the moves of a record as far as they go.

    Return the ply of the first that cannot be played (-1: none), the clause, whether the game is over there.
    """
    for ply, (text, seat) in enumerate(zip(recorded.moves, recorded.movers, strict=True)):
        outcome = tried.outcome
        if outcome is not None:
            return ply, outcome.clause, True
        checked = _checked(tried, text, seat)
        if isinstance(checked, str):
            return ply, checked, False
        tried.push(checked)
    return -1, "", False


def _checked(tried: Match, text: str, seat: int) -> CheckedMove | str:
    """Return a move that can be played, or the clause that refuses it."""
    try:
        checked = tried.check(text)
    except IllegalMove as error:
        return error.clause or NO_CLAUSE
    except BartizanError:
        return NO_CLAUSE
    return checked if checked.seat == seat else NO_CLAUSE


def _go_on(match: Match, batch: GameBatch, slot: int) -> None:
    """Let the players of a batch play a game to its end, with dice that are always the same."""
    players = [
        Player.named(batch.game, name, stream(match.seed, "what-if", slot, seat))
        for seat, name in enumerate(batch.players)
    ]
    while not match.is_over and match.ply < MAX_SEARCHED_PLIES:
        player = players[match.seat_to_move - 1]
        match.play(player.choose(match.game_state(), match.legal(), match))
