"""The page in a real browser: filters, search, folding, deep links, themes, hostile text, no request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighteval_fix.audit.tally import Tally
from lighteval_fix.grading.grader import Options
from lighteval_fix.model import Cause, Change
from lighteval_fix.reports.html import HtmlReport
from tests.reports.handmade import make_grade, make_item, make_run

pytestmark = pytest.mark.browser

HOSTILE = (
    "<script>window.hacked=1</script><img src=x onerror='window.hacked=2'>"
    "</script><script>window.hacked=3</script><svg onload=window.hacked=4>"
    "\u202ereversed <a href='javascript:window.hacked=5'>x</a> ]]> <!-- ANSWER: 7"
)


def write_page(path: Path, many: int = 0) -> Path:
    texts = [
        ("<think>" + "so it goes on. " * 900 + "</think>\nANSWER: 7", Change.RECOVERED, Cause.ANSWER_LINE_UNREAD, 0.0),
        (HOSTILE, Change.RECOVERED, Cause.RESTATED_TEMPLATE, 0.0),
        ("the zebra counts 8\nANSWER: 7", Change.WITHDRAWN, Cause.KINDS_CONFUSED, 1.0),
        ("ANSWER: 7", Change.KEPT, None, 1.0),
    ]
    items = [
        make_item(row, text, question="How many <b>zebras</b>?", score=score)
        for row, (text, _, _, score) in enumerate(texts)
    ]
    grades = [make_grade(item, change, cause=cause) for item, (_, change, cause, _) in zip(items, texts, strict=True)]
    for row in range(4, 4 + many):
        item = make_item(row, "ANSWER: 7", score=1.0)
        items.append(item)
        grades.append(make_grade(item, Change.KEPT))
    run, options, report = make_run(items), Options(), HtmlReport(path)
    tally = Tally(run, options)
    report.begin(run, options)
    for grade in grades:
        tally.add(grade)
        report.add(grade)
    report.end(run, tally.summary())
    report.finish()
    return path


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    tab = context.new_page()
    tab.requests, tab.errors = [], []
    tab.on("request", lambda r: tab.requests.append(r.url))
    tab.on("pageerror", lambda e: tab.errors.append(str(e)))
    tab.on("console", lambda m: tab.errors.append(m.text) if m.type == "error" else None)
    tab.goto(write_page(tmp_path / "page.html").as_uri())
    yield tab
    assert [u for u in tab.requests if not u.startswith("file:")] == []
    assert len(tab.requests) == 1
    assert tab.errors == []
    context.close()


def shown(tab: Any) -> str:
    return tab.inner_text("#count")


def count_becomes(tab: Any, text: str) -> None:
    """Wait for the count: the page's policy forbids the evaluated predicates that a driver would poll with."""
    tab.locator("#count", has_text=text).wait_for()


def test_changed_items_first_and_all_on_demand(page: Any) -> None:
    assert shown(page) == "3 of 4 shown"
    page.select_option("#f-change", "")
    assert shown(page) == "4 of 4 shown"


def test_filters_and_search(page: Any) -> None:
    page.select_option("#f-change", "withdrawn")
    assert shown(page) == "1 of 4 shown"
    page.select_option("#f-change", "changed")
    page.select_option("#f-cause", "answer_line_unread")
    assert shown(page) == "1 of 4 shown"
    page.select_option("#f-cause", "")
    page.fill("#q", "ZEBRA counts")
    count_becomes(page, "1 of 4 shown")
    page.fill("#q", "")
    count_becomes(page, "3 of 4 shown")
    page.select_option("#f-policy", "identical")
    page.select_option("#f-standing", "right")
    assert shown(page) == "0 of 4 shown"


def test_the_item_shows_what_was_read_and_folds_the_reasoning(page: Any) -> None:
    page.click(".row >> nth=0")
    detail = page.locator("#detail")
    assert "answer line unread (inferred)" in detail.inner_text()
    assert page.inner_text("#detail pre mark:not(.passed) >> nth=0") == "7"
    reasoning = page.locator("#detail details.reasoning")
    assert reasoning.get_attribute("open") is None
    assert not reasoning.locator("pre").is_visible()
    reasoning.locator("summary").click()
    assert reasoning.locator("pre").is_visible()
    assert "characters left out" in reasoning.locator("pre").inner_text()


def test_deep_link_opens_the_item_even_where_the_filter_hides_it(page: Any) -> None:
    page.click(".row >> nth=2")
    assert page.evaluate("location.hash") == "#run=0&row=2&sample=0"
    page.evaluate("location.hash = '#run=0&row=3&sample=0'")
    page.locator("#detail .tag.kept").wait_for()
    assert shown(page) == "4 of 4 shown"


def test_keyboard(page: Any) -> None:
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#list", "aria-activedescendant") == "row-1"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "detail"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"


def test_hostile_text_is_text(page: Any) -> None:
    page.click(".row >> nth=1")
    assert "<script>window.hacked=1</script>" in page.inner_text("#detail")
    assert "How many <b>zebras</b>?" in page.inner_text("#detail")
    assert page.evaluate("window.hacked") is None
    assert page.locator("#detail script, #detail img, #detail svg, #detail a").count() == 0


def test_dark_and_light(page: Any) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.click("#theme")
    dark = page.evaluate(background)
    assert light != dark
    page.click("#theme")
    assert page.evaluate(background) == light
    page.emulate_media(color_scheme="dark")
    page.evaluate("delete document.documentElement.dataset.theme")
    assert page.evaluate(background) == dark


def test_a_phone_needs_no_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.click(".row >> nth=0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_figures_say_how_many_and_why(page: Any) -> None:
    text = page.inner_text("main") + page.inner_text("#lead")
    assert "3 of 4 verdicts changed: 2 recovered" in text
    assert "answer line unread" in text
    assert page.locator("svg[role=img]").count() == 2


def test_many_items_draw_only_what_is_seen(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.goto(write_page(tmp_path / "many.html", many=20_000).as_uri())
    tab.select_option("#f-change", "")
    assert shown(tab) == "20,004 of 20,004 shown"
    tab.evaluate("document.getElementById('list').scrollTop = 10000 * 56")
    tab.wait_for_selector("#row-10003")
    assert tab.locator(".row").count() < 60
    context.close()
