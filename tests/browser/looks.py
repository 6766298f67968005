"""Ask axe what is wrong with what a page shows, in light and in dark, and measure whether it fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.room import OVERFLOW, Scheme
from tests.corpus import THOROUGH

Schemes = Mapping[Scheme, dict[str, Any]]  # what axe is asked in each

VIOLATIONS: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
EVERYTHING: Schemes = {"light": VIOLATIONS, "dark": VIOLATIONS}
# Where between the schemes nothing but the colours differs.
SCHEMES: Schemes = {"light": VIOLATIONS, "dark": {**VIOLATIONS, **COLOURS}}


def schemes_of(*, phone: bool) -> Schemes:
    """Return what to ask where the same places are looked at on a desk and on a phone: each in one scheme.

    A thorough run asks for everything in both.
    """
    if THOROUGH:
        return EVERYTHING
    return {"dark": VIOLATIONS} if phone else {"light": VIOLATIONS}


def faults_of(page: Page, place: str, part: str | None = None, schemes: Schemes = SCHEMES) -> list[str]:
    """Return what axe finds on a page, or a part of it, and what overflows, each with the place's name."""
    faults = []
    for scheme, options in schemes.items():
        page.emulate_media(color_scheme=scheme)
        for violation in Axe().run(page, part, options=options).response["violations"]:
            nodes = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
            faults.append(f"{place}, {scheme}: {violation['id']}: {violation['help']}: {nodes}")
    faults += [f"{place}: {overflow}" for overflow in page.evaluate(OVERFLOW)]
    return faults
