"""Assemble a game's rules and words from its modules, by name.

A verb ``deflect`` has two rules, ``why_not_deflect`` and ``deflect``, optionally a third that lists its legal
actions, ``list_deflect``, and a class of words, ``Deflect``. They can be in any of the modules that the game
names. Nothing else needs registration. Missing and duplicate parts are reported by name.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Any

from bartizan.engine.actions import ActionSpace, Block, name_in_source
from bartizan.engine.errors import UnfinishedGame
from bartizan.engine.rule import generated_rule
from bartizan.engine.words import Verb

# The rules that the engine calls, in addition to those generated from the verbs.
CALLS = (
    "setup", "resume", "turn_of", "rounds", "determinize", "has_won", "returns", "ended_by",
)  # fmt: skip
# Optional rules: points, variants of an action, and what a search may forget.
MAY_CALL = ("points", "variants", "forget")
# Around every action: the clause that forbids a verb in this phase, and what runs before and after.
GUARD, BEFORE, AFTER = "why_not_in_phase", "before_action", "after_action"
LISTING = "legal_actions"


class Modules:
    """Some modules of a game, in which the engine finds rules and words by name."""

    def __init__(
        self, game: str, modules: Sequence[types.ModuleType], defaults: Sequence[types.ModuleType] = ()
    ) -> None:
        """Take the game's name, its modules, and the modules that hold the defaults."""
        self.game = game
        self.own = modules
        self.defaults = defaults

    @property
    def places(self) -> str:
        """The names of the modules, for error messages."""
        return ", ".join(module.__name__.rpartition(".")[2] for module in self.own)

    def find(self, name: str) -> Any:
        """Return what one of the modules defines under a name, or None.

        Raises `UnfinishedGame` if two define it.
        """
        owners = [module for module in self.own if _is_defined_in(module, name)]
        if len(owners) > 1:
            where = " and ".join(module.__name__ for module in owners)
            raise UnfinishedGame(f"The game {self.game!r} has {name} twice: in {where}.")
        if owners:
            return getattr(owners[0], name)
        return self.derived(name)

    def derived(self, name: str) -> Any:
        """Return what the engine derives under a name, or None."""
        return next((vars(each)[name] for each in self.defaults if name in vars(each)), None)

    def get(self, name: str) -> Any:
        """Return what one of the modules defines under a name; raises `UnfinishedGame` if none does."""
        member = self.find(name)
        if member is None:
            raise UnfinishedGame(f"The game {self.game!r} has no {name} yet (looked in {self.places}).")
        return member


def _is_defined_in(module: types.ModuleType, name: str) -> bool:
    value = vars(module).get(name)
    function = getattr(value, "py_func", value)  # a compiled rule knows its function
    return callable(value) and getattr(function, "__module__", None) == module.__name__


def rule_name(verb: str) -> str:
    """Return the name of a verb's rule: the verb, followed by ``_`` if it is a Python keyword."""
    return f"{verb}_" if iskeyword(verb) else verb


def rules_of_verbs(modules: Modules, actions: ActionSpace, form: str) -> dict[str, Any]:
    """Return the rule of every verb; `form` is how they are named, such as ``why_not_{}``."""
    return {verb: modules.get(rule_name(form.format(verb))) for verb in actions.verbs}


def bind_rules(
    modules: Modules, actions: ActionSpace, api: types.ModuleType, more: Sequence[str] = ()
) -> types.ModuleType:
    """Fill a module with the rules that the engine calls.

    Args:
        modules: the modules with the game's own rules.
        actions: its actions.
        api: the module to fill; its name and file say where compiled code is kept.
        more: names of further arguments, which every rule of the game takes last.

    Raises:
        UnfinishedGame: a rule is missing, or there are two of a name.
    """
    for name in CALLS:
        setattr(api, name, modules.get(name))
    for name in MAY_CALL:
        if (member := modules.find(name)) is not None:
            setattr(api, name, member)
    why_not, play = (rules_of_verbs(modules, actions, form) for form in ("why_not_{}", "{}"))
    hooks = {"guard": modules.get(GUARD)}
    vars(api)["why_not"] = actions.dispatch(api, "why_not", why_not, hooks=hooks, more=more)
    around = {"before": modules.find(BEFORE), "after": modules.find(AFTER)}
    vars(api)["apply"] = actions.dispatch(api, "apply", play, hooks=around, more=more)
    if not more:  # only the rules that play take more
        own_listing = modules.find(LISTING)
        vars(api)[LISTING] = own_listing or listing(modules, actions, api, why_not)
    sys.modules[api.__name__] = api
    return api


# --- Listing -------------------------------------------------------------------


def listing(modules: Modules, actions: ActionSpace, api: types.ModuleType, why_not: dict[str, Any]) -> Any:
    """Make ``legal_actions(s, out)``: list each verb by its ``list_VERB``, or else ask about every id."""
    names: dict[str, Any] = {"_guard": modules.get(GUARD)}
    lines = [f"def {LISTING}(s, out):", "    n = 0"]
    for verb in actions.blocks:
        lines.append(f"    if _guard(s, {verb.number}) == 0:")
        own = modules.find(f"list_{verb.name}")
        name = name_in_source(verb.name)
        names[name] = why_not[verb.name] if own is None else own
        if own is None:
            lines += asking(verb, name, " " * 8)
        else:
            lines.append(f"        n = {name}(s, out, n)")
    source = "\n".join([*lines, "    return n", ""])
    return generated_rule(LISTING, source, names, api)


def asking(verb: Block, why_not: str, indent: str, given: int = 0) -> Iterator[str]:
    """Yield the lines that list a verb by calling ``why_not`` for all values of its fields.

    The first `given` fields are variables of the surrounding code.
    """
    value = ""
    for number, (field, radix) in enumerate(verb.fields.items()):
        if number >= given:
            yield f"{indent}for {field} in range({radix}):"
            indent += "    "
        value = f"({value}) * {radix} + {field}" if value else field
    yield f"{indent}if {why_not}({', '.join(['s', *verb.fields])}) == 0:"
    yield f"{indent}    out[n] = {verb.first} + {value or 0}"
    yield f"{indent}    n += 1"


# --- Words ---------------------------------------------------------------------


def verbs_in(modules: Modules, actions: ActionSpace) -> dict[str, Verb]:
    """Return the words of every verb: an instance of the class named after it, ``TurnUp`` for turn_up.

    What a short game's class leaves out, such as its refusals, is as the engine derives it.
    """
    members = {}
    for verb in actions.verbs:
        name = verb.title().replace("_", "")
        kind = modules.get(name)
        if not (isinstance(kind, type) and issubclass(kind, Verb)):
            raise UnfinishedGame(
                f"The game {modules.game!r}: {kind.__name__} must be a Verb, because "
                f"there is a verb {verb!r}; choose a different name for one of them."
            )
        usual = modules.derived(name)
        members[verb] = kind() if usual in (None, kind) else type(name, (kind, usual), {})()
    return members
