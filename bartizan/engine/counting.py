"""Build a game's rules a second time, so that they note which clauses take effect, by their docstrings.

A clause *takes effect* when a rule runs whose docstring names it. A rule that answers a question (it returns
a bool) counts only if the answer is yes, and a rule that gives a reason (``why…``) never counts. The build
changes the syntax tree of every module with rules: each rule takes one more argument, ``noted``, passes it to
every rule that it calls, and sets ``noted[number of the clause]`` to 1. The build is compiled or interpreted
like the rules themselves, can run in many threads at once, and plays the same game.

In a short game, a rule that plays can end the game by the clauses whose numbers it uses. Such a clause takes
effect only if the game ends by it, however often that rule runs.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import linecache
import re
import sys
import threading
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bartizan.engine.actions import ActionSpace
from bartizan.engine.assembly import AFTER, BEFORE, Modules, bind_rules, rule_name
from bartizan.engine.clauses import Rulebook, code
from bartizan.engine.defaults import ShortGame, make_counting_rules
from bartizan.engine.rule import generated_rule

NOTED = "noted"  # the argument that every rule of such a build takes last
COUNTED = "bartizan.counted."  # the prefix of its modules' names
Key = tuple[str, str]  # a rule: its module and its name
_loading = threading.RLock()


def clauses_in(text: str, prefix: str, known: Sequence[str], questions: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of the clauses that a docstring names; a question names the clause that answers it.

    ``ALC-4 to ALC-7`` names four.
    """
    named: set[str] = set()
    for low, high in re.findall(rf"{prefix}-(\d+)[a-z]? to {prefix}-(\d+)", text):
        named |= {f"{prefix}-{number}" for number in range(int(low), int(high) + 1)}
    for name in re.findall(rf"{prefix}-(?:Q?\d+[a-z]?)", text):
        named.add(questions.get(name, name))
    return frozenset(named & set(known))


class CountingBuild:
    """A fresh build of one game's rule modules; `rules` are the ones that the engine calls."""

    def __init__(
        self,
        package: str,
        book: Rulebook,
        actions: ActionSpace,
        modules: Modules,
        short: ShortGame | None = None,
    ) -> None:
        """Take what describes the game; nothing is built until it is needed.

        Args:
            package: where its modules are.
            book: its clauses.
            actions: its actions.
            modules: those that contain its rules; `linecache` knows the source of generated ones.
            short: its declarations, if the engine derives its other parts.
        """
        self._package = package
        self._actions = actions
        self._modules = modules
        self._short = short
        self._root = COUNTED + modules.game.replace("-", "_")
        self._prefix = book.prefix
        self._known = [clause.id for clause in book.all()]
        self._questions = {question: clause.id for clause in book.all() for question in clause.questions}
        self._rule_names: dict[str, dict[str, Key]] = {}  # by module: names bound to a rule of this build
        self._built: dict[str, types.ModuleType] = {}  # by the name of the original module
        self._calls: dict[Key, set[Key]] = {}
        self._named: dict[Key, list[str]] = {}
        self._endings: set[str] = set()
        self._answering: set[str] = set()  # clauses named by a rule that answers or refuses
        self._codes: dict[str, str] = {}  # the names of constants for clauses, in all modules
        self._answers: set[str] = set()  # the constants that answering rules use

    @functools.cached_property
    def clauses(self) -> list[str]:
        """The ids of the clauses that can be noted, in the order of the rulebook; of others no one can say.

        They are those named by a rule that setting up or playing an action can reach.
        """
        assert self.rules is not None  # builds them
        played = {"setup", BEFORE, AFTER, *map(rule_name, self._actions.verbs)}
        played |= {"deal"} if self._short is not None else set()  # called by a derived set-up
        waiting = [key for key in self._named if key[1] in played]
        reached: set[Key] = set()
        while waiting:
            key = waiting.pop()
            if key not in reached:
                reached.add(key)
                waiting.extend(self._calls[key])
        named = {clause for key in reached for clause in self._named[key]} | self._endings
        return [clause for clause in self._known if clause in named]

    @functools.cached_property
    def certain(self) -> frozenset[str]:
        """The clauses that never took effect if they were never noted: all rules that name them do something.

        A clause named by a rule that answers or refuses also acts by permitting or forbidding something.
        """
        clauses = set(self.clauses)  # builds the rules
        refusing = {self._codes[name] for name in self._answers & set(self._codes)}
        return frozenset(clauses - self._answering - refusing)

    def number_of(self, clause: str) -> int:
        """Return the index of a clause in ``noted``: its place in the rulebook."""
        return self._known.index(clause)

    @property
    def size(self) -> int:
        """The length of ``noted``."""
        return len(self._known)

    @functools.cached_property
    def rules(self) -> types.ModuleType:
        """The rules as the engine calls them, each with one more argument."""
        with _loading:
            given = self._modules
            modules = [
                self._made(each) if each.__spec__ is None else self._module(each.__name__)
                for each in given.own
            ]
            defaults = list(given.defaults)
            if self._short is not None:
                defaults.insert(0, make_counting_rules(replace(self._short, home=modules[0]), NOTED))
            api = types.ModuleType(f"{self._root}.api")
            api.__file__ = modules[0].__file__
            bind_rules(Modules(given.game, modules, defaults), self._actions, api, more=(NOTED,))
            if self._endings:
                self._note_endings(api)
            return api

    def _note_endings(self, api: types.ModuleType) -> None:
        """Let the rule that plays an action note the clause by which the game ended."""
        lines = [f"def apply(s, action, {NOTED}):", f"    play(s, action, {NOTED})"]
        for clause in sorted(self._endings):
            lines += [f"    if s.ended == {code(clause)}:", f"        {NOTED}[{self.number_of(clause)}] = 1"]
        vars(api)["apply"] = generated_rule(
            "apply", "\n".join([*lines, ""]), {"play": vars(api)["apply"]}, api
        )

    def clauses_of(self, function: ast.FunctionDef) -> list[str]:
        """Return the clauses that take effect when a rule runs, in the order of the rulebook."""
        if function.name.startswith("why"):
            return []
        named = clauses_in(ast.get_docstring(function) or "", self._prefix, self._known, self._questions)
        return [clause for clause in self._known if clause in named - self._endings]

    def note(self, clauses: Sequence[str]) -> list[ast.stmt]:
        """Return the statements that note some clauses."""
        return ast.parse("\n".join(f"{NOTED}[{self.number_of(each)}] = 1" for each in clauses)).body

    def _module(self, name: str) -> types.ModuleType:
        """Return this build's version of a module: the module itself if it contains no rules."""
        if name in self._built:
            return self._built[name]
        known = sys.modules.get(name)
        if known is not None and known.__spec__ is None:
            return self._made(known)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise ImportError(f"There is no module {name}")
        source = Path(spec.origin).read_text(encoding="utf-8")
        if not self._executed(name, source, spec.origin, {"__package__": spec.parent}):
            self._built[name] = importlib.import_module(name)
        return self._built[name]

    def _made(self, module: types.ModuleType) -> types.ModuleType:
        """Return this build's version of a module that a program made."""
        if module.__name__ in self._built:
            return self._built[module.__name__]
        file = str(module.__file__)
        given = {name: value for name, value in vars(module).items() if not name.startswith("__")}
        source = "".join(linecache.getlines(file))
        return self._executed(module.__name__, source, file, given) or module

    def _executed(
        self, name: str, source: str, file: str, given: Mapping[str, object]
    ) -> types.ModuleType | None:
        """Execute the changed source of a module, adding some names; return None if it has no rule."""
        tree = ast.parse(source, file)
        if not any(map(is_rule, tree.body)):
            return None
        if self._short is not None:
            self._endings.update(each for each in _endings_in(tree) if each in self._known)
        module = types.ModuleType(f"{self._root}.{name.removeprefix(self._package).lstrip('.') or 'home'}")
        module.__file__ = file
        self._rewrite(tree, module.__name__)
        sys.modules[module.__name__] = self._built[name] = module
        vars(module).update(given)
        exec(compile(tree, file, "exec"), vars(module))
        return module

    def _rewrite(self, tree: ast.Module, module: str) -> None:
        """Change the tree of a module, statement by statement."""
        names: dict[str, Key] = {}
        self._rule_names[module] = names
        self._codes.update(_codes_in(tree))
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom):
                self._import(statement, names)
        rules = [each for each in tree.body if isinstance(each, ast.FunctionDef) and is_rule(each)]
        names.update({each.name: (module, each.name) for each in rules})
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and is_rule(statement):
                self._named[module, statement.name] = self.clauses_of(statement)
                self._note_answers(statement)
                self._calls[module, statement.name] = _Rewriting(self, names).of_rule(statement)
            elif isinstance(statement, ast.Assign):
                self._hand_on(statement, names, module)
        ast.fix_missing_locations(tree)

    def _note_answers(self, rule: ast.FunctionDef) -> None:
        """Remember the clauses named and constants used by a rule that answers or refuses."""
        if not _acts(rule):
            text = ast.get_docstring(rule) or ""
            self._answering |= clauses_in(text, self._prefix, self._known, self._questions)
            self._answers |= _names_in(rule)

    def _import(self, statement: ast.ImportFrom, names: dict[str, Key]) -> None:
        """Import rules from the modules of this build."""
        if not f"{statement.module}.".startswith(f"{self._package}."):
            return
        module = self._module(str(statement.module))
        theirs = self._rule_names.get(module.__name__, {})
        for alias in statement.names:
            if alias.name in theirs:
                names[alias.asname or alias.name] = theirs[alias.name]
        statement.module = module.__name__

    def _hand_on(self, statement: ast.Assign, names: dict[str, Key], module: str) -> None:
        """Make a dispatch (``variants = ACTIONS.rule("variants", "variants_of_{}")``) pass ``noted`` on."""
        match statement:
            case ast.Assign(
                targets=[ast.Name(target)],
                value=ast.Call(
                    func=ast.Attribute(attr="rule"), args=[_, ast.Constant(str(each)), *_], keywords=keywords
                ),
            ):
                prefix = each.partition("{")[0]
                handed = {key for name, key in names.items() if name.startswith(prefix) and name != target}
                if handed:
                    keywords.append(ast.keyword("more", ast.Tuple([ast.Constant(NOTED)], ast.Load())))
                    key = (module, target)
                    names[target], self._calls[key], self._named[key] = key, handed, []


def is_rule(statement: ast.stmt) -> bool:
    """Say whether a statement defines a rule."""
    return isinstance(statement, ast.FunctionDef) and any(
        isinstance(each, ast.Name) and each.id == "rule" for each in statement.decorator_list
    )


def _endings_in(tree: ast.Module) -> Iterator[str]:
    """Yield the clauses whose numbers, ``X = code("…")``, are used by rules that return nothing."""
    clauses = _codes_in(tree)
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and is_rule(each) and _acts(each):
            yield from (clauses[name] for name in _names_in(each) & set(clauses))


def _acts(rule: ast.FunctionDef) -> bool:
    """Say whether a rule changes the state: it neither answers nor refuses."""
    answers = rule.returns is not None and not (
        isinstance(rule.returns, ast.Constant) and rule.returns.value is None
    )
    return not answers and not rule.name.startswith("why")


def _names_in(rule: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(rule) if isinstance(node, ast.Name)}


def _codes_in(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module gives to clauses' numbers, with the clauses."""
    assigned = [statement for statement in tree.body if isinstance(statement, ast.Assign)]
    return {
        name: clause
        for statement in assigned
        for target in statement.targets
        for name, clause in _codes(target, statement.value)
    }


def _codes(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the names that an assignment gives to numbers of clauses, with the clauses."""
    match target, value:
        case ast.Name(name), ast.Call(func=ast.Name("code"), args=[ast.Constant(str(clause))]):
            yield name, clause
        case ast.Tuple(targets), ast.Tuple(values):
            for pair in zip(targets, values, strict=False):
                yield from _codes(*pair)


class _Rewriting(ast.NodeTransformer):
    """Change one rule: add an argument, pass it to the rules that it calls, and note clauses."""

    def __init__(self, build: CountingBuild, names: Mapping[str, Key]) -> None:
        self._build, self._names = build, names
        self._calls: set[Key] = set()
        self._asks: list[str] = []  # the clauses that count when the rule answers yes

    def of_rule(self, rule: ast.FunctionDef) -> set[Key]:
        """Change a rule; return which others it calls."""
        clauses = self._build.clauses_of(rule)
        asks = isinstance(rule.returns, ast.Name) and rule.returns.id == "bool"
        self._asks = clauses if asks else []
        rule.args.args.append(ast.arg(NOTED))
        rule.body = [each for statement in rule.body for each in self._changed(statement)]
        if clauses and not asks:
            rule.body = [*rule.body[:1], *self._build.note(clauses), *rule.body[1:]]  # after the docstring
        return self._calls

    def _changed(self, statement: ast.stmt) -> list[ast.stmt]:
        visited = self.visit(statement)
        return visited if isinstance(visited, list) else [visited]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Pass ``noted`` to a rule of this build."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._names:
            node.keywords.append(ast.keyword(NOTED, ast.Name(NOTED, ast.Load())))
            self._calls.add(self._names[node.func.id])
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        """Note the clauses of a rule that answers, if it answers yes."""
        self.generic_visit(node)
        if not self._asks or node.value is None:
            return node
        answer = ast.Assign([ast.Name("answer_given", ast.Store())], node.value)
        given = ast.Name("answer_given", ast.Load())
        return [answer, ast.If(given, self._build.note(self._asks), []), ast.Return(given)]
