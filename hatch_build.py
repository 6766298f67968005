"""Carry the built browser client in the wheel and the source archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CLIENT = "bartizan/server/static"


class ClientHook(BuildHookInterface[Any]):
    """Add the client that Vite built, which git ignores, to what is packed.

    An editable install is left alone: it reads the client from the checkout,
    and must work before the client has been built.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Mark the client's files as part of the package.

        Raises:
            RuntimeError: the client has not been built.
        """
        if version == "editable":
            return
        if not (Path(self.root) / CLIENT / "index.html").is_file():
            raise RuntimeError(
                f"{CLIENT}/index.html is missing: build the browser client first (make client)."
            )
        build_data["artifacts"].append(f"/{CLIENT}/**")
