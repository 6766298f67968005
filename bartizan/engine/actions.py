"""Number a game's actions, and pass each one to the rule of its verb.

An action space is a row of named blocks of mixed-radix fields, dense from 0::

    ACTIONS = ActionSpace(block("defend", place=6, cards=128), block("end"))

Rules never encode or decode ids by hand. A *dispatch* is a rule made from the space that passes the fields of
an action to the function of its verb. A block's ``id`` is the inverse::

    action_score = ACTIONS.rule("action_score", "score_{}", otherwise=0)  # score_defend, score_repair, …

    DEFEND = ACTIONS["defend"]
    out[n] = DEFEND.id(place, cards)

Both are generated as source and compiled like any rule, so they are as fast as code written by hand.
`bartizan.engine.assembly` generates the rules that refuse, play and list actions.

`legal_actions` lists ids below `size`, and a learner's mask covers them. A block may have *variants* of each
of its ids that are legal but not listed, such as the order of paying: code = id + size * variant.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from bartizan.engine.errors import UnfinishedGame
from bartizan.engine.rule import RuleNamespace, generated_rule

Rule = Callable[..., Any]


class Block(RuleNamespace):
    """One verb: its fields, the last one varying fastest, and where its ids lie.

    It is a module so that compiled rules can call ``BLOCK.id(…)`` and read ``BLOCK.first``: the compiler
    treats a module's names as constants.
    """

    fields: dict[str, int]  # name -> number of values
    size: int  # number of ids
    variants: int  # per id, at most; 1 for none but the listed one
    number: int  # the verb's number from 0, in the order of the blocks
    first: int  # its ids: from this one …
    end: int  # … up to the one before this
    id: Rule  # the id of its fields, in their order; unchecked, for rules

    def __init__(self, name: str, fields: dict[str, int], variants: int) -> None:
        super().__init__(name)
        self.fields = fields
        self.variants = variants
        self.size = prod(fields.values())

    @property
    def name(self) -> str:
        """The name of the verb."""
        return self.__name__


def block(name: str, *, variants: int = 1, **fields: int) -> Block:
    """Describe the actions called `name`; each field runs from 0 to one less than its number.

    Raises `UnfinishedGame` for a field without values.
    """
    given: dict[str, Any] = dict(fields)
    for field, number in given.items():
        if not isinstance(number, int) or number < 1:
            raise UnfinishedGame(
                f"The field {field!r} of {name!r} must have a number of values, not {number!r}"
            )
    return Block(name, fields, variants)


HOOKS = ("guard", "before", "after")  # that `ActionSpace.dispatch` calls around the rules of verbs
REMEMBERED = 8192  # decoded ids to cache: a table lists its legal actions at every ply


class ActionSpace:
    """Lay out blocks one after the other."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self.size = 0
        self.has_variants = any(each.variants > 1 for each in blocks)
        self._named = {each.name: each for each in blocks}
        self._decoded = functools.lru_cache(REMEMBERED)(self._taken_apart)
        module = _caller()
        for number, each in enumerate(blocks):
            each.number, each.first, each.end = number, self.size, self.size + each.size
            each.id = generated_rule(f"{each.name}_id", _encoder_source(each), {}, module)
            self.size = each.end

    def __getitem__(self, verb: str) -> Block:
        """Return the block of a verb; raises `KeyError` for an unknown verb."""
        return self._named[verb]

    @property
    def verbs(self) -> tuple[str, ...]:
        """The names of the blocks, in order."""
        return tuple(self._named)

    def encode(self, verb: str, **values: int) -> int:
        """Return the id of an action; raises `ValueError` for a field out of range."""
        chosen = self._named[verb]
        if set(values) != set(chosen.fields):
            raise ValueError(f"{verb} has the fields {', '.join(chosen.fields)}, not {', '.join(values)}")
        code = 0
        for field, radix in chosen.fields.items():
            if not 0 <= values[field] < radix:
                raise ValueError(f"{verb}: {field} is {values[field]}, not 0 to {radix - 1}")
            code = code * radix + values[field]
        return chosen.first + code

    def decode(self, action: int) -> tuple[str, dict[str, int]]:
        """Decode an id or code: return the verb and the fields, ignoring the variant."""
        verb, fields = self._decoded(action % self.size)
        return verb, dict(fields)

    def _taken_apart(self, identity: int) -> tuple[str, tuple[tuple[str, int], ...]]:
        chosen = self.block_of(identity)
        rest = identity - chosen.first
        values: dict[str, int] = {}
        for field, radix in reversed(chosen.fields.items()):
            rest, values[field] = divmod(rest, radix)
        return chosen.name, tuple(reversed(values.items()))

    def block_of(self, action: int) -> Block:
        """Return the block that an id or code belongs to."""
        identity = action % self.size
        return next(each for each in self.blocks if identity < each.end)

    def variant(self, action: int) -> int:
        """Return the variant that a code stands for; 0 is the listed one."""
        return action // self.size

    def rule(
        self,
        name: str,
        each: str,
        *,
        before: Rule | None = None,
        otherwise: Rule | int | None = None,
        more: Sequence[str] = (),
    ) -> Rule:
        """Make the rule ``name(s, action)`` of a module from those of its rules that are named after verbs.

        Args:
            name: what the made rule is called; it must be bound to this name.
            each: how the verbs' rules are named, such as ``score_{}``.
            before: called first, with the state, the verb's number and `more`.
            otherwise: for the verbs that have no rule; a number, or a rule that takes the state and `more`.
            more: names of further arguments, which the made rule takes last and passes on.

        Raises:
            TypeError: a verb lacks a rule, a rule takes other arguments, or is named after no verb.
        """
        module = _caller()
        names = {verb: each.format(verb) for verb in self._named}
        prefix = each.partition("{")[0]
        defined = {key for key in vars(module) if key.startswith(prefix)} - {name}
        if unknown := sorted(defined - set(names.values())):
            verbs = ", ".join(self._named)
            raise TypeError(f"{module.__name__}: {', '.join(unknown)} belongs to no verb; they are {verbs}")
        answers = {verb: vars(module)[key] for verb, key in names.items() if key in defined}
        missing = [names[verb] for verb in names if verb not in answers] if otherwise is None else []
        if missing:
            raise TypeError(f"{module.__name__} has no {', '.join(missing)}")
        return self.dispatch(module, name, answers, hooks={"before": before}, otherwise=otherwise, more=more)

    def dispatch(
        self,
        module: types.ModuleType,
        name: str,
        by_verb: Mapping[str, Rule],
        *,
        hooks: Mapping[str, Rule | None],
        otherwise: Rule | int | None = None,
        more: Sequence[str] = (),
    ) -> Rule:
        """Make the rule ``name(s, action)`` that passes an action's fields to the rule of its verb.

        A verb's rule takes the state, the block's fields in their order, and the variant where the block
        has any.

        Args:
            module: what the made rule belongs to.
            name: what it is called.
            by_verb: verb -> its rule.
            hooks: all take the state, the verb's number and `more`. ``guard`` is called first, and the made
                rule returns its result unless that is 0. ``before`` is called first and ``after`` last; with
                ``after``, the made rule returns nothing.
            otherwise: as in `rule`.
            more: as in `rule`.

        Raises:
            TypeError: a verb's rule takes other arguments.
        """
        names: dict[str, Any] = {f"_{hook}": each for hook, each in hooks.items() if each is not None}
        answers = {each.name: by_verb.get(each.name, otherwise) for each in self.blocks}
        for each in self.blocks:
            answer = answers[each.name]
            if callable(answer):
                names[name_in_source(each.name)] = answer
                _check_arguments(name, each, answer, more, alone=each.name not in by_verb)
        bare = {each for each in self._named if each not in by_verb}
        source = _dispatch_source(self, name, names, answers, bare, more)
        return generated_rule(name, source, names, module)


def name_in_source(verb: str) -> str:
    """Return the name of a verb's rule in generated code, where hooks have names such as ``_guard``."""
    return f"_{verb}_" if verb in HOOKS else f"_{verb}"


def _caller() -> types.ModuleType:
    """Return the module that called the calling function; generated code belongs to it."""
    return sys.modules[sys._getframe(2).f_globals["__name__"]]


def _check_arguments(name: str, verb: Block, answer: Rule, more: Sequence[str], *, alone: bool) -> None:
    wanted = len(more) + (1 if alone else 1 + len(verb.fields) + (verb.variants > 1))
    taken = len(inspect.signature(getattr(answer, "py_func", answer)).parameters)
    if taken != wanted:
        fields = (
            ""
            if alone
            else "".join(f", {field}" for field in verb.fields) + ", variant" * (verb.variants > 1)
        ) + "".join(f", {each}" for each in more)
        raise TypeError(f"{name}: the rule for {verb.name} takes {taken} arguments, not (s{fields})")


def _encoder_source(verb: Block) -> str:
    """Return the source of ``id``: Horner's scheme over the fields."""
    value = ""
    for field, radix in verb.fields.items():
        value = f"({value}) * {radix} + {field}" if value else field
    body = f"{verb.first} + {value}" if value else str(verb.first)
    return f"def {verb.name}_id({', '.join(verb.fields)}):\n    return {body}\n"


def _fields_of(verb: Block) -> list[str]:
    """Return an expression for each field of a block, given the action's number within the block."""
    fields, below = [], verb.size
    for radix in verb.fields.values():
        above, below = below, below // radix
        value = "rest" if above == verb.size else f"rest % {above}"
        fields.append(value if below == 1 else f"{value} // {below}")
    return fields


def _dispatch_source(
    space: ActionSpace,
    name: str,
    names: dict[str, Any],
    answers: dict[str, Rule | int | None],
    bare: Sequence[str] | set[str],
    more: Sequence[str],
) -> str:
    lines = [f"def {name}({', '.join(['s', 'action', *more])}):"]
    if space.has_variants:
        lines += ["    identity, variant = action, 0"]  # listed ids, nearly all of them, need no division
        lines += [f"    if action < 0 or action >= {space.size}:"]
        lines += [f"        identity, variant = action % {space.size}, action // {space.size}"]
    identity = "identity" if space.has_variants else "action"
    handed = "".join(f", {each}" for each in more)
    for each in space.blocks:
        last = each is space.blocks[-1]
        indent = "    " if last else "        "
        if not last:
            lines.append(f"    if {identity} < {each.end}:")
        if "_guard" in names:
            lines += [f"{indent}refused = _guard(s, {each.number}{handed})", f"{indent}if refused != 0:"]
            lines += [f"{indent}    return refused"]
        if "_before" in names:
            lines.append(f"{indent}_before(s, {each.number}{handed})")
        answer = answers[each.name]
        call = str(answer)
        if callable(answer):
            fields = [] if each.name in bare else _fields_of(each) + ["variant"] * (each.variants > 1)
            if any("rest" in field for field in fields):
                lines.append(f"{indent}rest = {identity} - {each.first}")
            call = f"{name_in_source(each.name)}({', '.join(['s', *fields, *more])})"
        if "_after" in names:
            lines += [f"{indent}{call}", f"{indent}_after(s, {each.number}{handed})", f"{indent}return"]
        else:
            lines.append(f"{indent}return {call}")
    return "\n".join(lines) + "\n"
