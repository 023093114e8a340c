"""Pages of a site: they load from the disk alone, say what an entry says, and run nothing of it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe

from kb import Library, open_library
from kb.errors import Conflict, UsageError
from kb.formats.registry import exporter
from kb.present.annotated import concerning
from tests.databases import new_library
from tests.formats.hard import BOOK
from tests.formats.site.browser import needs_chromium, watched

GOLDEN = Path(__file__).parents[1] / "golden" / "site"
HIT = "window.hit = true"
EVIL = f"</title></h1><script>{HIT}</script><img src=x onerror='{HIT}'>\"><svg onload='{HIT}'>"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{HIT}</script></svg>'.encode()
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FILES = {"a.svg": SVG, "b.png": PNG, "c.html": f"<script>{HIT}</script>".encode()}


def hostile() -> dict[str, object]:
    """An export whose every text tries to be more than text."""
    media = [
        {"name": name, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        for name, data in FILES.items()
    ]
    shown = " ".join(f"![{name}]({name})" for name in FILES)
    text = f"{EVIL} [x](javascript:{HIT}) [y](https://a.b/?'\"><script>{HIT}</script>) {shown}"
    answer = f"```{EVIL}\n{EVIL}\n```\n\n| {EVIL} |\n|-|\n| $\\href{{javascript:{HIT}}}{{x}}$ |"
    entry = {
        "id": EVIL.replace("/", "-")[:150],
        "kind": "card",
        "collection": "evil",
        "number": EVIL[:60],
        "topic": EVIL[:60],
        "tags": [EVIL[:60]],
        "question": {"en": text, "fa": f"چیست؟ {text}"},
        "answers": [{"role": "source", "lang": "en", "text": answer}],
        "snippets": [{"id": "evil-1", "title": {"en": EVIL}, "code": f"# {EVIL}\n", "main": True}],
        "media": media,
    }  # fmt: skip
    packed = [
        {"sha256": each["sha256"], "data": base64.b64encode(FILES[str(each["name"])]).decode()}
        for each in media
    ]
    return {
        "schema_version": 1,
        "collections": [{"id": "evil", "title": {"en": EVIL, "fa": EVIL}}],
        "entries": [entry],
        "media": packed,
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, _bundled_file: Path) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with open_library(shutil.copy(_bundled_file, folder / "kb.db")) as library:
        assert library.export("site", folder / "pages") == library.list().total
    return folder / "pages"


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil")
    with new_library(str(folder / "kb.db")) as library:
        given(library, folder)
        library.export("site", folder / "pages")
    return folder / "pages"


def given(library: Library, folder: Path) -> None:
    file = folder / "evil.json"
    file.write_text(json.dumps(hostile()), encoding="utf-8")
    report = library.import_file(file)
    assert report.added == 1


def pages(folder: Path) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*.html"))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags(file: Path) -> Iterator[tuple[str, dict[str, str | None]]]:
    reader = Tags()
    reader.feed(file.read_text("utf-8"))
    reader.close()
    yield from reader.found


@pytest.mark.long
@needs_chromium
def test_every_page_loads_from_the_disk_and_asks_for_nothing_elsewhere(site: Path) -> None:
    with watched(site) as browser:
        for place in pages(site):
            page = browser.open(place)
            face = "fa" if place.startswith("fa") else "en"
            said = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
            assert said == [face, {"en": "ltr", "fa": "rtl"}[face]]
            assert page.title() and page.inner_text("h1")
        assert browser.said == []
        assert browser.asked == []
    assert len(pages(site)) > 60


@pytest.mark.long
@needs_chromium
def test_the_control_of_the_watch_is_a_page_that_asks_and_fails(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<img src='https://a.invalid/b.png'><script>nothing()</script>"
    )
    with watched(tmp_path) as browser:
        browser.open("a.html").wait_for_timeout(200)
        assert browser.asked == ["https://a.invalid/b.png"]
        assert any("nothing is not defined" in said for said in browser.said)


@pytest.mark.long
def test_every_link_within_a_site_leads_to_a_page_and_a_place_of_it(site: Path) -> None:
    ids = {place: {a.get("id") for _, a in tags(site / place)} for place in pages(site)}
    for place in pages(site):
        for _, attributes in tags(site / place):
            href = attributes.get("href") or ""
            if href.startswith(("https:", "http:")) or not href:
                continue
            to, _, name = href.partition("#")
            target = (site / place).parent / unquote(to) if to else site / place
            assert target.is_file(), (place, href)
            if name:
                assert name in ids[target.resolve().relative_to(site.resolve()).as_posix()]


@pytest.mark.long
@needs_chromium
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_no_wider_than_the_screen(
    site: Path, width: int, scheme: str
) -> None:
    axe = Axe()
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    chosen = ["index.html", "fa.html"]
    chosen += [f"{face}/{name}.html" for face in ("en", "fa")
               for name in ("radius-mask", "reduced-precision", "data-parallelism")]  # fmt: skip
    with watched(site, bypass_csp=True) as browser:
        browser.page.set_viewport_size({"width": width, "height": 900})
        browser.page.emulate_media(color_scheme=scheme)
        for place in chosen:
            page = browser.open(place)
            if not place.count("/"):
                page.fill("#search", "gradient")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, place
            found = axe.run(page, options={"runOnly": {"type": "tag", "values": rules}})
            assert found.violations_count == 0, found.generate_report()


@pytest.mark.long
@needs_chromium
def test_the_control_of_the_accessibility_is_a_page_that_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<img src='b.png'><p style='color:#eee;background:#fff'>a")
    with watched(tmp_path) as browser:
        assert Axe().run(browser.open("a.html")).violations_count >= 3


def test_pages_hold_no_tag_and_no_attribute_that_is_not_ours(evil: Path) -> None:
    plain = 0
    for place in pages(evil):
        for tag, attributes in tags(evil / place):
            assert not [name for name in attributes if name.startswith("on")]
            if tag == "script":
                assert "src" in attributes and "/" not in (attributes["src"] or "/")
            href = attributes.get("href") or attributes.get("src") or ""
            assert not href.startswith("javascript:")
            plain += 1
    assert plain > 50
    names = sorted(each.name for each in evil.rglob("*") if each.is_file())
    assert not [name for name in names if name.endswith(".svg") or name == "c.html"]


@pytest.mark.long
@needs_chromium
def test_no_text_of_an_entry_runs_and_all_of_it_is_shown(evil: Path) -> None:
    with watched(evil, bypass_csp=True) as browser:
        for place in pages(evil):
            page = browser.open(place)
            if "/" not in place:
                page.fill("#search", "onerror")
                assert page.locator("#results li").count() == 1
            page.wait_for_timeout(100)
            assert page.evaluate("window.hit") is None
            assert EVIL[:30] in page.inner_text("main")
        page = browser.open(next(each for each in pages(evil) if each.startswith("en/")))
        shown = "[...document.images].map(each => each.naturalWidth > 0)"
        assert page.evaluate(shown) == [True, True] * (len(page.query_selector_all("img")) // 2)


@pytest.mark.long
@needs_chromium
def test_the_control_of_what_runs_is_the_same_text_as_html(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<title>{EVIL}")
    with watched(tmp_path) as browser:
        page = browser.open("a.html")
        page.wait_for_timeout(100)
        assert page.evaluate("window.hit") is True


def test_an_annotation_stands_beside_its_words_in_both_languages(site: Path) -> None:
    for face in ("en", "fa"):
        html = (site / face / "rnn-backprop-complexity.html").read_text("utf-8")
        signs = re.findall(r'<a id="w(\d+)" href="#n(\d+)"', html)
        notes = re.findall(r'id="n(\d+)" role="note" lang="(\w+)"', html)
        assert signs and all(one == other for one, other in signs)
        assert {number for number, _ in signs} <= {number for number, _ in notes}
        assert {lang for _, lang in notes} == {face}


def test_a_page_says_what_is_wrong_before_the_source_answer_and_leads_to_the_notes(
    site: Path,
) -> None:
    for face, said, source in (
        ("en", "What is wrong", "Source answer"),
        ("fa", "آنچه نادرست است", "پاسخ منبع"),
    ):
        html = (site / face / "rnn-backprop-complexity.html").read_text("utf-8")
        before, _, after = html.partition(f"<h2>{source}</h2>")
        _, _, section = before.partition(f"<h2>{said}</h2>")
        leading = re.findall(
            r'<li lang="(\w+)" dir="\w+"><a href="#n(\d+)">(.+?)</a></li>', section
        )
        assert len(leading) == 1 and {lang for lang, *_ in leading} == {face}
        assert all(f'id="n{number}"' in after for _, number, _ in leading)
    assert "<h2>What is wrong" not in (site / "en" / "data-parallelism.html").read_text("utf-8")


@pytest.mark.long
def test_every_annotation_is_on_a_page_of_its_entry(
    site: Path, bundled_path: Path, tmp_path: Path
) -> None:
    with open_library(bundled_path) as library:
        for listed in library.list().hits:
            entry = library.show(listed.id)
            told = set[str]()
            for face in ("en", "fa"):
                html = (site / face / f"{entry.id}.html").read_text("utf-8")
                shown = {int(number) for number in re.findall(r'id="n(\d+)"', html)}
                read = concerning(entry, [face])
                assert shown == set(range(1, len(read) + 1)), (entry.id, face)
                told |= {annotation.id for _, annotation in read}
            assert told == {annotation.id for annotation in entry.annotations}


def test_a_page_is_these_bytes(tmp_path: Path) -> None:
    exporter("site")(BOOK, tmp_path)
    made = {each.relative_to(tmp_path).as_posix(): each.read_bytes()
            for each in tmp_path.rglob("*.html")}  # fmt: skip
    kept = {each.relative_to(GOLDEN).as_posix(): each.read_bytes()
            for each in GOLDEN.rglob("*.html")}  # fmt: skip
    assert made == kept


@pytest.mark.long
def test_the_same_base_gives_the_same_bytes(site: Path, bundled_path: Path, tmp_path: Path) -> None:
    with open_library(bundled_path) as library:
        library.export("site", tmp_path / "again")
    files = {each.relative_to(site) for each in site.rglob("*") if each.is_file()}
    again = tmp_path / "again"
    assert files == {each.relative_to(again) for each in again.rglob("*") if each.is_file()}
    assert all((site / each).read_bytes() == (again / each).read_bytes() for each in files)


@pytest.mark.long
def test_a_site_goes_into_no_folder_that_has_anything(bundled_path: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    with open_library(bundled_path) as library:
        with pytest.raises(Conflict, match="not empty"):
            library.export("site", tmp_path / "there")
        with pytest.raises(UsageError, match="folder"):
            library.export("site", __import__("io").BytesIO())
    assert [each.name for each in (tmp_path / "there").iterdir()] == ["mine.txt"]


def test_names_that_a_file_system_takes_for_one_have_pages_of_their_own(tmp_path: Path) -> None:
    names = ["A", "a", "..", "con", "b/c", "b-c", "é" * 200, "گرادیان چیست", "50%25", "#x?y"]
    plain = {"kind": "card", "collection": "c", "answers": []}
    entries = [{"id": name, "question": {"en": f"Q{n}?"}} | plain for n, name in enumerate(names)]
    file = tmp_path / "names.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": entries}), encoding="utf-8")
    with new_library(str(tmp_path / "kb.db")) as library:
        assert library.import_file(file).added == len(names)
        library.export("site", tmp_path / "pages")
    found = [each.name for each in (tmp_path / "pages" / "en").iterdir()]
    assert len({name.casefold() for name in found}) == len(names)
    index = (tmp_path / "pages" / "index.html").read_text("utf-8")
    for href, number in re.findall(r'<li><a href="([^"]+)"[^>]*>Q(\d+)', index):
        page = (tmp_path / "pages" / unquote(href)).read_text("utf-8")
        assert f"<title>Q{number}?</title>" in page
    assert index.count("<li><a href=") == len(names)


@pytest.mark.long
@needs_chromium
def test_a_language_that_the_page_has_no_rules_for_is_read_by_the_words_of_the_pages(
    tmp_path: Path,
) -> None:
    text = {"ru": "Нейронные сети обучаются быстро"}
    entry = {"id": "ru", "kind": "card", "collection": "c", "question": text, "answers": []}
    file = tmp_path / "ru.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": [entry]}), encoding="utf-8")
    with new_library(str(tmp_path / "kb.db")) as library:
        library.import_file(file)
        library.export("site", tmp_path / "pages")
    with watched(tmp_path / "pages") as browser:
        page = browser.open("index.html")
        for query, count in (("сети", 1), ("нейронные", 1), ("собака", 0)):
            page.fill("#search", query)
            assert page.locator("#results li").count() == count
        assert browser.said == []
