"""Define each verb: its notation, what it offers, why it is refused and how the log describes it."""

from __future__ import annotations

from bartizan.engine.errors import IllegalMove
from bartizan.engine.notation.grammar import Word, one_of
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Narration, Verb, offer
from bartizan.games.castle_danger import rules
from bartizan.games.castle_danger.board import (
    AHEAD,
    COLUMNS,
    FARTHEST,
    FILES,
    NOBODY,
    PORTALS,
    ROWS,
    SQUARES,
    half_of,
    name,
    numbered,
    squares_of,
)
from bartizan.games.castle_danger.options import AddTiming, FriendlyFire
from bartizan.games.castle_danger.state import STEP_OFFSETS, State
from bartizan.games.castle_danger.words.names import (
    COLOUR_NAMES,
    KINDS,
    UNIT_NAMES,
    first_wall,
    moves,
    own_portal,
    thing,
    token,
    unit_at,
    upper,
)

OFF_THE_BOARD = -1


def _read_square(state: State, text: str) -> int:
    if text[0].lower() not in FILES or len(text) > 2 or not 1 <= int(text[1:]) <= ROWS:
        columns = f"columns are a to {FILES[-1]}, rows 1 to {ROWS}"
        raise ValueError(f"there is no square {text}: {columns}")
    return numbered(text)


SQUARE = Word(
    pattern=r"[A-Z]\d+",
    write=lambda state, at: "?" if at == OFF_THE_BOARD else name(at),
    read=_read_square,
)


# --- What several verbs say --------------------------------------------------


def _left(observation: State, spent: int) -> str:
    """Say what is left after spending some moves."""
    left = observation.moves_left - spent
    return f"{moves(left)} left" if left else "your last move, so your turn ends"


def _not_yours(observation: State, at: int, verb: str) -> Explained:
    what = thing(observation, at)
    if unit_at(observation, at):
        whose = COLOUR_NAMES[observation.to_move]
        return f"You can't use {what} on {name(at)}. It's {whose}'s turn.", [token(observation, at)]
    return f"There is {what or 'nothing'} on {name(at)}. Choose one of your own units to {verb}.", [
        token(observation, at)
    ]


def _is_river(observation: State, at: int) -> Explained:
    return f"{name(at)} is river. Nothing can move there.", [token(observation, at)]


class _Building(Verb):
    """What Builders do to a square; you may touch any Builder next to it."""

    words = {"square": SQUARE}
    button = ""  # what it is called
    label = ""  # as a sentence
    mark = ""  # what happens to the square

    def target(self, observation: State, square: int) -> str:
        """Return the id of the square or wall."""
        return name(square)

    def choice(self, look: State, square: int) -> Choice:
        """Offer it with each Builder that reaches the square."""
        builders = [token(look, at) for at in squares_of(rules.builders_at(look, square))]
        target = self.target(look, square)
        return offer(
            self.button,
            label=f"{self.label} {name(square)}",
            items=(builders[0], target),
            target=target,
            marks={target: self.mark},
            note=_left(look, 1),
            instead={builders[0]: tuple(builders[1:])} if builders[1:] else {},
        )

    def narrate(self, look: State, square: int) -> Narration:
        """Describe it."""
        return f"{self.label} {name(square)}", (name(square),)

    @staticmethod
    def no_builder(observation: State, square: int) -> Explained:
        """Explain that no Builder is in reach."""
        how = "directly or diagonally next to" if observation.options.builder_diagonal else "next to"
        return f"None of your Builders is {how} {name(square)}.", [token(observation, square)]


# --- The verbs, in the order of a turn ---------------------------------------


class Add(Verb):
    """Add a new piece to your Portal (CD-22 to CD-24)."""

    form, example = "add {kind}", "add wizard"
    words = {"kind": one_of(*KINDS)}

    def choice(self, look: State, kind: int) -> Choice:
        """Offer a kind."""
        cost, portal = rules.price(look), name(own_portal(look))
        return offer(
            f"Add {KINDS[kind].title()}",
            label=self.narrate(look, kind)[0],
            items=(portal,),
            marks={portal: "joined"},
            note=f"costs {moves(cost)}; {_left(look, cost)}"
            if cost
            else "free, because you have fewer units",
        )

    def narrate(self, look: State, kind: int) -> Narration:
        """Say what was added."""
        portal = name(own_portal(look))
        return f"Add a {KINDS[kind].title()} on {portal}", (portal,)

    def refusal(self, look: State, clause: str, kind: int) -> Explained:
        """Explain what the Portal, the moves or the box prevents."""
        portal = own_portal(look)
        blockers = [token(look, portal)]
        if clause == "CD-24":
            return (
                f"A new piece costs {moves(rules.price(look))}, but you have only {look.moves_left} left.",
                blockers,
            )
        if not rules.portal_is_open(look):
            return f"{upper(thing(look, portal))} is on your Portal, {name(portal)}.", blockers
        if not look.may_add:
            late = look.options.add_timing == AddTiming.STEP3
            rest = ", before you spend a move" if late else ""
            return f"Add one piece a turn{rest}, if your Portal was open when the turn began.", blockers
        return f"You have no {KINDS[kind].title()}s left in the box.", []


class Step(Verb):
    """Move a unit one square (CD-26 to CD-29); the notation names the square it moves to."""

    form, example = "{square}[-]{to}", "d1-d2"
    words = {"square": SQUARE, "to": SQUARE}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return both squares."""
        at, direction = fields["square"], fields["direction"]
        return {"square": at, "to": at + STEP_OFFSETS[direction] if _stays(at, direction) else OFF_THE_BOARD}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the direction. Raises `IllegalMove` for squares that aren't adjacent."""
        at, to = words["square"], words["to"]
        if abs(to % COLUMNS - at % COLUMNS) + abs(to // COLUMNS - at // COLUMNS) != 1:
            where = "is where it is now" if at == to else f"isn't next to {name(at)}"
            raise IllegalMove(
                f"Move one square at a time, up, down, left or right: {name(to)} {where}.", "CD-26"
            )
        return {"square": at, "direction": STEP_OFFSETS.index(to - at)}

    def choice(self, look: State, square: int, direction: int) -> Choice:
        """Offer a step."""
        target = name(square + STEP_OFFSETS[direction])
        return offer(
            "Move",
            label=self.narrate(look, square, direction)[0],
            items=(token(look, square), target),
            target=target,
            note=_left(look, 1),
        )

    def narrate(self, look: State, square: int, direction: int) -> Narration:
        """Say which unit moved where."""
        at, to = name(square), name(square + STEP_OFFSETS[direction])
        return f"{UNIT_NAMES[unit_at(look, square)]} from {at} to {to}", (at, to)

    def refusal(self, look: State, clause: str, square: int, direction: int) -> Explained:
        """Explain that it isn't the player's unit, or what is in the way."""
        to = square + STEP_OFFSETS[direction]
        if not rules.own(look, rules.units(look)) >> square & 1:
            return _not_yours(look, square, "move")
        if clause == "CD-28":
            return _is_river(look, to)
        if not _stays(square, direction):
            return f"{name(square)} is at the edge of the board.", [token(look, square)]
        return f"{upper(thing(look, to))} is in the way on {name(to)}.", [token(look, to)]


def _stays(at: int, direction: int) -> bool:
    """Return whether a step stays on the board."""
    to = at + STEP_OFFSETS[direction]
    return 0 <= to < SQUARES and (to % COLUMNS == at % COLUMNS or to // COLUMNS == at // COLUMNS)


class Wall(_Building):
    """Build a wall (CD-30, CD-31)."""

    form, example = "wall {square}", "wall c2"
    button, label, mark = "Build", "Build a wall on", "joined"

    def refusal(self, look: State, clause: str, square: int) -> Explained:
        """Explain whether the ground, the Builders or another piece prevents it."""
        at, there = name(square), [token(look, square)]
        if clause == "CD-28":
            return _is_river(look, square)
        if clause == "CD-5":
            return f"{at} is sand. Build walls on grass.", there
        if not rules.within_reach(look) >> square & 1:
            return self.no_builder(look, square)
        if rules.pieces(look) >> square & 1:
            return f"{upper(thing(look, square))} is already on {at}.", there
        if not look.options.wall_on_portal and PORTALS >> square & 1:
            return f"{at} is a Portal. In this game you can't build a wall there.", there
        if rules.flames(look) >> square & 1:
            return f"{upper(thing(look, square))} burns on {at}, so you can't build there.", there
        return f"All {rules.WALLS} walls from the box are on the board.", []


class Raze(_Building):
    """Remove a wall (CD-32)."""

    form, example = "raze {square}", "raze c2"
    button, label, mark = "Remove", "Remove the wall from", "destroyed"

    def target(self, observation: State, square: int) -> str:
        """Return the wall's id."""
        return token(observation, square)

    def refusal(self, look: State, clause: str, square: int) -> Explained:
        """Explain that there is no wall, or no Builder in reach."""
        if not look.walls >> square & 1:
            return f"There is no wall on {name(square)}.", [token(look, square)]
        return self.no_builder(look, square)


class Fire(Verb):
    """Fire a Cannon (CD-33 to CD-40); the notation names the square where the ball lands."""

    form, example = "fire {square} {target}", "fire d3 d7"
    words = {"square": SQUARE, "target": SQUARE}

    def to_words(self, state: State, fields: dict[str, int]) -> dict[str, int]:
        """Return both squares."""
        return {"square": fields["square"], "target": rules.landing(fields["square"], fields["row"])}

    def to_fields(self, state: State, words: dict[str, int]) -> dict[str, int]:
        """Return the row. Raises `IllegalMove` for squares in different columns."""
        at, to = words["square"], words["target"]
        if to % COLUMNS != at % COLUMNS:
            along = f"from {name(at)}, only along column {FILES[at % COLUMNS]}"
            raise IllegalMove(f"A Cannon fires straight ahead: {along}.", "CD-33")
        return {"square": at, "row": to // COLUMNS}

    def choice(self, look: State, square: int, row: int) -> Choice:
        """Offer a shot; flag a shot at your own side as risky."""
        to = rules.landing(square, row)
        hit = thing(look, to) if rules.pieces(look) >> to & 1 else ""
        target = token(look, to) if hit else name(to)
        return offer(
            "Fire",
            label=self.narrate(look, square, row)[0],
            items=(token(look, square), target),
            target=target,
            marks={target: "destroyed" if hit else "burning"},
            note=shot_note(look, square, to),
            careful=half_of(to) == look.to_move,
        )

    def narrate(self, look: State, square: int, row: int) -> Narration:
        """Say what the Cannon fired at."""
        to = rules.landing(square, row)
        hit = f", {thing(look, to)}" if rules.pieces(look) >> to & 1 else ""
        return f"Fire the Cannon on {name(square)} at {name(to)}{hit}", (name(square), name(to))

    def refusal(self, look: State, clause: str, square: int, row: int) -> Explained:
        """Explain whether the Cannon, its line or the moves prevent it."""
        at, to = name(square), rules.landing(square, row)
        cannon = [token(look, square)]
        if not rules.own(look, look.cannons) >> square & 1:
            if look.cannons >> square & 1:
                return _not_yours(look, square, "fire")
            return f"There is {thing(look, square) or 'nothing'} on {at}. Only Cannons can fire.", cannon
        if clause == "CD-39":
            return f"The Cannon on {at} has already fired this turn.", cannon
        if clause == "CD-33":
            return f"A Cannon fires towards the other side. {name(to)} isn't ahead of {at}.", cannon
        if clause == "CD-37":
            ahead = AHEAD[square * (FARTHEST + 1) + FARTHEST] & look.walls
            wall = first_wall(int(ahead), look.to_move)
            return f"The wall on {name(wall)} stops the ball before {name(to)}.", [token(look, wall)]
        if clause == "CD-38":
            far = rules.distance(square, to)
            return (
                f"{name(to)} is {far} squares away, but you have only {moves(look.moves_left)} left.",
                cannon,
            )
        return _no_target(look, to)


def shot_note(observation: State, at: int, to: int) -> str:
    """Say what a shot would do."""
    cost = rules.distance(at, to)
    letter = unit_at(observation, to)
    mine = half_of(to) == observation.to_move
    if letter == "K":
        return "hits your own King: you lose" if mine else "hits the King: you win"
    fire = "" if PORTALS >> to & 1 else f"leaves Fire on {name(to)}"
    if letter:
        effect = f"destroys {'your own' if mine else 'the'} {UNIT_NAMES[letter]}"
    elif observation.walls >> to & 1:
        effect = f"destroys {'your own' if mine else 'the'} wall"
    else:
        effect, fire = fire or "hits the empty Portal without effect", ""
    return f"{effect}{' and ' if fire else ''}{fire}; {moves(cost)}, {_left(observation, cost)}"


def _no_target(observation: State, to: int) -> Explained:
    there = [token(observation, to)]
    if half_of(to) == observation.to_move and rules.pieces(observation) >> to & 1:
        walls_only = observation.options.friendly_fire == FriendlyFire.WALLS_ONLY
        spared = "units" if walls_only else "units and walls"
        return (
            f"{upper(thing(observation, to))} is yours. In this game you can't hit your own {spared}.",
            there,
        )
    if half_of(to) != NOBODY:
        return f"On your own side a ball must hit something, and {name(to)} is empty.", there
    return f"{name(to)} is river. You can't hit anything there.", there


class End(Verb):
    """End the turn (CD-41)."""

    form = example = "end"

    def choice(self, look: State) -> Choice:
        """Offer it."""
        return offer("End turn", label=self.narrate(look)[0], note=f"{moves(look.moves_left)} unused")

    def narrate(self, look: State) -> Narration:
        """Say whose turn is next."""
        return f"End the turn: {COLOUR_NAMES[1 - look.to_move]} is next", ()
