"""Print the schema of all messages: ``python -m bartizan.server.openapi > web/openapi.json``."""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec
from litestar import Litestar

from bartizan.engine.schema import Schema as WireSchema
from bartizan.server import schema
from bartizan.server.app import create_app
from bartizan.tables import messages
from bartizan.tables.requests import FRAME

PLACE = "#/components/schemas/"


def components() -> dict[str, Any]:
    """Return the JSON schema of every message type, by name."""
    unions = {"ClientMessage": FRAME, "ServerMessage": messages.ServerMessage}
    structs = [
        each
        for each in {**vars(schema), **vars(messages)}.values()
        if isinstance(each, type)
        and issubclass(each, WireSchema)
        and each not in (WireSchema, messages.Message)
    ]
    shapes, named = msgspec.json.schema_components(
        [*unions.values(), *structs], ref_template=PLACE + "{name}"
    )
    return named | dict(zip(unions, shapes, strict=False))


def document(app: Litestar) -> dict[str, Any]:
    """Return an application's OpenAPI document, with the socket's messages among its components."""
    described = app.openapi_schema.to_schema()
    described.setdefault("components", {})["schemas"] = components()
    return described


def text() -> str:
    """Return the document as JSON, the same for the same types."""
    return json.dumps(document(create_app()), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
