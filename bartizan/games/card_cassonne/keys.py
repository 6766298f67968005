"""Name actions by their cards: slots of a hand mean other cards when what is hidden is dealt anew."""

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


@rule
def key_of_play(s: State, slot: int, cell: int) -> int:
    """Return the key of a card that is played: its face and the cell."""
    return PLAY_KEY.id(s.players[s.to_move - 1].hand.cards[slot], cell)


@rule
def key_of_score(s: State, cell: int) -> int:
    """Return the key of an area that is scored."""
    return SCORE_KEY.id(cell)


key_of = ACTIONS.rule(
    "key_of",
    play=key_of_play,
    token=KEYS["token"].first,
    decline=KEYS["decline"].first,
    score=key_of_score,
    done=KEYS["done"].first,
)


@rule
def play_of(s: State, face: int, cell: int) -> int:
    """Return the action that plays a card, or EMPTY where the hand lacks it."""
    slot = find(s.players[s.to_move - 1].hand, face)
    return PLAY.id(slot, cell) if slot != EMPTY else EMPTY


@rule
def score_of(s: State, cell: int) -> int:
    """Return the action that scores an area."""
    return SCORE.id(cell)


action_of = KEYS.rule(
    "action_of",
    play=play_of,
    token=TOKEN.first,
    decline=DECLINE.first,
    score=score_of,
    done=DONE.first,
)
