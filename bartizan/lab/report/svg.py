"""Turn charts into pictures: SVG without scripts, links or addresses, coloured by its page; and PNG.

Pictures are drawn beforehand instead of putting Vega's runtime (850 kB of script) into the page: so it stays
small, prints, and opens under a server's strict content security policy.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import altair as alt

from bartizan.engine.errors import BartizanError

SVG = "http://www.w3.org/2000/svg"
ELEMENTS = {"svg", "g", "path", "text", "tspan", "rect", "line", "circle"}
ATTRIBUTES = {
    *(
        "width",
        "height",
        "viewBox",
        "transform",
        "d",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "dx",
        "dy",
        "r",
        "cx",
    ),
    *(
        "cy",
        "fill",
        "fill-opacity",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-dasharray",
        "opacity",
    ),
    *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "text-anchor", "font-family", "font-size"),
    *("font-weight", "font-style", "display"),
}  # no ids, which would meet where a page has several pictures
VARIABLE = re.compile(r"var\((--[a-z0-9-]+)\)")  # a colour of the page
TONE = re.compile(r"(--[a-z0-9-]+): light-dark\((#\w+), (#\w+)\)")  # and its definition
ADDRESS = re.compile(r"url\(|javascript:|//", re.IGNORECASE)

# The colours are the page's own, so that one picture is light or dark with it.
INK = {"labelColor": "var(--ink)", "titleColor": "var(--ink)", "labelFontSize": 12, "titleFontSize": 12}
LINES = {"gridColor": "var(--line)", "domainColor": "var(--soft)", "tickColor": "var(--soft)"}
CONFIG: dict[str, Any] = {
    "background": "transparent",
    "padding": {
        "left": 16,
        "right": 12,
        "top": 5,
        "bottom": 5,
    },  # fonts differ: names may be wider than measured
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {**INK, **LINES, "titleFontWeight": "normal", "labelLimit": 230},
    "legend": {**INK, "orient": "top", "columns": 2, "symbolOpacity": 1, "labelLimit": 300},
}


def draw(chart: alt.TopLevelMixin) -> str:
    """Return a chart as SVG, to be put into a page as it is."""
    import vl_convert

    spec = chart.to_dict()
    spec["config"] = CONFIG
    return clean(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))


def paint(chart: alt.TopLevelMixin) -> bytes:
    """Return a chart as PNG in the colours of the light page, at twice its size."""
    import vl_convert

    spec = chart.to_dict()
    spec["config"] = {**CONFIG, "background": "white"}
    plain = with_light_colours(json.dumps(spec))
    return bytes(vl_convert.vegalite_to_png(plain, scale=2, allowed_base_urls=[]))


def with_light_colours(picture: str) -> str:
    """Return a picture's text with the colours of the light page in place of their names."""
    light = {name: at for name, at, _ in tones()}
    return VARIABLE.sub(lambda found: light.get(found[1], found[0]), picture)


@cache
def tones() -> list[tuple[str, str, str]]:
    """Return the report's colours: name, in the light, in the dark."""
    return TONE.findall(Path(__file__).with_name("report.html").read_text(encoding="utf-8"))


def clean(text: str) -> str:
    """Return an SVG with nothing in it but shapes and text; raises `BartizanError` for what is no SVG.

    Data of a stranger's file went into the picture: what is drawn is not trusted to be escaped, but checked.
    """
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise BartizanError(f"A picture cannot be drawn: {error}.") from error
    if root.tag != f"{{{SVG}}}svg":
        raise BartizanError("A picture cannot be drawn: it isn't SVG.")
    _strip(root)
    root.set("role", "presentation")
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _strip(element: ElementTree.Element) -> None:
    for name, value in list(element.attrib.items()):
        if name not in ATTRIBUTES or ADDRESS.search(value):
            del element.attrib[name]
    for child in list(element):
        if child.tag.removeprefix(f"{{{SVG}}}") not in ELEMENTS or child.get("display") == "none":
            element.remove(child)
        else:
            _strip(child)
