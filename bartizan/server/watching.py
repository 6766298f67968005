"""Report a server's health to its hosts: alive, ready, and metrics for Prometheus."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Histogram, generate_latest, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from bartizan.server.admission import Admission
from bartizan.server.keys import Authorization, key_of
from bartizan.server.operator import Operator
from bartizan.tables.fair import Urgency
from bartizan.tables.limits import Limits
from bartizan.tables.registry import TableRegistry
from bartizan.tables.report import report

PATIENCE = 2.0  # seconds in which the disk must respond
TEXT = "text/plain; version=0.0.4; charset=utf-8"
FRESH = {"cache-control": "no-store"}
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
requests_log = logging.getLogger("bartizan.requests")


class Measures(Collector):
    """The metrics of one server: read on demand, except for request times."""

    def __init__(self, admission: Admission, limits: Limits) -> None:
        self._admission = admission
        self._limits = limits
        self.tables: TableRegistry | None = None  # available once the server has started
        self.open_connections: Callable[[], tuple[int, dict[str, int]]] = lambda: (
            0,
            {},
        )  # connections and their faults
        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.requests = Histogram(
            "bartizan_request_seconds",
            "Time until a request was answered, by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
            buckets=SECONDS,
        )

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        connections, faults = self.open_connections()
        yield GaugeMetricFamily("bartizan_sockets", "Sockets at tables.", self._admission.sockets)
        yield GaugeMetricFamily("bartizan_connections", "Open connections.", connections)
        if self.tables is not None:
            yield GaugeMetricFamily("bartizan_tables_in_memory", "Tables in memory.", self.tables.in_memory)
            waiting = GaugeMetricFamily(
                "bartizan_thoughts_waiting", "Searches of computer players that wait.", labels=["urgency"]
            )
            for urgency in Urgency:
                waiting.add_metric([urgency.name.lower()], self.tables.thinkers.waiting(urgency))
            yield waiting
        refused = CounterMetricFamily(
            "bartizan_refused", "Requests and connections that a limit refused.", labels=["what"]
        )
        for what, count in self._admission.refusals.items():
            refused.add_metric([what], count)
        yield refused
        broken = CounterMetricFamily(
            "bartizan_connection_faults", "Connections that the server ended.", labels=["why"]
        )
        for why, count in faults.items():
            broken.add_metric([why], count)
        yield broken
        limits = GaugeMetricFamily("bartizan_limit", "The limits of this server.", labels=["limit"])
        for name in self._limits.__struct_fields__:
            limits.add_metric([name], float(getattr(self._limits, name)))
        yield limits

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def listen(self, host: str, port: int) -> Callable[[], None]:
        """Serve metrics at a separate address, without a key; return a stop function; raises `OSError`."""
        server, _ = start_http_server(port, host, self.registry)
        return server.shutdown


class Watched:
    """Wrap the application: measure each request, and optionally log it.

    A log line has the route instead of the URL, so it contains no table names or user input.
    """

    def __init__(self, app: ASGIApp, measures: Measures, admission: Admission) -> None:
        self._app = app
        self._measures = measures
        self._admission = admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and measure its time."""
        if str(scope["type"]) != "http":
            await self._app(scope, receive, send)
            return
        begin, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            spent = time.perf_counter() - begin
            asked = str(scope.get("method"))
            method = asked if asked in ("GET", "HEAD", "POST") else "other"
            route = str(scope.get("path_template") or "other")
            self._measures.requests.labels(method, route, str(status)).observe(spent)
            if requests_log.isEnabledFor(logging.INFO):
                fields: dict[str, Any] = {
                    "method": method,
                    "route": route,
                    "status": status,
                    "milliseconds": round(1000 * spent, 1),
                    "address": self._admission.address(scope) or "this machine",
                }
                line = " ".join(map(str, fields.values()))
                requests_log.info("%s", line, extra={"fields": fields})


@get("/health/live", include_in_schema=False)
async def game_state() -> Response[dict[str, str]]:
    """Report that the event loop is running."""
    return Response({"status": "live"}, headers=FRESH)


@get("/health/ready", include_in_schema=False)
async def ready(state: State) -> Response[dict[str, str]]:
    """Report whether the server can take players: it isn't stopping, and the disk responds."""
    tables: TableRegistry = state.tables
    if state.stopping():
        return Response({"status": "stopping"}, status_code=503, headers=FRESH)
    try:
        async with asyncio.timeout(PATIENCE):
            await tables.check_disk()
    except Exception as error:  # noqa: BLE001 - whatever hinders it, it is not ready
        report(error)
        return Response({"status": "the disk does not answer"}, status_code=503, headers=FRESH)
    return Response({"status": "ready"}, headers=FRESH)


@get("/metrics", include_in_schema=False)
async def metrics(
    state: State, request: Request[Any, Any, Any], authorization: Authorization = ""
) -> Response[bytes]:
    """Return the metrics to the host, or to everyone if no key is required."""
    operator: Operator = state.operator
    operator.check(key_of(authorization))
    measures: Measures = state.measures
    if request.query_params:
        raise HTTPException(status_code=404)
    return Response(measures.text(), headers={**FRESH, "content-type": TEXT})


ROUTES = [game_state, ready, metrics]
