"""The Lab's report in a browser: axe, light and dark, a narrow phone, print, and no request to anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bartizan.lab.experiment import Experiment
from bartizan.lab.report import write_report
from tests.browser.looks import faults_of

TABLES = {
    "game": "castle-danger",
    "games": 20,
    "measures": ["fairness", "length", "choice", "pieces"],
    "vary": {"friendly_fire": ["none", "all"]},
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    experiment = Experiment.begin(TABLES, tmp_path_factory.mktemp("report") / "out")
    experiment.run()
    return write_report(experiment)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1100])
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Browser, report: Path, scheme: str, width: int
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})  # type: ignore[arg-type]
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert faults_of(page, "report") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [report.as_uri()]
    ink = page.locator("svg text").first.evaluate("(one) => getComputedStyle(one).fill")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ink != paper
    context.close()


def test_it_prints_in_ink_on_white(browser: Browser, report: Path) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(report.as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    context.close()
