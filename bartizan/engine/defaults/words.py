"""Derive a short game's words: move texts, what to touch for a move, refusals, and events."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any, ClassVar

from bartizan.engine.actions import Block
from bartizan.engine.defaults.short import ShortGame
from bartizan.engine.notation.grammar import Word, counted, one_of
from bartizan.engine.scene import Choice
from bartizan.engine.table import CardZone, Counter, Grid, size_of
from bartizan.engine.words import Explained, Narration, Verb, offer


class FieldWords:
    """What a field of a verb is called, how it is written, and what is touched for it."""

    def __init__(self, game: ShortGame, name: str, radix: int) -> None:
        self._game = game
        self.name = name
        self.radix = radix
        self.is_card = game.deck is not None and name == "card"
        self.is_seat = name == "seat" or name == "target"
        grids = game.grids
        self.square_of: Grid | None = next((each for each in grids if each.squares == radix), None)
        self.column_of: Grid | None = next(
            (each for each in grids if name == "column" and each.columns == radix), None
        )
        zones = [zone for zone in game.zones if zone.places == radix and zone.sees == "all"]
        self.place_of: CardZone | None = zones[0] if zones else None
        heaps = [each for each in game.heaps if each.places == radix]
        self.heap_of: Counter | None = heaps[0] if heaps and self.place_of is None else None

    @property
    def word(self) -> Word:
        """How it is written in a move."""
        deck = self._game.deck
        if self.is_card and deck is not None:
            return Word(r"\w\w", lambda state, card: deck.text(card), lambda state, text: deck.parse(text))
        grid = self.column_of or self.square_of
        if self.name == "number":
            return one_of(*map(str, range(self.radix)))
        if grid is None:
            return counted(1, self.radix, self.name)
        return one_of(*map(self._place_name, range(self.radix)))

    def _place_name(self, value: int) -> str:
        if self.column_of is not None:
            return chr(ord("a") + value)
        return self.square_of.square_id(value) if self.square_of is not None else str(value + 1)

    def spoken(self, value: int) -> str:
        """Return the spoken name of a value."""
        deck = self._game.deck
        if self.is_card and deck is not None:
            return f"the {deck.name(value)}"
        if self.name == "number":
            return str(value)
        if self.is_seat:
            return self._game.seat_names[value] if value < len(self._game.seat_names) else f"seat {value + 1}"
        if self.square_of is not None and self.column_of is None:
            return self._place_name(value)
        place = self.place_of or self.heap_of
        label = place.label if place is not None else self.name
        return f"{label} {self._place_name(value)}"

    def touched(self, observation: Any, value: int) -> tuple[str, ...]:
        """Return the ids that may be touched for a value, the best first; empty if there are none."""
        deck, mover = self._game.deck, observation.to_move
        if self.is_card and deck is not None:
            return (deck.text(value),)
        if self.column_of is not None:
            grid = self.column_of
            squares = [row * grid.columns + value for row in range(grid.rows)]
            free = [square for square in squares if getattr(observation, grid.name)[square] == 0]
            rest = [square for square in reversed(squares) if square not in free]
            return tuple(map(grid.square_id, [*free, *rest]))
        if self.square_of is not None:
            return (self.square_of.square_id(value),)
        if self.place_of is not None:
            zone = self.place_of
            index = (mover - 1) * zone.places + value if zone.per_seat else value
            return (zone.pile_id(index),)
        if self.heap_of is not None:
            return (self.heap_of.heap_id(mover if self.heap_of.per_seat else 0, value + 1),)
        return ()


class DefaultVerb(Verb):
    """The words of a verb for which the game defines none."""

    name: ClassVar[str]
    parts: ClassVar[dict[str, FieldWords]]
    game: ClassVar[ShortGame]

    def choice(self, look: Any, **fields: int) -> Choice:
        """Offer the move: a card or a place to touch for each field that has one."""
        touched = {name: self.parts[name].touched(look, value) for name, value in fields.items()}
        items = tuple(dict.fromkeys(ids[0] for ids in touched.values() if ids))
        return offer(
            self.name.replace("_", " ").capitalize(),
            label=self.narrate(look, **fields)[0],
            items=items,
            target=items[-1] if len(items) > 1 else "",
            instead={ids[0]: ids[1:] for ids in touched.values() if len(ids) > 1},
        )

    def refusal(self, look: Any, clause: str, **fields: int) -> Explained:
        """Quote the clause, and mark those of the touched things that are visible."""
        touched = [
            self.parts[name].touched(look, value)[:1]
            for name, value in fields.items()
            if not self.parts[name].is_card or _is_in_sight(self.game, look, value)
        ]
        return self.game.book.get(clause).text.strip(), [each for ids in touched for each in ids]

    def narrate(self, look: Any, **fields: int) -> Narration:
        """Describe the move in a sentence."""
        words = [self.parts[name].spoken(value) for name, value in fields.items()]
        sentence = " at ".join(
            filter(None, [" ".join([self.name.replace("_", " "), *words[:1]]), *words[1:]])
        )
        places = [self.parts[name].touched(look, value)[:1] for name, value in fields.items()]
        return sentence.capitalize(), tuple(each for ids in places for each in ids)


def make_words(game: ShortGame) -> types.ModuleType:
    """Return a module with a class of words for each verb, ``intents`` and ``events``."""
    module = types.ModuleType("words")
    parts = {
        block.name: {name: FieldWords(game, name, radix) for name, radix in block.fields.items()}
        for block in game.actions.blocks
    }
    for block in game.actions.blocks:
        kind = _verb_class(game, block, parts[block.name])
        setattr(module, kind.__name__, kind)

    def intents(observation: Any, items: Sequence[str]) -> list[int]:
        """Return the actions that touching these ids could mean."""
        places = []
        for block in game.actions.blocks:
            values = [_meant(parts[block.name][name], observation, items) for name in block.fields]
            if values and all(value >= 0 for value in values):
                places.append(game.actions.encode(block.name, **dict(zip(block.fields, values, strict=True))))
        return places

    def events(before: Any, after: Any, seat: int) -> list[str]:
        """Say who got what, and which cards a seat drew."""
        return [*_gains(game, before, after), *_draws(game, before, after, seat)]

    for function in (intents, events):
        function.__module__ = f"{game.home.__name__}.words"
        setattr(module, function.__name__, function)
    return module


def _verb_class(game: ShortGame, block: Block, parts: dict[str, FieldWords]) -> type[Verb]:
    word = block.name.replace("_", " ")
    form = f"{word} {' at '.join(f'{{{name}}}' for name in block.fields)}".strip()
    examples = [part.word.write(None, 0) for part in parts.values()]
    example = f"{word} {' at '.join(examples)}".strip()
    return type(
        block.name.title().replace("_", ""),
        (DefaultVerb,),
        {
            "__module__": f"{game.home.__name__}.words",
            "name": block.name,
            "form": form,
            "example": example,
            "words": {name: part.word for name, part in parts.items()},
            "parts": parts,
            "game": game,
        },
    )


def _is_in_sight(game: ShortGame, observation: Any, card: int) -> bool:
    piles = (pile for zone in game.zones for pile in zone.piles_of(observation))
    return any(card in list(pile.cards)[: pile.count] for pile in piles)


def _meant(part: FieldWords, observation: Any, items: Sequence[str]) -> int:
    for value in range(part.radix):
        if set(part.touched(observation, value)) & set(items):
            return value
    return -1


def _gains(game: ShortGame, before: Any, after: Any) -> list[str]:
    told = []
    for counter in game.counters:
        if not counter.is_seat:
            continue
        for place in range(size_of(counter)):
            seat = getattr(after, counter.name)[place]
            if seat and seat != getattr(before, counter.name)[place]:
                told.append(f"{counter.label} {place + 1}: {game.seat_names[seat - 1]}.")
    return told


def _draws(game: ShortGame, before: Any, after: Any, seat: int) -> list[str]:
    if game.deck is None or not seat:
        return []
    held, holds = (
        [
            card
            for zone in game.zones
            if zone.sees == "owner"
            for index, pile in enumerate(zone.piles_of(state))
            if zone.owner(index) == seat
            for card in pile.listed()
        ]
        for state in (before, after)
    )
    return [f"You draw the {game.deck.name(card)}." for card in holds if card not in held]
