"""Name actions by their cards: slots of a hand mean other cards when what is hidden is dealt again."""

from __future__ import annotations

from bartizan.engine.actions import ActionSpace, block
from bartizan.engine.piles import find
from bartizan.engine.record import EMPTY
from bartizan.engine.rule import rule
from bartizan.games.card_cassonne.state import ACTIONS, DECLINE, DONE, FACES, PLAY, RING, SCORE, TOKEN, State

KEYS = ActionSpace(  # the actions, a card by its face
    block("play", face=FACES, cell=RING),
    block("token"),
    block("decline"),
    block("score", cell=RING),
    block("done"),
)
PLAY_KEY, SCORE_KEY = KEYS["play"], KEYS["score"]
TOKEN_KEY, DECLINE_KEY, DONE_KEY = (KEYS[verb].first for verb in ("token", "decline", "done"))


@rule
def key_of_play(s: State, slot: int, cell: int) -> int:
    """Return the key of a card that is played: its face and the cell."""
    return PLAY_KEY.id(s.players[s.to_move - 1].hand.cards[slot], cell)


@rule
def key_of_score(s: State, cell: int) -> int:
    """Return the key of an area that is scored."""
    return SCORE_KEY.id(cell)


@rule
def key_of_token(s: State) -> int:
    """Return the key of placing a token."""
    return TOKEN_KEY


@rule
def key_of_decline(s: State) -> int:
    """Return the key of placing none."""
    return DECLINE_KEY


@rule
def key_of_done(s: State) -> int:
    """Return the key of scoring no more."""
    return DONE_KEY


key_of = ACTIONS.rule("key_of", "key_of_{}")


@rule
def action_of_play(s: State, face: int, cell: int) -> int:
    """Return the action that plays a card, or EMPTY where the hand lacks it."""
    slot = find(s.players[s.to_move - 1].hand, face)
    return PLAY.id(slot, cell) if slot != EMPTY else EMPTY


@rule
def action_of_score(s: State, cell: int) -> int:
    """Return the action that scores an area."""
    return SCORE.id(cell)


@rule
def action_of_token(s: State) -> int:
    """Return the action that places a token."""
    return TOKEN.first


@rule
def action_of_decline(s: State) -> int:
    """Return the action that places none."""
    return DECLINE.first


@rule
def action_of_done(s: State) -> int:
    """Return the action that scores no more."""
    return DONE.first


action_of = KEYS.rule("action_of", "action_of_{}")
