"""Keep other web pages out, and add strict headers to every response.

Every page in a user's browser can send requests to this server. Two checks keep other pages out. The Host
header must be a name of this server, which prevents DNS rebinding. And a page that opens a socket or changes
something must have come from this server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from bartizan.server.admission import Admission
from bartizan.server.schema import Problem
from bartizan.server.site import Site, bare_host
from bartizan.tables.errors import TooMany

HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ENCODED_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
HEALTH = "/health/"  # requested by monitoring under any host name; it reveals nothing
CODES = {400: "bad_request", 403: "forbidden", 429: TooMany.code}
SAFE_METHODS = {"GET", "HEAD"}


class Guard:
    """Wrap the application: refuse foreign requests, add headers, and strip the base path.

    The client address and protocol reported by a proxy that `site` trusts are applied to the
    request before it reaches the application; other senders' headers are ignored.
    """

    def __init__(self, app: ASGIApp, site: Site, admission: Admission) -> None:
        trusted = [str(network) for network in site.proxies]
        self._inside = app
        self._admission = admission
        self._app: Any = ProxyHeadersMiddleware(cast(Any, self._admit), trusted) if trusted else self._admit
        self._site = site
        self._headers = list(ENCODED_HEADERS)
        if site.origin.startswith("https:"):
            self._headers.append((b"strict-transport-security", b"max-age=31536000"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asks_health = kind == "http" and scope["path"].startswith(HEALTH)
        status, refusal = (0, "") if asks_health else self._refusal(scope, kind)
        if kind == "http":
            send = self._with_headers(send)
        if refusal and kind == "http":
            await _problem(send, status, refusal)
        elif refusal:
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "not from here"})
        elif kind == "http" and self._site.base and scope["path"] == self._site.base:
            await _redirect(send, self._site.base + "/")
        else:
            await self._app(self._at_top(scope), receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request whose origin is known, unless there are too many."""
        if str(scope["type"]) == "http":
            try:
                self._admission.take("requests", scope)
            except TooMany as error:
                await _problem(send, 429, str(error))
                return
        await self._inside(scope, receive, send)

    def _at_top(self, scope: Scope) -> Scope:
        """Strip the base path, if the proxy hasn't done so."""
        base = self._site.base
        if not base or not scope["path"].startswith(base + "/"):
            return scope
        raw = scope.get("raw_path") or b""
        stripped = {"path": scope["path"][len(base) :], "raw_path": raw.removeprefix(base.encode())}
        return cast(Scope, {**scope, **stripped})

    def _refusal(self, scope: Scope, kind: str) -> tuple[int, str]:
        """Return the status and the text with which a request is refused; an empty text if it isn't."""
        site = self._site
        peer = scope.get("client")
        if not site.admits(str(peer[0]) if peer else ""):
            return 403, f"This server is only available at {site.url}."
        hosts: list[str] = []
        origins: list[str] = []
        for name, value in scope["headers"]:
            if name.lower() == b"host":
                hosts.append(value.decode("latin-1").lower())
            elif name.lower() == b"origin":
                origins.append(value.decode("latin-1").lower())
        host = bare_host(hosts[0]) if len(hosts) == 1 else None
        if host is None or len(origins) > 1:
            return 400, "A request needs one Host, with a port up to 65535, and at most one Origin."
        if not site.answers_to(host):
            return 403, (
                "This server answers only to its own names, such as localhost; "
                "its host can add more (--public-url, --allow-host)."
            )
        changes = kind == "websocket" or scope.get("method") not in SAFE_METHODS
        ours = site.origin and origins == [site.origin]
        if changes and origins and not ours and not _same_place(origins[0], hosts[0]):
            return 403, "Only pages of this server can do that."
        return 0, ""

    def _with_headers(self, send: Send) -> Send:
        """Return a `send` that puts the strict headers on the answer."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        return sending


def _same_place(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https"):
            return False
        default = 443 if parts.scheme == "https" else 80
        other = urlsplit(f"//{host}")
        return (parts.hostname, parts.port or default) == (other.hostname, other.port or default)
    except ValueError:
        return False


async def _problem(send: Send, status: int, sentence: str) -> None:
    body = msgspec.json.encode(Problem(code=CODES[status], sentence=sentence))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _redirect(send: Send, path: str) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
