"""What stands around every page of a site: its head, with what it may load, and the ways on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.exchange.hypertext.telling import line, spoken
from kb.exchange.labels import label
from kb.exchange.site.faces import FACES

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "script-src {script}; base-uri 'none'; form-action 'none'"
)
"""What a page may load: files of the site, and nothing from anywhere else."""


class Page(NamedTuple):
    """A page: its language, its title, the way ``up`` to the site's files, what its body holds.

    ``others`` are the addresses of the same page by its other languages; ``scripts`` are the
    names of files that only the page which is searched has.
    """

    face: str
    title: str
    up: str
    body: Iterable[str]
    contents: str
    others: dict[str, str]
    scripts: tuple[str, ...] = ()


def framed(page: Page) -> str:
    """Return a page as a document."""
    said = {key: line(label(key, page.face)) for key in ("skip", "contents")}
    here = "" if page.scripts else f'<a href="{page.up}{page.contents}">{said["contents"]}</a>'
    return "".join(
        [
            f"<!doctype html>\n<html {spoken(page.face)}>\n<head>\n",
            *_head(page),
            f'</head>\n<body>\n<a class="skip" href="#text">{said["skip"]}</a>\n',
            f"<header><nav>{here}{''.join(map(_other, page.others.items()))}</nav></header>\n",
            '<main id="text">\n',
            *page.body,
            "</main>\n</body>\n</html>\n",
        ]
    )


def _head(page: Page) -> Iterable[str]:
    policy = _POLICY.format(script="'self'" if page.scripts else "'none'")
    yield '<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="referrer" content="no-referrer">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield f"<title>{line(page.title)}</title>\n"
    yield f'<link rel="stylesheet" href="{page.up}site.css">\n'
    for lang, address in page.others.items():
        yield f'<link rel="alternate" hreflang="{lang}" href="{address}">\n'
    for name in page.scripts:
        yield f'<script defer src="{page.up}{name}"></script>\n'


def _other(other: tuple[str, str]) -> str:
    lang, address = other
    return f'<a {spoken(lang)} hreflang="{lang}" href="{address}">{FACES[lang]}</a>'
