"""Run an experiment on a Ray cluster: a local one, one that is already running, or a remote one.

A task goes to any free worker, and to another if that worker or its node dies; its frames come back as
Arrow streams.  At most two tasks per processor are in flight, so memory stays flat.  Only this process
writes to the folder, so the files are identical to those of a run with threads.  Each node compiles the
rules once, in one process while the others wait (`bartizan.compile.targets`).  Workers whose code differs
from this process's are rejected before they play.
"""

from __future__ import annotations

import functools
import io
import itertools
import logging
import os
import platform
import re
import socket
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import polars as pl

from bartizan.engine import registry
from bartizan.engine.errors import BartizanError
from bartizan.engine.extras import require
from bartizan.engine.rule import ENGINE, PACKAGE, source_digest
from bartizan.lab.design import Design
from bartizan.lab.groups import searches_of
from bartizan.lab.reading import read_design
from bartizan.lab.runner import Done, T, U, Work
from bartizan.lab.store import versions

FORM = "`--on ray` starts a cluster here or joins the one that runs here, `--on ray://HOST:PORT` uses another"
TRIES = 8  # how often a task is restarted because its worker or node has died
KNOCK = 5.0  # seconds for an address to answer
MEET = 60.0  # seconds for the workers to identify themselves; later ones do so with their first task
MISSING = "No module named 'bartizan"  # in Ray's error from a worker without it
GLANCE = 1.0  # seconds between checks for Ctrl-C and for the size of the cluster

Say = Callable[[str], None]


class BadCluster(BartizanError):
    """A cluster that can't be used; the message says why, and what to do."""

    code = "bad_cluster"


def code_of(design: Design) -> dict[str, Any]:
    """Return what a game's outcome depends on apart from the design: versions and digests of the code."""
    folders = (ENGINE, *(PACKAGE / name for name in ("search", "match", "lab")))
    python = platform.python_version()
    return {**versions(design.game), "python": python, "code_digest": source_digest(*folders)}


@contextmanager
def ray_workers(on: str, limit: int | None = None, say: Say = print) -> Iterator[RayWorkers]:
    """Connect to a cluster while the body runs.

    Args:
        on: ``ray`` or ``ray://HOST:PORT``.
        limit: the maximum number of tasks at once; for a cluster started here, the number of workers.
        say: called with a sentence before each slow step.

    Raises `BadCluster` for an invalid or unreachable address, `MissingExtra` without Ray.
    """
    host, ray = check_cluster(on)
    if ray.is_initialized():  # by the program that calls this
        yield RayWorkers(ray, limit, say)
        return
    if host is not None:
        _knock(on, *host)
    _connect(ray, on if host else None, limit, say)
    try:
        yield RayWorkers(ray, limit, say)
    finally:
        ray.shutdown()  # also ends the tasks that still run


def check_cluster(on: str) -> tuple[tuple[str, int] | None, Any]:
    """Return the host and port of an address, None for this machine, and Ray's module.

    Raises `BadCluster` for a wrong address, `MissingExtra` without Ray.
    """
    return _address(on), _ray()


def _address(on: str) -> tuple[str, int] | None:
    if on == "ray":
        return None
    match = re.fullmatch(r"ray://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253}):([0-9]{1,5})/?", on)
    if match is None or not 0 < int(match[2]) < 65_536:
        raise BadCluster(f"{on[:100]!r} isn't a cluster: {FORM}, such as ray://192.0.2.1:10001.")
    return match[1].strip("[]"), int(match[2])


def _ray() -> ModuleType:
    """Import Ray, which is to tell no one about it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # a warning about accelerators
    os.environ.setdefault("RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S", "5")  # of each of its tries
    require("ray", "A Ray cluster")
    import ray

    module: ModuleType = ray
    return module


def _knock(on: str, host: str, port: int) -> None:
    """Raise `BadCluster` where no one listens: Ray itself would try for half a minute."""
    try:
        socket.create_connection((host, port), KNOCK).close()
    except OSError as error:
        why = (error.strerror or str(error) or "it takes too long").lower()
        raise BadCluster(f"No cluster answers at {on}: {why}. {FORM}.") from error


def _connect(ray: Any, address: str | None, limit: int | None, say: Say) -> None:
    quiet = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        with warnings.catch_warnings(action="ignore"):
            try:
                ray.init(address or "auto", **quiet)
                if address is None:
                    say("Joined the Ray cluster that runs here.")
            except ConnectionError:
                if address is not None:
                    raise
                ray.init(num_cpus=limit or os.cpu_count(), include_dashboard=False, **quiet)
    except (ConnectionError, RuntimeError, OSError, ValueError, AssertionError) as error:
        where = f"The cluster at {address}" if address else "A cluster on this machine"
        raise BadCluster(f"{where} cannot be used: {_first_sentence(error)}") from error


def _first_sentence(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text[:300].rstrip(".") + "."


class RayWorkers:
    """The workers of the Ray cluster that this process is connected to."""

    def __init__(self, ray: Any, limit: int | None = None, say: Say = print) -> None:
        """Take the module; see `ray_workers`."""
        self._ray, self._limit, self._say = ray, limit, say
        self._met: set[str] = set()  # the games whose rules all nodes have been asked for

    @property
    def capacity(self) -> int:
        """How many tasks are done at once: the processors of the cluster, or the limit."""
        processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return min(processors, self._limit or processors)

    @property
    def _room(self) -> int:
        """How many tasks are given out at once: two a worker to keep it busy, up to the limit."""
        return min(2 * self.capacity, self._limit or 2 * self.capacity)

    def do(
        self, work: Work[T, U], design: Design, tasks: Iterable[T], *, in_order: bool = False
    ) -> Generator[Done[T, U]]:
        """Yield tasks as they are done, or in their order; those of a dead worker or node are done again.

        Raises `BadCluster` where a worker has other code, or none, and where the cluster goes away.
        """
        try:
            yield from self._do(work, Orders(design.text(), code_of(design)), tasks, in_order)
        except (ConnectionError, self._ray.exceptions.RayError) as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, Exception) and MISSING not in str(error):
                raise cause from error  # as it would have been raised on threads
            raise BadCluster(f"{self._fault(error)} What is finished is kept.") from error

    def _do(
        self, work: Work[T, U], orders: Orders, tasks: Iterable[T], in_order: bool
    ) -> Generator[Done[T, U]]:
        ray = self._ray
        left = iter(tasks)
        waiting: dict[Any, T] = {}
        remote = ray.remote(max_retries=TRIES, num_cpus=1)(do_task)
        self._meet(orders)
        given = ray.put(orders)
        try:
            while True:
                for task in itertools.islice(left, max(0, self._room - len(waiting))):
                    waiting[remote.remote(work, given, task)] = task
                if not waiting:
                    return
                asked = [next(iter(waiting))] if in_order else list(waiting)
                ready, _ = ray.wait(asked, timeout=GLANCE)
                for reference in ready:
                    answer: WorkerAnswer = ray.get(reference)
                    task = waiting.pop(reference)
                    if answer.refused:
                        raise BadCluster(answer.refused)
                    yield task, unpacked(answer.found), answer.seconds
                    del answer, reference  # or the cluster would keep what no one needs
        finally:
            for reference in waiting:
                with suppress(Exception):  # the cluster may be what has gone
                    ray.cancel(reference)

    def _meet(self, orders: Orders) -> None:
        """Ask every node what it is, before the first task; say which must compile the rules first."""
        ray = self._ray
        game = orders.code_key
        if game in self._met:
            return
        self._met.add(game)
        pinned = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        ask = ray.remote(max_retries=0, num_cpus=0)(look_at_node)
        asked = [
            ask.options(scheduling_strategy=pinned(node["NodeID"], soft=False)).remote(orders)
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU")
        ]
        ready, _ = ray.wait(asked, num_returns=len(asked), timeout=MEET) if asked else ([], [])
        errors = ray.exceptions
        compiling = []
        for reference in ready:
            try:
                node: ClusterNode = ray.get(reference)
            except (errors.NodeDiedError, errors.WorkerCrashedError, errors.TaskUnschedulableError):
                continue  # it has died since it was listed
            if node.refused:
                raise BadCluster(node.refused)
            compiling += [] if node.compiled else [node.host]
        if compiling:
            where = f"{len(compiling)} nodes" if len(set(compiling)) > 1 else compiling[0]
            self._say(f"The rules are compiled on {where} first; this happens once on each machine.")

    def _fault(self, error: BaseException) -> str:
        exceptions = self._ray.exceptions
        text = str(error)
        if MISSING in text:
            return "A worker of the cluster has no Bartizan: install the same version on every node."
        if isinstance(error, exceptions.OutOfMemoryError):
            return "The cluster's nodes have too little memory for so many games at once: give --threads."
        if isinstance(error, (exceptions.WorkerCrashedError, exceptions.NodeDiedError)):
            return f"Workers have died {TRIES + 1} times over the same games."
        return f"The cluster has failed ({type(error).__name__}: {_first_sentence(error)})"


# --- What runs at a worker ----------------------------------------------------


@dataclass(frozen=True)
class Orders:
    """The message to every worker: the experiment as TOML, and the code that it must have."""

    text: str
    code: dict[str, Any]

    @property
    def code_key(self) -> str:
        """The code and the game, as one string."""
        return repr(sorted(self.code.items()))


@dataclass(frozen=True)
class WorkerAnswer:
    """What came of a task, frames as bytes, and the seconds that it took; or why the worker is refused."""

    found: Any = None
    seconds: float = 0.0
    refused: str = ""


@dataclass(frozen=True)
class ClusterNode:
    """What a node says of itself."""

    host: str
    compiled: bool = False
    refused: str = ""


def do_task(work: Work[Any, Any], orders: Orders, task: Any) -> WorkerAnswer:
    """Do one task at a worker, which must have the same code."""
    refused = refusal(orders)
    if refused:
        return WorkerAnswer(refused=refused)
    do_one = _ready(work, orders.text)
    began = time.perf_counter()
    result = do_one(task, lambda: False)
    return WorkerAnswer(packed(result), time.perf_counter() - began)


def look_at_node(orders: Orders) -> ClusterNode:
    """Tell what node this is, whether its code is the same, and whether its rules are compiled."""
    refused = refusal(orders)
    host = socket.gethostname()
    if refused:
        return ClusterNode(host, refused=refused)
    from bartizan.compile.targets import is_compiled

    design = read_design(orders.text)
    return ClusterNode(host, all(is_compiled(design.game.name, stage) for stage in _stages(design)))


def refusal(orders: Orders) -> str:
    """Return why this worker must not play, or nothing."""
    host = socket.gethostname()
    mend = "Install the same on every node, or take this one out of the cluster."
    try:
        own = _own_code(orders.text)
    except BartizanError as error:
        return f"The node {host} cannot read the experiment: {error} {mend}"
    for key, value in orders.code.items():
        if own.get(key) != value:
            return f"The node {host} has another Bartizan: its {key} is {own.get(key)}, here {value}. {mend}"
    return ""


@functools.lru_cache(maxsize=8)
def _own_code(text: str) -> dict[str, Any]:
    return code_of(read_design(text))


def _stages(design: Design) -> tuple[Any, ...]:
    """Return the stages of the rules that an experiment needs compiled."""
    searches = design.looks_ahead or bool(searches_of(design))
    return ("batches", "search") if searches else ("batches",)


@functools.lru_cache(maxsize=8)
def _ready(work: Work[Any, Any], text: str) -> Callable[[Any, Callable[[], bool]], Any]:
    """Get ready for an experiment; of all processes of a node one compiles the rules, and the others wait."""
    # Numba fetches it while it loads from its cache; two threads that do so at once leave it half there.
    import numba.typed.typeddict  # noqa: F401

    from bartizan.compile.targets import compile_target

    design = read_design(text)
    for stage in _stages(design):
        compile_target(registry.get(design.game.name).name, stage)
    return work(design)


def packed(found: Any) -> Any:
    """Return frames as bytes of Arrow streams, and anything else as it is."""
    if isinstance(found, dict):
        return {name: packed(each) for name, each in found.items()}
    if not isinstance(found, pl.DataFrame):
        return found
    stream = io.BytesIO()
    found.write_ipc_stream(stream, compat_level=pl.CompatLevel.newest())
    return stream.getvalue()


def unpacked(found: Any) -> Any:
    """Return what `packed` was given."""
    if isinstance(found, dict):
        return {name: unpacked(each) for name, each in found.items()}
    return pl.read_ipc_stream(io.BytesIO(found), use_pyarrow=False) if isinstance(found, bytes) else found
