"""Keep other web pages out, and put the strict headers on every answer.

A server on loopback is within reach of every page that its user's browser
shows.  Two checks keep them away: the Host header must be this machine's name
(a foreign name that was made to point here, DNS rebinding, is refused), and a
page that opens a socket or changes something must have come from this server.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from bartizan.server.schema import Problem

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
SAFE_METHODS = {"GET", "HEAD"}


def is_loopback(host: str) -> bool:
    """Return whether a bare host (no port, no brackets) is this machine's own name."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Wrap the application: refuse strangers, add headers.

    `loopback_only` says that the server listens on loopback, so that any other
    Host is a foreign page's trick.
    """

    def __init__(self, app: ASGIApp, *, loopback_only: bool) -> None:
        self._app = app
        self._loopback_only = loopback_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        kind = str(scope["type"])
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, kind)
        if refusal and kind == "http":
            await _problem(with_headers(send), 403, refusal)
        elif refusal:
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "not from here"})
        elif kind == "http":
            await self._app(scope, receive, with_headers(send))
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, kind: str) -> str:
        hosts: list[str] = []
        origins: list[str] = []
        for name, value in scope["headers"]:
            if name.lower() == b"host":
                hosts.append(value.decode("latin-1").lower())
            elif name.lower() == b"origin":
                origins.append(value.decode("latin-1").lower())
        if len(hosts) != 1 or len(origins) > 1:
            return "A request needs one Host, and one Origin at the most."
        if self._loopback_only and not is_loopback(_bare(hosts[0])):
            return "This server answers only to this machine's own names, such as localhost."
        changes = kind == "websocket" or scope.get("method") not in SAFE_METHODS
        if changes and origins and not _same_place(origins[0], hosts[0]):
            return "Only pages of this server may do that."
        return ""


def _bare(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


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


def with_headers(send: Send) -> Send:
    """Return a `send` that puts the strict headers on the answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *ENCODED_HEADERS]
        await send(message)

    return sending


async def _problem(send: Send, status: int, sentence: str) -> None:
    body = msgspec.json.encode(Problem(code="forbidden", sentence=sentence))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
