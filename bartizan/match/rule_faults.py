"""Find mistakes in the source of rules that other checks can't see: unseeded chance, missing returns."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

DECORATORS = frozenset({"rule", "inlined_rule", "apart_rule"})
UNREPEATABLE = frozenset({"random", "secrets", "time", "datetime", "uuid"})  # modules


def faults_in_rules(place: str, tree: ast.Module, module: types.ModuleType) -> Iterator[str]:
    """Yield what is wrong with the rules in a file, which people know as `place`."""
    for rule in ast.walk(tree):
        if isinstance(rule, ast.FunctionDef) and any(_is_rule(each) for each in rule.decorator_list):
            yield from _unrepeatable(place, rule, module)
            yield from _without_return(place, rule)


def _is_rule(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in DECORATORS


def _unrepeatable(place: str, rule: ast.FunctionDef, module: types.ModuleType) -> Iterator[str]:
    """Yield the first use of a module that gives a different result each time."""
    for node in ast.walk(rule):
        name = _module_behind(node, module).rpartition(".")[2]
        if name in UNREPEATABLE:
            instead = "take chance from `below` in bartizan.engine.rng"
            why = f"{rule.name} uses {name}, so no seed could repeat a game"
            yield f"{place}:{getattr(node, 'lineno', rule.lineno)}: {why}: {instead}."
            return


def _module_behind(node: ast.AST, module: types.ModuleType) -> str:
    """Return the name of the module that an expression is, or comes from; "" if it isn't known."""
    value: Any = None
    if isinstance(node, ast.Name):
        value = vars(module).get(node.id)
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        value = getattr(vars(module).get(node.value.id), node.attr, None)
    if isinstance(value, types.ModuleType):
        return value.__name__
    if not isinstance(value, types.FunctionType | types.BuiltinFunctionType | types.MethodType | type):
        return ""
    return str(getattr(value, "__module__", None) or type(getattr(value, "__self__", None)).__module__)


def _without_return(place: str, rule: ast.FunctionDef) -> Iterator[str]:
    """Yield that a rule which must return a value can end without one."""
    returns_none = rule.returns is None or ast.unparse(rule.returns) == "None"
    if (rule.name.startswith("why_not_") or not returns_none) and _can_end(rule.body):
        yield f"{place}:{rule.body[-1].lineno}: {rule.name} can end without a value: is a `return` missing?"


def _can_end(body: list[ast.stmt]) -> bool:
    """Say whether statements can be left at their end."""
    last = body[-1]
    if isinstance(last, ast.Return):
        return last.value is None
    if isinstance(last, ast.If):
        return not last.orelse or _can_end(last.body) or _can_end(last.orelse)
    if isinstance(last, ast.While):
        return not getattr(last.test, "value", False) or any(isinstance(n, ast.Break) for n in ast.walk(last))
    return not isinstance(last, ast.Raise | ast.Match)
