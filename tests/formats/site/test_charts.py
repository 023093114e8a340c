"""Charts on the pages of a site: drawings that say what they draw, and hold nothing else."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given

from kb import Library
from kb.content.release import printed_charts
from kb.formats.site.charts import figure
from kb.model.entry import Snippet
from kb.present.charts.reading import Chart, charts, read_chart
from kb.terminal.terminal import safe
from tests.present.test_charts import KINDS, chart_of, sound_charts

TAGS = {"figure", "figcaption", "bdi", "svg", "title", "desc", "text", "path", "polyline", "rect",
        "circle", "pattern"}  # fmt: skip
ATTRIBUTES = {
    "lang", "dir", "viewBox", "role", "font-size", "fill", "aria-labelledby", "id", "x", "y", "d",
    "width", "height", "points", "direction", "text-anchor", "stroke", "stroke-width",
    "stroke-opacity", "stroke-dasharray", "patternUnits", "cx", "cy", "r",
}  # fmt: skip
EVIL = "</title></svg><script>alert(1)</script><img src=x onerror='x'>\" onload=\"x"


def drawing(chart: Chart, lang: str) -> ET.Element:
    """Return a figure, which must be well-formed, of our tags and attributes alone."""
    root = ET.fromstring(figure(chart, lang, "chart-0-0"))
    assert {each.tag for each in root.iter()} <= TAGS
    assert {name for each in root.iter() for name in each.attrib} <= ATTRIBUTES
    return root


def texts(root: ET.Element, tag: str) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(tag)]


@given(sound_charts())
def test_any_chart_is_a_drawing_of_our_tags(chart: Chart) -> None:
    for lang in ("en", "fa"):
        root = drawing(chart, lang)
        assert all(safe(text) == text for text in root.itertext())
        for each in root.iter():
            for name in ("x", "y", "cx", "cy", "width", "height"):
                assert float(each.get(name, "0")) >= 0


@pytest.mark.parametrize("kind", ["bars", "lines", "groups"])
def test_hostile_labels_are_text(kind: str) -> None:
    chart = chart_of(KINDS[kind])
    names = [EVIL[:90]] * (2 + len(chart.words) + len(chart.series))
    hostile = chart._replace(other={"en": tuple(names)}).in_language("en")
    html = figure(hostile, "en", "c")
    assert "<script" not in html and "<img" not in html and html.count("</svg>") == 1
    root = drawing(hostile, "en")
    assert any(EVIL[:40] in text for text in texts(root, "title"))


def test_orders_to_a_terminal_and_to_the_direction_are_signs() -> None:
    chart = read_chart("chart: a\x1b[2J\u202eb\n  x: c\x07, d\n  y: 1 2\n")
    assert chart is not None
    assert {"a␛[2J\ufffdb"} <= set(texts(drawing(chart, "en"), "title"))


@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_is_also_said(kind: str, lang: str) -> None:
    chart = chart_of(KINDS[kind]).in_language(lang)
    root = drawing(chart_of(KINDS[kind]), lang)
    svg = root.find("svg")
    assert svg is not None and svg.get("role") == "img"
    named = {each.get("id") for each in svg if each.tag in ("title", "desc")}
    assert set(str(svg.get("aria-labelledby")).split()) == named
    (told,) = texts(root, "desc")
    for each in chart.series:
        assert each.name in told
        assert chart.log_y or len(chart.series) == 1 or each.name in texts(root, "text")
    assert told.count("|") == (1 + len(chart.series)) * (chart.size - 1)


def test_series_differ_without_colour() -> None:
    lines = drawing(chart_of(KINDS["lines"]), "en")
    dashes = [each.get("stroke-dasharray") for each in lines.iter("polyline")]
    assert len(set(dashes)) == len(dashes) == 3
    assert {"●", "○", "▲"} <= set(texts(lines, "text"))
    fillings = {each.get("fill") for each in drawing(chart_of(KINDS["groups"]), "en").iter("rect")}
    assert fillings == {"currentColor", "url(#chart-0-0-1)"}
    colours = {each.get(name) for each in lines.iter() for name in ("fill", "stroke")}
    assert colours <= {None, "none", "currentColor"}


def test_bars_of_persian_begin_at_the_right() -> None:
    def ends(lang: str) -> list[float]:
        rects = drawing(chart_of(KINDS["bars"]), lang).iter("rect")
        return [float(each.get("x", "")) + float(each.get("width", "")) for each in rects]

    english, persian = ends("en"), ends("fa")
    assert len(set(persian)) == 1 and len(set(english)) == len(english)


# What is known of the charts of bundled programs


def test_a_page_shows_the_charts_of_its_programs(bundled: Library, tmp_path: Path) -> None:
    bundled.export("site", tmp_path / "site", ids=["batch-norm-epsilon"])
    for face in ("en", "fa"):
        page = (tmp_path / "site" / face / "batch-norm-epsilon.html").read_text("utf-8")
        assert page.count("<figure ") == page.count("<svg ") >= 1
        assert ("<figcaption>انحراف معیار خروجی" in page) == (face == "fa")


def test_charts_are_known_of_the_programs_that_print_them(bundled: Library) -> None:
    for snippet in snippets(bundled):
        assert bool(printed_charts(snippet)) == ("chart: " in snippet.code), snippet.id
        assert all(piece.text for piece in charts(printed_charts(snippet)))


def test_every_chart_of_a_bundled_program_has_persian_words(bundled: Library) -> None:
    for snippet in snippets(bundled):
        for piece in charts(printed_charts(snippet)):
            assert piece.chart is not None and "fa" in piece.chart.other, snippet.id


def test_a_program_that_was_changed_has_no_chart(bundled: Library) -> None:
    snippet = next(each for each in snippets(bundled) if printed_charts(each))
    assert printed_charts(dataclasses.replace(snippet, code=f"{snippet.code}\n")) == ""


def snippets(library: Library) -> list[Snippet]:
    entries = (library.show(hit.id) for hit in library.list(limit=None).hits)
    return [snippet for entry in entries for snippet in entry.snippets]
