"""Read the key of a request from a header, since proxies write addresses to their logs."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.params import HeaderParameter

from bartizan.tables.errors import BadRequest

# Proxies leave this header out of their logs.
Authorization = Annotated[
    str, HeaderParameter(name="authorization", description="Bearer and a key: a seat's or the host's")
]
SCHEME = "bearer "


def key_of(authorization: str) -> str:
    """Return the key in an Authorization header; raises `BadRequest` for another scheme than Bearer."""
    if not authorization:
        return ""
    if authorization[: len(SCHEME)].lower() != SCHEME:
        raise BadRequest("A key comes in the header 'Authorization: Bearer KEY'.")
    return authorization[len(SCHEME) :].strip()


def seat_key(request: Request[Any, Any, Any], authorization: str) -> str:
    """Return the key of a seat; raises `BadRequest` for one in the address."""
    if "token" in request.query_params:
        raise BadRequest(
            "A key in an address ends in the logs of proxies; send it as 'Authorization: Bearer KEY'."
        )
    return key_of(authorization)
