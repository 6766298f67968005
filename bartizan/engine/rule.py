"""Turn readable Python into rules that run in three ways.

*Compiled*: ``@rule`` is ``numba.njit(nogil=True)`` with its own cache.
*Interpreted*: a rule that Python calls runs as plain Python, on `bartizan.engine.record.Record`
objects, and so do the rules that it calls. `interpreted` does the same to a whole module. With
``BARTIZAN_MODE=python`` all rules run this way.
*On a device*: `bartizan.engine.device` compiles the same function for CUDA devices.

Rules use only integers, fixed-size arrays and calls of other rules.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import linecache
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from bartizan.engine.data import DATA, own_data
from bartizan.engine.mode import COMPILED

F = TypeVar("F", bound=Callable[..., Any])

ENGINE = Path(__file__).resolve().parent
PACKAGE = ENGINE.parent
ENVIRONMENTS = PACKAGE / "envs"  # separate, so that changes here don't make players recompile
BOUND = "bartizan.bound."  # modules of generic algorithms, bound to one game

if COMPILED:
    import numba
    import numpy as np
    from numba.core import config as numba_config
    from numba.core.registry import CPUDispatcher

    from bartizan.engine.parts import EntryCompiler, PartCompiler, without_scipy

    class EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
        """A function that Python calls."""

        def compile(self, signature: Any) -> Any:
            """Compile the function for a signature, or load what was compiled; return where it is."""
            without_scipy()
            return super().compile(signature)

    class RuleDispatcher(CPUDispatcher):  # type: ignore[misc]
        """A compiled rule; when Python calls it, it runs as plain Python."""

        _interpreted: Any = None

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            """Run the rule, and the rules that it calls, as plain Python."""
            if self._interpreted is None:
                with _interpreting:
                    self._interpreted = _plain(self)
            return self._interpreted(*args, **kwargs)


def cache_root() -> Path:
    """Return the folder that holds compiled rules, one subfolder per state of the sources."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("bartizan", appauthor=False)) / "rules"


@functools.cache
def source_digest(*folders: Path) -> str:
    """Return a digest of all Python sources and data files in `folders` and of the compiler's version.

    Numba's own cache looks at one file only and keeps callers whose callees have changed. With the digest in
    the path, every change starts a new cache.
    """
    return digest_of(*folders, compiler=numba.__version__ if COMPILED else "")


def digest_of(*folders: Path, compiler: str = "") -> str:
    """Return a digest of the Python sources and data files in `folders` and of the compiler's version."""
    digest = hashlib.blake2b(digest_size=10)
    digest.update(f"{sys.version_info[:3]} {compiler}".encode())
    for folder in folders:
        for path in sorted([*folder.rglob("*.py"), *folder.glob(f"{DATA}/*.toml")]):
            digest.update(f"\n{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def cache_folder(module: str, filename: str) -> Path:
    """Return the cache folder for the machine code of a rule in `module`, separate for each game."""
    home = Path(filename).resolve().parent
    if module.startswith(BOUND):
        name = module.removeprefix(BOUND).split(".")[0]
        game = sys.modules.get(f"{BOUND}{name}")
        source, home = home, Path(game.__file__).parent if game is not None and game.__file__ else home
        if source == ENVIRONMENTS:
            return cache_of(name, home, ENVIRONMENTS)
    elif home == ENGINE:
        return cache_root() / source_digest(ENGINE) / "engine"
    else:
        name = home.name
    return cache_of(name, home)


def cache_of(name: str, home: Path, *more: Path) -> Path:
    """Return the cache folder for the machine code of the game `name`, whose files are in `home`.

    `more` are folders with other sources.
    """
    return cache_root() / source_digest(ENGINE, PACKAGE / "search", home, *own_data(home), *more) / name


_dispatchers: list[Any] = []


def count_rules() -> tuple[int, int]:
    """Return how many rules have been compiled or loaded, and how many have been defined so far."""
    return sum(bool(dispatcher.overloads) for dispatcher in _dispatchers), len(_dispatchers)


def rule(function: F) -> F:
    """Compile `function` at its first call; leave it as it is in interpreted mode."""
    if not COMPILED:
        return function
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inlined_rule(function: F) -> F:
    """Compile `function` into its caller: for a rule with one caller and many arguments."""
    if not COMPILED:
        return function
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def apart_rule(function: F) -> F:
    """Compile `function` and its callees without forced inlining, even if an inlined rule calls it.

    Numba passes the request to inline on to every rule that it compiles in the meantime.  That is good for
    a search, whose inner loop is the playout, but a large entry point would take minutes to optimise.
    """
    if not COMPILED:
        return function
    return _compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=False)


def entry(function: F) -> F:
    """Compile a function that Python calls; rules themselves are called by compiled code only."""
    return _compiled(function) if COMPILED else function


_setting_folder = threading.Lock()


@contextmanager
def caching_in(folder: Path, config: Any) -> Iterator[None]:
    """Have Numba, configured by `config`, keep what is defined meanwhile in this folder."""
    with _setting_folder:  # one for all threads: otherwise Numba would write to the working directory
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            config.CACHE_DIR = before


def _compiled(function: F, **flags: bool) -> F:
    with caching_in(cache_folder(function.__module__, function.__code__.co_filename), numba_config):
        dispatcher = numba.njit(
            nogil=True,
            cache=not flags,
            error_model="numpy",
            _nrt=False,
            pipeline_class=PartCompiler if flags else EntryCompiler,
            **flags,
        )(function)
    dispatcher.__class__ = RuleDispatcher if flags else EntryDispatcher
    _dispatchers.append(dispatcher)
    plain = dispatcher.get_call_template

    def one_width(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return plain(tuple(map(_widest, args)), kws)

    dispatcher.get_call_template = one_width
    return cast(F, dispatcher)


def _widest(kind: Any) -> Any:
    """Return one type for all signed integers, so that a rule is compiled once, not once per width."""
    kind = numba.types.unliteral(kind)
    if isinstance(kind, numba.types.IntEnumMember):
        return numba.types.int64
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind


def _plain_u64(value: int) -> int:
    return int(value) & 0xFFFF_FFFF_FFFF_FFFF


# What a compiled rule's module-level conversions become when it is interpreted.
_PLAIN: dict[str, Callable[[int], int]] = {"u64": _plain_u64, "i64": int}


_generated: dict[types.FunctionType, dict[str, Any]] = {}  # what the names in such a rule's source refer to


def generated_rule(name: str, source: str, names: dict[str, Any], module: types.ModuleType) -> Any:
    """Compile the rule `name` from source that a program has written on behalf of a module.

    Args:
        name: of the function that the source defines.
        source: Python; its free names are looked up in `names`.
        names: what they stand for: rules, tables, numbers.
        module: what the rule belongs to; its machine code is kept with that module's.
    """
    # The file is next to its module, for the cache; `linecache` knows it, so that errors show the lines.
    file = str(Path(cast(str, module.__file__)).with_suffix(f".{name}.generated"))
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = {"__name__": module.__name__, **names}
    exec(compile(source, file, "exec"), scope)
    _generated[scope[name]] = names
    return rule(scope[name])


class RuleNamespace(types.ModuleType):
    """A module that a program makes and rules use: they call its rules and read its numbers as constants."""


_interpreted: dict[str, dict[str, Any]] = {}
_interpreting = threading.RLock()  # a second thread must not see a module before it is complete


def _interpreted_globals(module: str) -> dict[str, Any]:
    """Return `module`'s names with every rule in it replaced by its interpreted version."""
    if module in _interpreted:
        return _interpreted[module]
    source = vars(sys.modules[module])
    names = _interpreted[module] = dict(source)
    names.update({name: plain for name, plain in _PLAIN.items() if name in names})
    own = {name: value for name, value in source.items() if _is_written_in(value, module)}
    for name, value in own.items():  # first: generated rules may refer to these
        names[name] = _copy(value.py_func, names)
    for name, value in source.items():
        if name not in _PLAIN and name not in own:
            names[name] = _plain(value)
    return names


def _is_written_in(value: Any, module: str) -> bool:
    """Say whether a global is a rule that is defined in this module's own source."""
    function = getattr(value, "py_func", None)
    if not isinstance(function, types.FunctionType) or function in _generated:
        return False
    return function.__module__ == module


def _plain(value: Any) -> Any:
    """Return the replacement for a global in interpreted rules."""
    if COMPILED and isinstance(value, np.ndarray):  # a table: NumPy's integers overflow, Python's do not
        return tuple(value.tolist())
    if COMPILED and isinstance(value, RuleNamespace):
        return types.SimpleNamespace(**{name: _plain(each) for name, each in vars(value).items()})
    if isinstance(value, types.ModuleType) and value.__name__ in sys.modules and _holds_rules(value):
        return interpreted(value)  # a generic module calls its game's rules through their module
    function = getattr(value, "py_func", None)
    if not isinstance(function, types.FunctionType):
        return value
    if function in _generated:
        return _plain_generated(function)
    return _interpreted_globals(function.__module__)[function.__name__]


def _holds_rules(module: types.ModuleType) -> bool:
    # Looked up without getattr: another library's object may answer any name, or raise.
    return any(inspect.getattr_static(each, "py_func", None) is not None for each in vars(module).values())


_plain_rules: dict[Any, Any] = {}


def _plain_generated(function: types.FunctionType) -> Any:
    """Return the interpreted version of a generated rule, the same for all callers."""
    if function not in _plain_rules:
        names = {name: _plain(value) for name, value in _generated[function].items()}
        _plain_rules[function] = _copy(function, names)
    return _plain_rules[function]


def _copy(function: types.FunctionType, names: dict[str, Any]) -> types.FunctionType:
    plain = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    plain.__doc__ = function.__doc__
    plain.__module__ = function.__module__
    return plain


def interpreted(module: types.ModuleType) -> types.ModuleType:
    """Return a module like `module` whose rules are plain Python and call plain Python."""
    if not COMPILED:
        return module
    plain = types.ModuleType(module.__name__, module.__doc__)
    with _interpreting:
        plain.__dict__.update(_interpreted_globals(module.__name__))
    return plain
