"""The Lab page, and the report as it opens from disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.house import House
from tests.browser.looks import SCHEMES, faults_of, schemes_of
from tests.browser.room import Rooms
from tests.lab.reporting import written


@pytest.mark.parametrize("width", [1100, 360], ids=["desk", "phone"])
def test_a_report_opens_from_disk(browser: Browser, tmp_path: Path, width: int) -> None:
    """It runs nothing and asks nobody, axe finds nothing, nothing overflows, and it prints what is folded."""
    asked: list[str] = []
    said: list[str] = []
    address = written(tmp_path).as_uri()
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(address)
    assert faults_of(page, "report", schemes=SCHEMES) == []
    drawn = page.locator("figure").first.locator("svg").bounding_box()
    assert drawn is not None
    assert drawn["x"] + drawn["width"] <= width  # the first picture is whole on a phone
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page, "report, unfolded", schemes=schemes_of(phone=width < 600)) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("summary").first.click()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator("table").first).to_be_visible()
    assert (asked, said) == ([address], [])
    # The colours of the pictures are the page's own, in both schemes.
    page.emulate_media(media="screen")
    inks = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        inks.add(page.locator("svg text").first.evaluate("each => getComputedStyle(each).fill"))
    assert len(inks) == 2
    assert not {ink for ink in inks if ink == "rgb(0, 0, 0)"}
    page.close()


# Lists whose choice is cut short, and boxes whose words begin under them.
BADLY_SET = """() => {
  const cut = [...document.querySelectorAll("select")].filter((one) => {
    const copy = one.cloneNode();
    copy.style.width = "max-content";
    copy.append(one.selectedOptions[0].cloneNode(true));
    one.after(copy);
    const needed = copy.offsetWidth;
    copy.remove();
    return needed > one.offsetWidth;
  });
  const under = [...document.querySelectorAll("label:has(> input)")].filter((one) => {
    const words = document.createRange();
    words.selectNode([...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE));
    return words.getClientRects()[0].top >= one.querySelector("input").getBoundingClientRect().bottom;
  });
  return [...cut.map((one) => one.value || one.textContent), ...under.map((one) => one.textContent)];
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_lab_page_stands(rooms: Rooms, phone: bool) -> None:
    room = rooms.open(phone=phone, width=360 if phone else 0)
    page = room.page
    room.goto("/")
    room.press(page.get_by_role("link", name="Lab", exact=True))
    expect(page.get_by_role("heading", name="Lab", exact=True)).to_be_visible()
    page.get_by_label("Game", exact=True).select_option(label="Card-cassonne")
    assert page.evaluate(BADLY_SET) == []
    page.get_by_label("Option").select_option(label="Rescore growth")
    expect(page.get_by_role("checkbox", name="none (usual)", exact=True)).to_be_checked()
    assert faults_of(page, "lab", schemes=schemes_of(phone=phone)) == []
    page.get_by_label("Game", exact=True).select_option(label="Castle Danger")
    page.get_by_label("Option").select_option(label="Turn limit")
    page.get_by_label("Values, separated by commas").fill("10, abc, 50")
    expect(page.get_by_text("abc isn’t a whole number.")).to_be_visible()
    expect(room.button("Run")).to_be_disabled()
    page.get_by_label("Values, separated by commas").fill("10, 50")
    expect(room.button("Run")).to_be_enabled()
    for box in page.get_by_role("group", name="Measure").get_by_role("checkbox").all():
        box.uncheck()
    expect(room.button("Run")).to_be_disabled()


def test_an_experiment_from_the_page(rooms: Rooms, house: House) -> None:
    """By keyboard alone: run a small one, hear that it is finished, open its report, watch a game of it."""
    room = rooms.open()
    page = room.page
    room.goto("/lab")
    page.get_by_label("Game", exact=True).focus()
    page.get_by_label("Game", exact=True).select_option(label="Castle Danger")
    for player in ("Player 1", "Player 2"):
        page.get_by_label(player).select_option("random")
    page.get_by_label("Games", exact=True).fill("30")
    room.button("Run").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="castle-danger-1")).to_be_focused()
    expect(page.locator("[aria-live]")).to_contain_text("castle-danger-1 is finished.", timeout=240_000)
    expect(page.get_by_role("heading", name="castle-danger-1")).to_be_visible()
    page.get_by_label("Seconds per decision").select_option("20")
    expect(page.get_by_text("20 seconds a decision")).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Report of castle-danger-1").click()
    report = opened.value
    expect(report.get_by_role("heading", name="Is it fair?")).to_be_visible()
    report.get_by_role("link", name="Watch game").first.click()
    expect(report.get_by_role("group", name="Replay")).to_be_visible()
    report.close()
    # A stopped one stays first, with what resumes it.
    page.get_by_label("Games", exact=True).fill("50000")
    room.press(room.button("Run"))
    expect(page.locator("#first")).to_have_text("castle-danger-2")
    expect(page.get_by_text("% of 50,000 games")).to_be_visible(timeout=60_000)
    room.press(page.get_by_role("button", name="Stop castle-danger-2"))
    expect(page.get_by_role("button", name="Resume: castle-danger-2")).to_be_visible()
    expect(page.locator("#first")).to_have_text("castle-danger-2")
    # What cannot be run is told in the server's own words, beside the button.
    room.excused += ["the server responded with a status of 400"]
    page.get_by_label("Seed").fill("x" * 64)
    page.get_by_label("Games", exact=True).evaluate("each => (each.max = '')")
    page.get_by_label("Games", exact=True).fill("2000000")
    room.press(room.button("Run"))
    expect(page.get_by_role("alert")).to_contain_text("1000000")
    expect(page.get_by_role("alert")).to_be_in_viewport()
