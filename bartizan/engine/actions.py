"""Number a game's actions: named blocks of mixed-radix fields, dense from 0.

    ACTIONS = ActionSpace(block("defend", target=6, cards=128), block("end"))
    ACTIONS.base("defend")        # 0
    ACTIONS.encode("defend", target=2, cards=5)

Ids below `size` are what `legal_actions` lists and what a learner's mask
covers.  A game may give an action *variants*, legal but not listed (the order
in which cards are paid): code = id + size * variant.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Block:
    """One kind of action and its fields, the last one varying fastest."""

    name: str
    fields: dict[str, int]

    @property
    def size(self) -> int:
        """Return how many actions the block numbers."""
        return prod(self.fields.values())


def block(name: str, **fields: int) -> Block:
    """Describe the actions called `name`; each field runs from 0 to its number less one."""
    return Block(name, fields)


class ActionSpace:
    """Lay out blocks one after the other."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self._bases: dict[str, int] = {}
        base = 0
        for each in blocks:
            self._bases[each.name] = base
            base += each.size
        self.size = base

    def base(self, name: str) -> int:
        """Return the first id of the block `name`."""
        return self._bases[name]

    def encode(self, name: str, **values: int) -> int:
        """Return the id of an action; raises `ValueError` for a field out of range."""
        chosen = next(each for each in self.blocks if each.name == name)
        if set(values) != set(chosen.fields):
            raise ValueError(f"{name} has the fields {', '.join(chosen.fields)}, not {', '.join(values)}")
        code = 0
        for field, radix in chosen.fields.items():
            if not 0 <= values[field] < radix:
                raise ValueError(f"{name}: {field} is {values[field]}, not 0 to {radix - 1}")
            code = code * radix + values[field]
        return self._bases[name] + code

    def decode(self, action: int) -> tuple[str, dict[str, int]]:
        """Return the block and the fields of an id or code (the variant is left aside)."""
        identity = action % self.size
        for each in reversed(self.blocks):
            base = self._bases[each.name]
            if identity >= base:
                rest = identity - base
                values: dict[str, int] = {}
                for field, radix in reversed(each.fields.items()):
                    rest, values[field] = divmod(rest, radix)
                return each.name, dict(reversed(values.items()))
        raise ValueError(f"{action} is no action")

    def variant(self, action: int) -> int:
        """Return which variant of its id a code is; 0 is the listed one."""
        return action // self.size
