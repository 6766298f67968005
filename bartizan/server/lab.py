"""Handle the Lab page's requests: list experiments, start one from a form, progress, reports."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath

from bartizan.engine.extras import installed, require
from bartizan.server.experiments import Experiments
from bartizan.server.keys import Authorization, key_of
from bartizan.server.operator import Operator
from bartizan.server.problems import says
from bartizan.server.schema import LabGroup, LabRequest, LabShelf, LabStarted
from bartizan.server.site import Site

SERVER = b'href="http://127.0.0.1:8765/replay#'  # a report's placeholder for the server
FRESH = {"cache-control": "no-store"}


def _experiments(state: State) -> Experiments:
    experiments: Experiments = state.experiments
    return experiments


def _operator(state: State) -> Operator:
    operator: Operator = state.operator
    return operator


@get("/api/lab", operation_id="listExperiments", sync_to_thread=True)
def list_experiments(state: State) -> LabShelf:
    """List the experiments of the data folder, and the measures."""
    groups: tuple[LabGroup, ...] = ()
    if installed("lab"):
        from bartizan.lab.groups import GROUPS

        groups = tuple(LabGroup(name=group.name, meaning=group.meaning) for group in GROUPS.values())
    return LabShelf(
        experiments=_experiments(state).listed(), needs_key=_operator(state).needs_key, groups=groups
    )


@post("/api/lab", operation_id="newExperiment", responses=says(400, 403, 404, 429, 503))
async def new_experiment(state: State, data: LabRequest, authorization: Authorization = "") -> LabStarted:
    """Check an experiment and start it."""
    require("lab", "The Lab")
    _operator(state).check(key_of(authorization))
    experiments = _experiments(state)
    experiments.check_free()
    name = await asyncio.to_thread(_lay_out, experiments, data)
    await asyncio.to_thread(_operator(state).note, "start experiment", name)
    experiments.start(name)
    return LabStarted(name=name)


def _lay_out(experiments: Experiments, wanted: LabRequest) -> str:
    from bartizan.lab.reading import confirmed_design, design_of

    tables: dict[str, Any] = {
        "game": wanted.game,
        "players": list(wanted.players),
        "games": wanted.games,
        "seed": wanted.seed,
        "measures": list(wanted.measures),
    }
    tables |= {"seats": wanted.seats} if wanted.seats else {}
    tables |= {"vary": {key: list(values) for key, values in wanted.vary.items()}} if wanted.vary else {}
    design = confirmed_design(tables) if wanted.confirm else design_of(tables)
    return experiments.lay_out(design.game.name, design.text())


@post("/api/lab/{name:str}/run", operation_id="goOnWith", responses=says(400, 403, 404, 429, 503))
async def go_on(state: State, name: FromPath[str], authorization: Authorization = "") -> LabStarted:
    """Continue an experiment that was stopped, or rewrite its report."""
    require("lab", "The Lab")
    _operator(state).check(key_of(authorization))
    experiments = _experiments(state)
    experiments.path(name)
    await asyncio.to_thread(_operator(state).note, "resume experiment", name)
    experiments.start(name)
    return LabStarted(name=name)


@post("/api/lab/{name:str}/stop", operation_id="stopExperiment", responses=says(400, 403, 404))
async def stop(state: State, name: FromPath[str], authorization: Authorization = "") -> LabStarted:
    """Stop an experiment; its finished games are kept."""
    _operator(state).check(key_of(authorization))
    _experiments(state).path(name)
    await asyncio.to_thread(_operator(state).note, "stop experiment", name)
    await _experiments(state).stop(name)
    return LabStarted(name=name)


@get(
    "/api/lab/{name:str}/report",
    operation_id="readReport",
    media_type="text/html",
    responses=says(400, 404),
    sync_to_thread=True,
)
def read_report(state: State, name: FromPath[str]) -> Response[bytes]:
    """Return an experiment's report, one HTML page, whose games open in this server's client."""
    site: Site = state.site
    here = f'href="{site.base}/replay#'.encode()
    page = _experiments(state).report(name).replace(SERVER, here)
    return Response(page, media_type="text/html", headers=FRESH)


ROUTES = [list_experiments, new_experiment, go_on, stop, read_report]
