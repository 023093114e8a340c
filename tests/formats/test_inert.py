"""What our Markdown must not be where it is read by others: live HTML, or links that run."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.formats.book import Book
from kb.formats.markdown import write
from kb.formats.notes.reading import read
from kb.model.entry import Annotation, Answer, Entry, Snippet, Target
from tests.behind import batch, written
from tests.plugin import times

LIVE = (
    "[a](javascript:alert(1))",
    "[a](JaVaScript:alert(1))",
    "[a](\njavascript:alert(1))",
    "[a](<javascript:alert(1)>)",
    "[a](<\x01javascript:alert(1)>)",
    "![a](data:text/html,x)",
    "[a](java&Tab;script:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](javascript&colon;b)",
    "[a](javascript\\:alert(1))",
    "[a]: javascript:alert(1)\n\n[a]",
    "[a]:\njavascript:alert(1)\n\n[a]",
    "[a][b]\n\n[b]: <vbscript:x>",
    "[a](file:///etc/passwd)",
    "[a](//b.c/d)",
    "![متن]( //b.c/d.png)",
    "[a]: //b.c\n\n[a]",
    "[پیوند](javascript:alert(1))",
    "<javascript:alert(1)>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "```x\r```\n<script>alert(1)</script>\n```",
    "```a`b\n<script>alert(1)</script>\n```",
    "\t```\n<script>alert(1)</script>\n\t```",
    "a\r```\nb",
    "- ```\n  ```\n  <script>x</script>\n  ```",
    "``` a\nx\n``` b\n```\n<script>x</script>\n```",
    "- a\n\n  ```\n<script>x</script>\n  ```",
    "a\r<script>x</script>",
    "a\r[b](javascript:x)",
    "[a](\tjavascript:x)",
    "[a]( javascript:x 'y')",
)
PIECES = st.sampled_from(
    [
        *LIVE,
        "```",
        "~~~",
        "````",
        "  ```",
        "   ~~~ x",
        "    ```",
        "\t~~~",
        "- ",
        "> ",
        "1. ",
        "<b>",
        "\\",
        "](",
        "]:",
        "[a]",
        "javascript:",
        "data:x",
        ")",
        "(",
        "\n",
        "\r",
        " ",
        "<",
        "&",
        "x",
        "متن",
        "http://a",
        "`",
    ]
)
HOSTILE = st.lists(PIECES, min_size=1, max_size=9).map("".join).filter(str.strip)
FINE = (
    "[a](https://b.c/?d=e:f)",
    "[a](mailto:b@c.d)",
    "[a](#b)",
    "[a](../b/c.md)",
    "![a](b.png 'c')",
    "[a]: http://b\n\n[a]",
    "[متن](پوشه/برگ.md)",
)


def entry(text: str) -> Entry:
    note = Annotation(
        "n", Target("question", "en", "q", 0, 1), "note", "low", {"en": text}, own=True
    )
    return Entry(
        "x/1",
        "card",
        "x",
        {"en": "q", "fa": text},
        topic=text,
        tags=(text,),
        answers=(Answer("source", "en", text), Answer("reference", "en", f"```\n<u>\n```\n{text}")),
        annotations=(note,),
        snippets=(Snippet("s", {"en": text}, text),),
    )


def live(document: str) -> list[str]:
    """Return tags and addresses of a rendered document that could do something."""
    parser = MarkdownIt("commonmark", {"html": True})
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    bare = re.sub(r"^<!-- danesh .* -->$", "", document, flags=re.MULTILINE)
    found = []
    for token in parser.parse(bare):
        for each in (token, *(token.children or ())):
            address = unquote(str(each.attrs.get("href", each.attrs.get("src", ""))))
            address = re.sub("[\x00-\x20]", "", address)  # as browsers read it
            if each.type in ("html_block", "html_inline"):
                found.append(each.content)
            elif re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE):
                found += [] if re.match("https?://|mailto:", address, re.IGNORECASE) else [address]
    return found


@pytest.mark.parametrize("text", LIVE)
def test_nothing_in_a_text_is_live_in_markdown(text: str) -> None:
    document = written(write, Book((entry(text), entry(text))))
    assert live(document) == []


@pytest.mark.parametrize("text", [each for each in LIVE if "```" not in each])
def test_the_control_finds_what_is_live_in_the_text_itself(text: str) -> None:
    assert live(text)


@settings(max_examples=times(60))
@given(HOSTILE)
def test_whatever_stands_in_a_text_it_is_inert_and_comes_back_as_it_was(text: str) -> None:
    book = Book((entry(text),))
    document = written(write, book)
    assert live(document) == []
    assert batch(read, document, "x.md").book.entries == book.entries


@pytest.mark.parametrize("text", FINE)
def test_links_to_the_web_and_beside_the_document_are_left_as_they_are(text: str) -> None:
    assert text in written(write, Book((entry(text),)))
