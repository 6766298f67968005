"""Build the application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from bartizan.engine.errors import BartizanError
from bartizan.server.admission import Admission
from bartizan.server.experiments import Experiments
from bartizan.server.guard import Guard
from bartizan.server.hosting import default_data_dir
from bartizan.server.http import ROUTES, on_bartizan_error, on_http_error, on_unexpected
from bartizan.server.operator import Operator, operator_key
from bartizan.server.replays import Replays
from bartizan.server.site import Site
from bartizan.server.static import FOLDER, Client
from bartizan.server.watching import Measures, Watched
from bartizan.server.wire_types import WireTypes
from bartizan.tables.calls import Calls
from bartizan.tables.installed import Installed
from bartizan.tables.limits import Limits
from bartizan.tables.provider import GameProvider
from bartizan.tables.registry import TableRegistry
from bartizan.tables.storage import open_log
from bartizan.tables.store import MoveLog
from bartizan.tables.webpush import read_keys

LARGEST_REQUEST = 1024 * 1024  # bytes


def create_app(
    data_dir: Path | None = None,
    *,
    games: GameProvider | None = None,
    limits: Limits | None = None,
    site: Site | None = None,
    static: Path = FOLDER,
    moves: MoveLog | None = None,
    operator: Operator | None = None,
    replaces: str = "",
) -> Litestar:
    """Return the application.

    `moves` is a log that is already open (it is closed with the application);
    without it the one in `data_dir` is opened at startup, which raises
    `StorageError` on failure.  Experiments are in its folder ``lab``.
    `site` holds the server's names and proxies; by default only this machine's names.
    Notifications are offered if its folder has the keys for them; raises the errors of `read_keys`.
    `operator` decides who may run experiments; by default the key is that of `operator_key`.
    `replaces` names a dead process that this one replaces.
    """
    provider = games or Installed()
    data = data_dir or default_data_dir()
    place = site or Site()
    taken = limits or Limits()
    push = read_keys(data)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        log = moves or open_log(data)
        app.state.operator = operator or Operator(operator_key(data, loopback_only=place.loopback_only), data)
        calls = Calls(log, provider, push) if push else None
        app.state.tables = tables = TableRegistry(log, provider, taken, replaces, calls)
        app.state.measures.tables = tables
        provider.open()
        try:
            yield
        finally:
            await app.state.experiments.close()
            app.state.replays.close()
            provider.close()
            tables.close()
            if calls:
                await calls.close()
            await log.stop()

    app = Litestar(
        ROUTES,
        lifespan=[lifespan],
        exception_handlers={
            BartizanError: on_bartizan_error,
            HTTPException: on_http_error,
            Exception: on_unexpected,
        },
        openapi_config=OpenAPIConfig(
            title="Bartizan",
            version="1",
            render_plugins=[JsonRenderPlugin()],  # without one, Litestar adds pages that need other hosts
            path="/api/openapi",
        ),
        plugins=[WireTypes()],
        request_max_body_size=LARGEST_REQUEST,
        logging_config=None,
    )
    app.state.games = provider
    app.state.admission = admission = Admission(taken, place)
    app.state.measures = Measures(admission, taken)
    app.state.stopping = lambda: False
    app.state.replays = Replays(provider, taken)
    app.state.experiments = Experiments(data / "lab")
    app.state.client = Client(static, place.base)
    app.state.site = place
    app.asgi_handler = Guard(Watched(app.asgi_handler, app.state.measures, admission), place, admission)
    return app
