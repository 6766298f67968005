"""Document in the schema with which status codes a request may be refused."""

from __future__ import annotations

from http import HTTPStatus

from litestar.openapi.datastructures import ResponseSpec

from bartizan.server.schema import Problem


def says(*codes: int) -> dict[int, ResponseSpec]:
    """Return the refusals of a route, each a `Problem`."""
    return {
        code: ResponseSpec(Problem, description=HTTPStatus(code).phrase, generate_examples=False)
        for code in codes
    }
