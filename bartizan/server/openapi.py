"""Print the schema of everything that travels: ``python -m bartizan.server.openapi > web/openapi.json``."""

from __future__ import annotations

import json
import sys
from typing import Any

import msgspec

from bartizan.server.app import create_app
from bartizan.server.schema import ClientMessage, ServerMessage

TEMPLATE = "#/components/schemas/{name}"


def schema() -> dict[str, Any]:
    """Return the OpenAPI document, with the socket's messages among its components."""
    document = create_app().openapi_schema.to_schema()
    unions = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage}
    shapes, components = msgspec.json.schema_components(list(unions.values()), ref_template=TEMPLATE)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name, shape in (*components.items(), *zip(unions, shapes, strict=True)):
        schemas[name] = shape  # msgspec's own: it knows the tags and which fields may be left out
    return document


def text() -> str:
    """Return the document as JSON, the same for the same types."""
    return json.dumps(schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
