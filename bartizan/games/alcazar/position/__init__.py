"""Write and read whole positions of Alcazar as tables (see the notation of positions)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bartizan.engine.cards import HIDDEN, NOTHING, POKER
from bartizan.engine.notation.codec import Key, PositionCodec, choice, integer, truth
from bartizan.engine.record import EMPTY, Pile
from bartizan.games.alcazar import rules, table
from bartizan.games.alcazar.options import ActionsPerTurn, Options
from bartizan.games.alcazar.phases import PHASES
from bartizan.games.alcazar.position.cards import CardReader
from bartizan.games.alcazar.position.checks import check_end, check_phase, check_table
from bartizan.games.alcazar.state import FRONT, JOKER, REAR, Phase, State, Step, Winner
from bartizan.games.alcazar.words.names import ARMY_NAMES

WINNERS = ("none", "player", "loss")
STEPS = (  # in the order of `state.Step`
    *(f"setup {army}" for army in ARMY_NAMES),
    *(f"movement {army}{rank}" for army in ARMY_NAMES for rank in ("", ".rear")),
    "draw",
    "action",
    "round end",
)
DONE = ("defend", "repair", "special")
MOST_ACTIONS = 100  # the state counts them in bytes; as each costs a card, no turn comes near


# --- Cards --------------------------------------------------------------------


def _cards(name: str, write: Callable[[State], list[str]]) -> Key:
    """Return the key of some cards; those of all keys are laid when all are known."""
    return Key(name, write, lambda reader, state: reader.name_cards(name, state))


def _pile(name: str, *, top_first: bool) -> Key:
    """Return the key of a pile, written from its top or from its bottom."""

    def write(state: State) -> list[str]:
        texts = _texts(getattr(state, name))
        return texts if top_first else texts[::-1]

    return _cards(name, write)


def _texts(pile: Pile) -> list[str]:
    return [POKER.text(card) for card in pile.listed()]


def _tower(state: State) -> list[str]:
    texts = _texts(state.tower)
    return texts[:1] + [HIDDEN + card for card in texts[1:]]


def _army(army: int) -> Callable[[State], list[str]]:
    return lambda state: [_enemy(state, 2 * army + FRONT), _enemy(state, 2 * army + REAR)]


def _enemy(state: State, place: int) -> str:
    if state.enemy[place] == EMPTY:
        return NOTHING
    return ("" if state.face_up[place] else HIDDEN) + POKER.text(state.enemy[place])


def _read_borrowed(reader: CardReader, state: State) -> None:
    reader.borrowed = reader.parsed("borrowed", POKER.parse)


def _read_rest(reader: CardReader, state: State) -> None:
    reader.is_rest_aside = reader.word("rest", "shuffle", ("shuffle", "aside")) == "aside"


# --- Figures ------------------------------------------------------------------


def _done(state: State) -> list[str]:
    counts = (state.defences, state.repairs, state.specials)
    return [kind for kind, count in zip(DONE, counts, strict=True) for _ in range(count)]


def _read_done(reader: CardReader, state: State) -> None:
    """Count the actions of the turn (ALC-17)."""
    done = reader.texts("done")
    for kind in dict.fromkeys(done):
        if kind not in DONE:
            reader.fault("ALC-17", f"done names {kind!r}; the kinds are {', '.join(DONE)}")
    limit = table.ACTION_LIMITS[state.options.actions_per_turn] or MOST_ACTIONS
    if state.options.actions_per_turn == ActionsPerTurn.ONE_OF_EACH:
        limit = len(set(done))
    if len(done) > limit:
        reader.fault("ALC-17", f"done has {len(done)} actions; the turn allows {limit}")
        done = []
    state.defences, state.repairs, state.specials = (done.count(kind) for kind in DONE)


def _resume(state: State) -> str:
    """Return where the round goes on, which is open only where something interrupts it."""
    return STEPS[state.step if state.phase in (Phase.THIEF, Phase.NECROMANCER) else Step.ACTION]


# --- Both ways ----------------------------------------------------------------


def _start(options: Options, seats: int, seed: str) -> State:
    """Return a table without cards, in the player's first turn."""
    state = State()
    options.put_into(state.options)
    state.round = 1
    state.phase, state.step = Phase.ACTION, Step.ACTION
    return state


def _deal(reader: CardReader, state: State) -> None:
    """Lay the cards that the position names, and deal the others; that changes nothing in the round."""
    changed = state.changed
    reader.deal(state)
    state.changed = changed


def _passes_made(state: State) -> int:
    """Return how often the deck must have run out: as a win needs where it was won."""
    return int(table.passes_needed(state)) if state.winner == Winner.PLAYER else 0


def _finish(state: State) -> None:
    """Begin a round that is to begin, and name the clause of an end."""
    if state.phase == Phase.RUNNING:
        state.step = rules.opening_step(state)
    elif state.winner == Winner.PLAYER:
        table.win(state)
    elif state.winner == Winner.LOSS:
        table.lose(state)


def _settle_jokers(state: State) -> None:
    for cards in (state.deck.cards, state.tower.cards, state.discard.cards, state.aside.cards, state.enemy):
        for place, card in enumerate(cards):
            if card > JOKER:
                cards[place] = JOKER


POSITION = PositionCodec(
    integer("round", low=1, high=lambda state: state.options.round_cap, clause="ALC-10"),
    choice("phase", PHASES.names),
    choice("winner", WINNERS),
    _cards("tower", _tower),
    *(_cards(name, _army(army)) for army, name in enumerate(ARMY_NAMES)),
    _pile("hand", top_first=False),
    _pile("advantages", top_first=False),
    _pile("deck", top_first=True),
    _pile("discard", top_first=True),
    _pile("aside", top_first=False),
    Key("borrowed", lambda state: _texts(state.borrowed)[::-1], _read_borrowed),
    Key("done", _done, _read_done),
    truth("traded"),
    integer("passes", low=0, high=table.passes_needed, default=_passes_made, clause="ALC-67"),
    integer("still", low=0, high=2, clause="ALC-67"),
    truth("changed"),
    replace(choice("resume", STEPS, field="step"), write=_resume),
    Key("rest", lambda state: None, _read_rest),
    start=_start,
    reader=CardReader,
    checks=(_deal, check_table, check_phase, check_end),
    finish=_finish,
    unordered=("hand", "borrowed", "done", "aside"),
    faceless=("tower", "deck"),
    # A position does not tell the two Jokers apart, nor at its end where the round would have gone on.
    untold={"known": (0, 1), "step": (0, max(Step))},
    settle=_settle_jokers,
)
