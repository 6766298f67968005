"""Find what no game can come to in a position that was read: the phase, the turn and the table disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from bartizan.engine.notation import PositionReader
from bartizan.engine.record import EMPTY
from bartizan.games.card_barrage import aftermath, effects, rules, table
from bartizan.games.card_barrage.cards import TECH
from bartizan.games.card_barrage.options import CastleHitEmpty, CastleTrigger, PerfectSlot, WallSetup
from bartizan.games.card_barrage.phases import PHASES
from bartizan.games.card_barrage.position.winner import winner_of
from bartizan.games.card_barrage.state import SOLO, WALLS, Phase, State
from bartizan.games.card_barrage.words.names import many, numbers_of, spot

Fault = tuple[str, str]  # the clause and a sentence
Check = Callable[[PositionReader, State], None]

OWING = (Phase.GIVE,)  # phases in which cards are owed for castles
SCORING = (Phase.GIVE, Phase.EFFECT)  # … in which the offer of an effect is not settled yet
OPEN = (Phase.GIVE, Phase.EFFECT, Phase.DISCARD, Phase.REPLACE)  # … which an attack brings, and only it


def open_walls(state: State) -> list[int]:
    """Return the walls, by number, that await replacement."""
    return [wall for wall, card in enumerate(state.open) if card != EMPTY]


def first_asked(state: State) -> int:
    """Return the seat that decides first in a phase of defenders; in others who is to move."""
    if state.phase == Phase.GIVE and state.gives:
        return numbers_of(state.gives)[0] - 1
    if state.phase == Phase.REPLACE and (walls := open_walls(state)):
        return next((seat for wall in walls if aftermath.can_replace(state, seat := wall // WALLS)),
                    walls[0] // WALLS)  # fmt: skip
    return state.to_move


def _name(state: State) -> str:
    return repr(PHASES[state.phase].name)


# --- The turn ----------------------------------------------------------------


def _turn(state: State) -> Iterator[Fault]:
    """Check who decides in which phase, and what has been done before."""
    phase, mover, active = state.phase, state.to_move, state.active
    if state.built and state.attacked:
        yield "CB-18", "built and attacked are both true; whoever builds does not attack"
    if phase in (Phase.TURN, Phase.EFFECT) and mover != active:
        yield "CB-15", f"to_move is {mover + 1} in the turn of seat {active + 1}"
    if phase == Phase.DISCARD:
        if mover != active and table.side_of(state, mover) == table.side_of(state, active):
            yield "CB-40", f"to_move is {mover + 1}: an effect makes its own seat discard, or an enemy"
        if not state.hand[mover].count:
            yield "CB-40", f"seat {mover + 1} has no card in hand"
    if phase in OPEN and not state.attacked and not table.is_simulacrum(state, active):
        yield "CB-21", f"phase is {_name(state)}, which only an attack brings, and attacked is false"
    if phase == Phase.WALLS and (state.built or state.upgraded or state.attacked):
        yield "CB-15", "built, upgraded and attacked are of a turn, and none begins before the walls are laid"


def _simulacrum(state: State) -> Iterator[Fault]:
    """Check the turn and the hand of the simulacrum, which has neither decisions nor cards (CB-45, CB-46)."""
    phase, active, mover = state.phase, state.active, state.to_move
    if phase == Phase.REVEAL and (state.seats != SOLO or active != 1 or mover != 0):
        yield "CB-46", "phase is 'reveal' only alone, in the turn of seat 2, for seat 1 to move"
    if state.seats != SOLO:
        return
    shows = table.is_untold(state) and phase in (Phase.WALLS, Phase.GIVE, Phase.REPLACE)
    if phase not in (Phase.REVEAL, Phase.OVER) and table.is_simulacrum(state, mover) and not shows:
        yield "CB-46", "the simulacrum, seat 2, decides nothing"
    if phase == Phase.TURN and table.is_simulacrum(state, active):
        yield "CB-46", "the simulacrum's turn has phase 'reveal'"
    if phase in (Phase.EFFECT, Phase.DISCARD) and table.is_simulacrum(state, active):
        yield "CB-46", "the simulacrum uses no effects"
    if state.hand[1].count:
        sentence = (
            "seat 2 has cards in hand, but seats is 1: one person plays, and the simulacrum has no hand"
        )
        yield "CB-45", f"{sentence}; a duel has seats = 2"


def _ending(state: State) -> Iterator[Fault]:
    """Check which sides may have stormed a castle (CB-22, CB-Q30)."""
    wins = state.options.castle_trigger_wins and state.options.castle_trigger != CastleTrigger.OFF
    if state.stormed and not (wins and state.ending):
        why = "ending is false" if wins else "storming a castle does not win in this game"
        yield "CB-22", f"stormed names side {numbers_of(state.stormed)[0]}, but {why}"


# --- What an attack leaves to settle -----------------------------------------


def _aftermath(state: State) -> Iterator[Fault]:
    """Check that cards owed, cards scored and walls to replace fit the phase, and one throw (CB-37)."""
    phase, opened, owing = state.phase, len(open_walls(state)), len(numbers_of(state.gives))
    if state.gives and phase not in OWING:
        yield "CB-38", f"gives names seat {numbers_of(state.gives)[0]}, but phase is {_name(state)}"
    if not state.gives and phase in OWING:
        yield "CB-38", "phase is 'give', but gives names no one"
    if state.newly and phase not in SCORING:
        yield (
            "CB-40",
            f"scored names {many(state.newly, 'card')}, but in phase {_name(state)} the offer is settled",
        )
    if phase == Phase.EFFECT and not effects.is_third(state):
        yield "CB-40", "phase is 'effect', but no card in scored is a third one of its pile"
    if opened and phase not in OPEN:
        yield "CB-42", f"open names {many(opened, 'wall')}, but phase is {_name(state)}"
    if not opened and phase == Phase.REPLACE:
        yield "CB-42", "phase is 'replace', but open names no wall"
    most, clause = (1, "CB-46") if table.is_simulacrum(state, state.active) else (2, "CB-37")
    targets = owing + max(state.newly, opened)
    if targets > most:
        yield clause, f"gives, scored and open name {targets} targets; one attack hits at most {most}"
    if phase in (Phase.GIVE, Phase.REPLACE) and state.to_move not in (
        first_asked(state),
        *(wall // WALLS for wall in open_walls(state)[:1] if phase == Phase.REPLACE),
    ):
        clause = "CB-38" if phase == Phase.GIVE else "CB-42"
        yield clause, f"to_move is {state.to_move + 1}; seat {first_asked(state) + 1} decides first"


def _owed(state: State) -> Iterator[Fault]:
    """Check that who owes a card has one to give (CB-38, CB-Q19, CB-Q39)."""
    off_deck: Counter[int] = Counter()  # how many cards each side owes of its deck
    for seat in (number - 1 for number in numbers_of(state.gives)):
        side = table.side_of(state, seat)
        asked = state.options.castle_hit_empty == CastleHitEmpty.DECK_CARD or table.is_simulacrum(state, seat)
        off_deck[side] += not state.hand[seat].count
        short = off_deck[side] > state.deck[side].count + state.discard[side].count
        if side == table.side_of(state, state.active):
            yield "CB-38", f"gives names seat {seat + 1}, which is no enemy"
        elif not state.hand[seat].count and not (table.is_untold(state) and asked and not short):
            yield "CB-38", f"gives names seat {seat + 1}, which has no card to give"


def _open(state: State) -> Iterator[Fault]:
    """Check that walls to replace were scored in this attack, and have left their slots (CB-35, CB-42)."""
    pile = state.score[table.keeper(state, state.active)]
    fallen = Counter(state.open[wall] for wall in open_walls(state))
    scored = Counter(state.scored[place] for place in range(state.newly))
    for card, copies in scored.items():
        if copies > pile.cards[card]:
            yield "CB-40", f"scored names the {TECH.text(card)}, which is not on the attacker's pile"
    for card, copies in fallen.items():
        if copies > pile.cards[card]:
            yield "CB-35", f"open names the {TECH.text(card)}, which is not on the attacker's pile"
        elif state.phase in SCORING and copies > scored[card]:
            yield "CB-40", f"open names the {TECH.text(card)}, which is not in scored"
    for wall in open_walls(state):
        place = spot(*divmod(wall, WALLS))
        if state.wall[wall] != EMPTY:
            yield "CB-42", f"open names {place}, where the {TECH.text(state.wall[wall])} stands"
        if state.lost >> wall & 1:
            yield "CB-44", f"open names {place}, which is lost"
        if table.side_of(state, wall // WALLS) == table.side_of(state, state.active):
            yield "CB-42", f"open names {place}, which is on the attacker's own side"


# --- The walls ---------------------------------------------------------------


def _slots(state: State) -> Iterator[Fault]:
    """Check which walls may be moved, and which slots lost."""
    for wall in range(state.castles * WALLS):
        seat, slot = divmod(wall, WALLS)
        stands = state.wall[wall] != EMPTY
        if state.moved >> wall & 1 and not stands:
            yield "CB-32", f"moved names slot {slot + 1} of seat {seat + 1}, where no wall stands"
        if state.lost >> wall & 1 and (stands or state.options.perfect_slot != PerfectSlot.LOST):
            yield "CB-44", f"lost names slot {slot + 1} of seat {seat + 1}, which is not lost"


def _first_walls(state: State) -> Iterator[Fault]:
    """Check the laying of the first walls: seat by seat, each with the cards for it (CB-12, CB-Q6)."""
    if state.phase != Phase.WALLS:
        return
    untold = table.is_untold(state)
    chosen = state.options.wall_setup == WallSetup.CHOSEN_FROM_9
    if not chosen and not untold:
        yield "CB-12", "phase is 'walls', but the walls are dealt in this game"
        return
    if state.lost:
        yield "CB-44", "a slot is lost before the first walls are laid"
    left = [pile.count + state.discard[side].count for side, pile in enumerate(state.deck)]
    for seat in range(state.castles):
        if table.is_simulacrum(state, seat) and not untold:
            continue  # its walls are dealt
        laid, side = table.count_walls(state, seat), table.side_of(state, seat)
        if (laid == state.slots) != (seat < state.to_move) or (laid and seat > state.to_move):
            yield (
                "CB-12",
                f"seat {seat + 1} has {many(laid, 'wall')}, and seat {state.to_move + 1} lays the next",
            )
        if untold and any(not table.stands(state, seat, slot) for slot in range(laid)):
            yield "CB-12", f"the walls of seat {seat + 1} are not told from left to right"
        missing = state.slots - laid
        if chosen and not table.is_simulacrum(state, seat):
            if state.hand[seat].count < missing:
                yield "CB-12", f"seat {seat + 1} has too few cards in hand for its walls"
            continue
        left[side] -= missing
        if left[side] < 0:
            yield "CB-12", f"the deck of seat {side + 1} has too few cards for the walls that are missing"


# --- The end -------------------------------------------------------------------


def _end(state: State) -> Iterator[Fault]:
    """Check that a game that is over has ended as the rules end it (CB-24)."""
    target = state.options.target
    if state.phase != Phase.OVER:
        return
    if not state.ending and table.most_points(state) < target and state.round < state.options.turn_cap:
        yield "CB-24", f"no one has {target} points and rounds are left, so the game is not over"
        return
    end = state.copy()
    rules.finish(end)
    if not state.winners:  # left out
        state.winners = end.winners
    elif state.winners != end.winners:
        yield "CB-24", f"winner is {winner_of(state)!r}; as the score stands it is {winner_of(end)!r}"


# --- All of them -----------------------------------------------------------------


def _check(find: Callable[[State], Iterator[Fault]], *needs: str) -> Check:
    """Return a check that is left out where keys on which it leans could not be read."""

    def check(reader: PositionReader, state: State) -> None:
        if reader.is_sound(*needs):
            for clause, sentence in find(state):
                reader.fault(clause, sentence)

    return check


CARDS = ("players", "rest")
CHECKS = (
    _check(_turn, "to_move", "active", "built", "upgraded", "attacked", *CARDS),
    _check(_simulacrum, "to_move", "active", *CARDS),
    _check(_ending, "stormed", "ending"),
    _check(_aftermath, "to_move", "active", "gives", "scored", "open", *CARDS),
    _check(_owed, "active", "gives", *CARDS),
    _check(_open, "to_move", "active", "scored", "open", *CARDS),
    _check(_slots, *CARDS),
    _check(_first_walls, "to_move", *CARDS),
    _check(_end, "to_move", "round", "ending", "stormed", "winner", *CARDS),
)
