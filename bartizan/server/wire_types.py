"""Make Litestar list our Structs by name in the schema."""

from __future__ import annotations

from typing import Any

from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from bartizan.engine.schema import Schema as WireSchema


class WireTypes(OpenAPISchemaPlugin):
    """Reference our Structs by name in routes; `components` describes them.

    msgspec's own schema knows tags, limits and optional fields, and it is the
    only one that covers the socket's messages.
    """

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a type is one of ours."""
        annotation = field_definition.annotation
        return isinstance(annotation, type) and issubclass(annotation, WireSchema)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        """Return the reference to a type's description."""
        name = field_definition.annotation.__name__
        return schema_creator.create_component_schema(  # type: ignore[no-any-return]
            field_definition, required=[], property_fields={}, openapi_type=OpenAPIType.OBJECT, title=name
        )
