"""Say everything about dropping a disc, and what touching the rack could mean."""

from __future__ import annotations

from collections.abc import Sequence

from bartizan.engine.bits import lowest
from bartizan.engine.notation.grammar import one_of
from bartizan.engine.scene import Choice
from bartizan.engine.words import Explained, Told, Verb, offer
from connect_four import rules
from connect_four.state import ACTIONS, COLUMNS, ROWS, STRIDE, State
from connect_four.words.names import COLOURS, FILES, disc, place_name


class Drop(Verb):
    """Drop a disc into a column (CF-3, CF-4)."""

    form, example = "drop {column}", "drop d"
    words = {"column": one_of(*FILES)}

    def choice(self, look: State, column: int) -> Choice:
        """Offer a column; any free place of it may be touched."""
        row = lowest(rules.resting_place(look, column)) % STRIDE
        rests = place_name(column, row)
        return offer(
            "Drop",
            label=self.narrate(look, column)[0],
            items=(rests,),
            target=rests,
            marks={rests: "joined"},
            note=_what_it_brings(look, column),
            instead={rests: tuple(place_name(column, above) for above in range(row + 1, ROWS))},
        )

    def refusal(self, look: State, clause: str, column: int) -> Explained:
        """Explain that the column is full."""
        top = next(colour for colour in (0, 1) if look.discs[colour] >> column * STRIDE + ROWS - 1 & 1)
        return f"Column {FILES[column]} is full: it holds {ROWS} discs.", [disc(top, column, ROWS - 1)]

    def narrate(self, look: State, column: int) -> Told:
        """Tell where the disc comes to rest."""
        row = lowest(rules.resting_place(look, column)) % STRIDE
        at = place_name(column, row)
        return f"{COLOURS[look.to_move]} drops a disc on {at}", (at,)


def _what_it_brings(observation: State, column: int) -> str:
    place = rules.resting_place(observation, column)
    loses = observation.options.misere
    if rules.has_line(observation.discs[observation.to_move] | place):
        return "makes four in a line: you lose" if loses else "makes four in a line: you win"
    if rules.has_line(observation.discs[1 - observation.to_move] | place):
        return "takes a place where the other would make four in a line"
    return ""


def intents(observation: State, items: Sequence[str]) -> list[int]:
    """Return the actions that touching places or discs could mean: a disc into their column."""
    columns = []
    for column in range(COLUMNS):
        names = {place_name(column, row) for row in range(ROWS)}
        names |= {disc(colour, column, row) for colour in (0, 1) for row in range(ROWS)}
        if names.intersection(items):
            columns.append(column)
    return [ACTIONS.encode("drop", column=column) for column in columns] if len(columns) == 1 else []


def events(before: State, after: State, seat: int) -> list[str]:
    """Tell the end, and nothing else: a move says itself what it does."""
    if after.winner == 0 or before.winner:
        return []
    made = any(rules.has_line(discs) for discs in after.discs)
    return [f"{COLOURS[before.to_move]} makes four in a line."] if made else ["The rack is full."]
