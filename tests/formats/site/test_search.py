"""Search in the pages of a site: queries are read as in the base, and find what it finds."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kb import Library, open_library
from kb.formats.site.search.index import SCRIPTS
from kb.text.analyzer import analyze
from tests.formats.site.browser import Watched, needs_chromium, watched

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = needs_chromium

HARD = [
    "", " ", "a", "GPUs", "k-NN", "AllReduce", "C++ and C#", "don't", "naïve Bayes", "ＢＥＲＴ",
    "straße", "regularisation optimizer colour", "analyses matrices vertices",
    "1e-5 and 0.001", "x_1 x²", "ReLU6", "e-mail", "state-of-the-art", "ﬁne", "İstanbul",
    "I\u0307", "神经网络", "ニューラル", "شبکه‌های عصبی", "شبکه های عصبی", "شبكه هاي عصبي", "می‌شود",
    "می شود", "نمی‌خواهم", "کتاب‌هایشان", "بزرگ‌ترین", "بزرگترین", "پیش‌بینی", "یادگیری ژرف",
    "۱۲۳٫۴", "٤٥", "گرادیانِ نزولی", "رُؤیا", "مسأله", "مسئله", "آزمون‌وخطا", "شبکۀ", "خانهٔ",
    "لایه‌ی پنهان", "بَچ نُرم", "ﺷﺒﻜﻪ", "\u202bعصبی\u202c", "CNN‌ها", "GPUهای", "با GPU",
    "بک‌پروپگیشن", "و/یا", "a" * 200, "\U0001f916 robot", "م\u0651دل",
]  # fmt: skip
QUERIES = [
    ("batch norm", "batch-norm-epsilon"), ("gradients vanish", None), ("memory of training", None),
    ("گرادیان", None), ("حافظه آموزش", None), ("شبكه عصبي", None), ("نرمال‌سازی دسته‌ای", None),
    ("quantisation", "reduced-precision"), ("tpu", "gpus-and-tpus"), ("موازی سازی داده", None),
    ("distrbuted trainng", None), ("gradeint", None), ("hghnd", None), ("yadgiri amigh", None),
]  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, _bundled_file: Path) -> Iterator[Library]:
    path = shutil.copy(_bundled_file, tmp_path_factory.mktemp("base") / "kb.db")
    with open_library(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("site") / "pages"
    library.export("site", folder)
    with watched(folder, bypass_csp=True) as watching:
        yield watching


@pytest.fixture
def analyzing(browser: Watched) -> Page:
    """The start page, with the functions of its script within reach of a test."""
    page = browser.open("index.html")
    script = files("kb.formats.site.search") / "script"
    parts = [script.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS[:-1]]
    page.add_script_tag(content="\n".join(parts))
    return page


def texts(library: Library) -> list[str]:
    """Texts of the base, names of its glossary, and what is hard to read."""
    shown = [library.show(hit.id) for hit in library.list().hits]
    told = [text for entry in shown for text in entry.question.values()]
    told += [answer.text[:400] for entry in shown for answer in entry.answers]
    names = [each.name for each in library._base.store.glossary.concept_names()]
    return HARD + told + random.Random(7).sample(names, 3000)


def terms(text: str, lang: str) -> list[list[list[str]]]:
    return [
        [[term.text for term in word.terms], sorted({form.text for form in word.forms})]
        for word in analyze(text, lang)
    ]


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_query_has_the_same_terms_as_in_the_base(
    library: Library, analyzing: Page, lang: str
) -> None:
    asked = texts(library)
    found: list[Any] = analyzing.evaluate(
        """([asked, lang]) => asked.map((text) => analyze(text, lang).map((word) => [
            word.terms.map((term) => term.text),
            [...new Set(word.forms.map((form) => form.text))].sort(),
        ]))""",
        [asked, lang],
    )
    for each in found:
        for word in each:
            word[1].sort()
    wrong = [
        (text, terms(text, lang), there)
        for text, there in zip(asked, found, strict=True)
        if terms(text, lang) != there
    ]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize(("query", "entry"), QUERIES)
def test_the_page_finds_first_what_the_base_finds(
    library: Library, browser: Watched, query: str, entry: str | None
) -> None:
    page = browser.open("index.html")
    page.fill("#search", query)
    addresses = [link.get_attribute("href") or "" for link in page.query_selector_all("#results a")]
    found = [address.rpartition("/")[2].removesuffix(".html") for address in addresses]
    wanted = [hit.id for hit in library.search(query).hits]
    assert found and wanted
    assert found[0] in wanted[:4]
    assert len({*found[:5]} & {*wanted[:8]}) >= min(3, len(wanted))
    if entry:
        assert found[0] == entry
    face = "fa" if any("\u0600" <= char <= "\u06ff" for char in query) else "en"
    assert addresses[0].startswith(f"{face}/") or query in ("hghnd", "yadgiri amigh")


@pytest.mark.long
def test_keys_lead_to_what_is_found_and_back(browser: Watched) -> None:
    page = browser.open("fa.html")
    page.keyboard.press("/")
    page.keyboard.type("شبکه")
    assert page.locator("#results li").count() > 0
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('#results') !== null")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "search"
    assert page.input_value("#search") == ""
    assert page.locator("#results li").count() == 0
    page.keyboard.type("شبکه")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pages/fa/*.html")
    browser.open("index.html")


@pytest.mark.long
def test_nothing_typed_makes_the_page_fail(browser: Watched) -> None:
    page = browser.open("index.html")
    random_ = random.Random(3)
    letters = "ab AZ09-_'\"<>&;()[]*:^~\\/ ‌شبکهۀآ١۲²é́\ud83e\U0001f916\u202e"
    typed = [*HARD, *("".join(random_.choices(letters, k=12)) for _ in range(300)), "x" * 100_000]
    for text in typed:
        page.evaluate(
            """(text) => { const field = document.getElementById("search");
            field.value = text; field.dispatchEvent(new Event("input")); }""",
            json.loads(json.dumps(text)),
        )
    assert browser.said == []


def test_what_is_learned_by_the_index_is_no_markup(browser: Watched) -> None:
    folder = Path(browser.folder)
    index = (folder / "index.js").read_text("utf-8")
    assert index.startswith("const DANESH = {")
    assert not {"<", ">", "&", "\u2028"} & {*index}
