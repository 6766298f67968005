"""Experiments on a Ray cluster: the same files, a node that dies, workers and addresses that are refused."""

from __future__ import annotations

import importlib.util
import io
import logging
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bartizan.cli.main import main
from bartizan.engine.extras import MissingExtra
from bartizan.engine.mode import COMPILED
from bartizan.lab import cluster, store
from bartizan.lab.chunk import Chunk, ChunkPlayer, chunks_of
from bartizan.lab.cluster import BadCluster, Orders, code_of, packed, ray_workers, refusal, unpacked
from bartizan.lab.design import Design
from bartizan.lab.experiment import Experiment
from bartizan.lab.reading import read_design
from bartizan.lab.runner import IsStopped, play_chunks

WITHOUT_RAY = importlib.util.find_spec("ray") is None
NO_RAY = "Ray has no wheel for this Python and system, so it is not among the test tools"

# Searches are slow where rules are interpreted.
SEARCHED = ', "drama", "skill"' if COMPILED else ""
TEXT = f"""
game = "castle-danger"
players = ["greedy", "random"]
games = 160
seed = "first"
measures = ["fairness", "length", "choice", "pieces"{SEARCHED}]

[vary]
friendly_fire = ["none", "all"]

[search]
games = 2
iterations = 4
budgets = [2, 4]
rounds = 1
"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even small experiments have several chunks."""
    monkeypatch.setattr("bartizan.lab.chunk.FAST", 40)


def files_of(path: Path) -> dict[str, bytes]:
    """Return what must not depend on who has played: all but the files that say how long it took."""
    return {
        each.relative_to(path).as_posix(): each.read_bytes()
        for each in sorted(path.rglob("*"))
        if each.is_file() and each.suffix != ".jsonl"
    }


# --- Without a cluster ------------------------------------------------------------


@pytest.mark.parametrize(
    "on", ["", "rya", "ray://", "ray://host", "ray://host:0", "ray://host:65536", "http://a:1", "ray://a:1 b"]
)
def test_what_is_no_address_is_refused_before_there_is_a_folder(
    on: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text(TEXT)
    assert main(["lab", "run", str(tmp_path / "mine.toml"), "--on", on]) == 2
    said = capsys.readouterr().err
    assert f"{on!r} isn't a cluster" in said
    assert "ray://HOST:PORT" in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "mine").exists()


def test_a_cluster_without_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'bartizan\[ray\]'"):
        cluster.check_cluster("ray")


@pytest.mark.skipif(WITHOUT_RAY, reason=NO_RAY)
def test_an_address_that_does_not_answer_is_told_at_once() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        address = f"ray://127.0.0.1:{taken.getsockname()[1]}"
        refused = pytest.raises(BadCluster, match=f"No cluster answers at {address}: connection refused")
        with refused, ray_workers(address):
            pass


def parquet(frame: pl.DataFrame) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file, compression="zstd", statistics=False)
    return file.getvalue()


def test_frames_come_over_the_network_as_they_were() -> None:
    design = read_design(TEXT)
    frames = ChunkPlayer(design).play(chunks_of(design)[0])
    kinds = {"game": pl.Int64, "clause": pl.String, "times": pl.Int32}
    frames["clauses"] = pl.DataFrame([(1, "ABC-1", 3)], schema=kinds, orient="row")
    frames["none"] = frames["clauses"].clear()
    over = unpacked(packed(frames))
    assert list(over) == list(frames)
    for name, frame in frames.items():
        assert over[name].schema == frame.schema
        assert parquet(over[name]) == parquet(frame)
    assert unpacked(packed(("what", 1))) == ("what", 1)


def test_a_worker_with_other_code_is_refused() -> None:
    design = read_design(TEXT)
    code = code_of(design)
    assert refusal(Orders(design.text(), code)) == ""
    for key in ("bartizan", "rules_digest", "code_digest", "python"):
        said = refusal(Orders(design.text(), code | {key: "0.0"}))
        assert f"another Bartizan: its {key} is {code[key]}, here 0.0" in said
    said = refusal(Orders(design.text().replace("castle-danger", "castle-in-spain"), code))
    assert "cannot read the experiment: line 1: There is no game 'castle-in-spain'" in said


def test_code_goes_by_what_plays_and_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    design = read_design(TEXT)
    before = code_of(design)
    monkeypatch.setattr(store, "rules_digest", lambda game: "0" * 16)
    assert {key for key, value in code_of(design).items() if before[key] != value} == {"rules_digest"}


# --- Two nodes --------------------------------------------------------------------

# A node counts as dead after two seconds, not after half a minute.
QUICK = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_failure_threshold": 4,
}


class Nodes:
    """Two nodes of one processor each, on this machine; the second can be killed."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 1, "include_dashboard": False, "_system_config": QUICK}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.second = self.cluster.add_node(num_cpus=1)

    def kill(self) -> None:
        self.cluster.remove_node(self.second, allow_graceful=False)


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """Return a cluster that this process is connected to."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    both = Nodes()
    try:
        ray.init(both.cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        yield both
    finally:
        ray.shutdown()
        both.cluster.shutdown()


@pytest.mark.skipif(WITHOUT_RAY, reason=NO_RAY)
def test_two_nodes_and_one_that_dies_play_what_threads_play(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test, because a cluster takes as long to start as all of this."""
    import ray

    Experiment.begin(TEXT, tmp_path / "threads").run(2)
    expected = Experiment.begin(TEXT, tmp_path / "threads").think()

    with ray_workers("ray") as workers, monkeypatch.context() as patch:
        patch.setattr(cluster, "code_of", lambda design: code_of(design) | {"rules_digest": "0"})
        with pytest.raises(BadCluster, match="has another Bartizan: its rules_digest"):
            Experiment.begin(TEXT, tmp_path / "other").run(workers=workers)

    class Interruption(Exception):
        pass

    out, told = tmp_path / "ray", []

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        raise Interruption

    with ray_workers("ray") as workers, monkeypatch.context() as patch:
        assert workers.capacity == 2
        gone = {"Alive": True, "NodeID": "1" * 56, "Resources": {"CPU": 1.0}}  # died since it was listed
        known = ray.nodes()
        patch.setattr(ray, "nodes", lambda: [*known, gone])
        with pytest.raises(Interruption):
            Experiment.begin(TEXT, out).run(workers=workers, progress=stop)
    assert len(list((out / "games").iterdir())) == 1

    # A stretch on threads, then the rest on the cluster again, of which half dies in the middle.
    design = Experiment.open(out).design
    Experiment.begin(replace(design, games=60), out).run()

    at_work = tmp_path / "at_work"
    at_work.mkdir()

    def play_both(design: Design) -> Callable[[Chunk, IsStopped], dict[str, pl.DataFrame]]:
        """Play chunks on both nodes at once, so slowly that the second is killed in the middle of one."""
        play = play_chunks(design)

        def play_one(chunk: Chunk, is_stopped: IsStopped) -> dict[str, pl.DataFrame]:
            (at_work / ray.get_runtime_context().get_node_id()).touch()
            until = time.monotonic() + 60
            while len(list(at_work.iterdir())) < 2 and time.monotonic() < until:
                time.sleep(0.05)
            time.sleep(0.5)
            return play(chunk, is_stopped)

        return play_one

    def kill(done: int, total: int) -> None:
        told.append((done, total))
        if nodes.second in nodes.cluster.worker_nodes:
            time.sleep(0.3)  # both are at their next chunk
            nodes.kill()

    with ray_workers("ray") as workers, monkeypatch.context() as patch:
        patch.setattr("bartizan.lab.experiment.play_chunks", play_both)
        resumed = Experiment.begin(TEXT, out)
        resumed.run(workers=workers, progress=kill)
        assert nodes.second not in nodes.cluster.worker_nodes
        assert len(list(at_work.iterdir())) == 2
        assert told[-1] == (320, 320)
        measures = resumed.think(workers=workers)
    assert measures.equals(expected)
    assert files_of(out) == files_of(tmp_path / "threads")

    # Where what is found decides how many are played, chunks count in their order.
    tables: dict[str, Any] = {"game": "castle-danger", "players": "random", "measures": ["fairness"]}
    tables["until"] = {"measure": "drawn", "width": 0.6, "most": 400}
    with ray_workers("ray", limit=3) as workers:
        Experiment.begin(tables, tmp_path / "until_ray").run(workers=workers)
    Experiment.begin(tables, tmp_path / "until_threads").run()
    assert files_of(tmp_path / "until_ray") == files_of(tmp_path / "until_threads")
    assert len(list((tmp_path / "until_ray" / "games").iterdir())) < 10
