"""The kinds of notes that entries become: their fields, how cards show them, and in what look.

Ids, names of fields and names of cards stay as they are: Anki renews the notes of a kind that
it has only as long as these are the same. Whoever changes how cards look, or what their fields
say, raises `VERSION`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.exchange.anki.identity import id_of

FIELDS = (
    "Id", "Question", "Answer", "Reference", "Annotations", "Program", "Number", "Level", "Topic",
)  # fmt: skip
NAMES: Mapping[str, str] = {"question": "danesh question", "card": "danesh card"}
"""The kinds of entries that have cards, and what their kinds of notes are called."""

VERSION = 1
MADE = 1_700_000_000 + VERSION
"""When Anki is to believe that all this was last changed, in seconds since 1970: before any
change of a reader's, and for each version a second later."""

_ORDERED_BY = FIELDS.index("Question")

_FRONT = {
    "question": """<header dir="auto">{{#Number}}<span>{{Number}}</span>{{/Number}}\
{{#Level}}<span>{{Level}}</span>{{/Level}}{{#Topic}}<span>{{Topic}}</span>{{/Topic}}</header>
<main>{{Question}}</main>""",
    "card": "<main>{{Question}}</main>",
}
_BACK = """{{FrontSide}}
<hr id="answer">
""" + "\n".join(
    f'{{{{#{name}}}}}<section class="{name.lower()}">{{{{{name}}}}}</section>{{{{/{name}}}}}'
    for name in ("Answer", "Reference", "Annotations", "Program")
)

_CSS = """\
.card {
  --ink: #1c2430; --paper: #ffffff; --quiet: #59636f; --line: #d3d9e0; --code: #f3f5f8;
  --wrong: #b3261e;
  font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-size: 19px; line-height: 1.6; text-align: start;
  color: var(--ink); background: var(--paper);
}
.card.nightMode, .card.night_mode, .nightMode .card, .night_mode .card {
  --ink: #e6e9ee; --paper: #1d2127; --quiet: #a7b0bc; --line: #434b56; --code: #282d35;
  --wrong: #ff9a8f;
}
main, header, section { max-width: 44em; margin: 0 auto 1em; }
header { color: var(--quiet); font-size: 0.8em; }
header span + span::before { content: " · "; }
main > div:first-child { font-size: 1.15em; }
[lang="fa"], [lang="ar"] {
  font-family: Vazirmatn, "Noto Naskh Arabic", Tahoma, system-ui, sans-serif; line-height: 1.9;
}
[dir] + [dir] { margin-top: 0.8em; padding-top: 0.8em; border-top: 1px solid var(--line); }
h4 { margin: 0.6em 0 0.2em; color: var(--quiet); font-size: 0.85em; font-weight: 600; }
article { margin: 1em 0; padding-inline-start: 0.8em; border-inline-start: 3px solid var(--wrong); }
article > h4 { color: var(--wrong); }
blockquote { margin: 0.4em 0; color: var(--quiet); }
pre, code { direction: ltr; unicode-bidi: isolate; text-align: left; }
code { font-family: ui-monospace, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9em; }
pre { padding: 0.6em 0.8em; overflow-x: auto; background: var(--code); border-radius: 4px; }
table { border-collapse: collapse; }
td, th { padding: 0.2em 0.6em; border: 1px solid var(--line); }
img { max-width: 100%; }
"""


def types() -> dict[str, Any]:
    """Return the kinds of notes as a collection keeps them, by their ids."""
    return {str(type_of(kind)): _type(kind) for kind in NAMES}


def type_of(kind: str) -> int:
    """Return the id of the kind of notes that entries of a kind become."""
    return id_of("type", kind)


def _type(kind: str) -> dict[str, Any]:
    return {
        "id": type_of(kind), "name": NAMES[kind], "type": 0, "mod": MADE, "usn": -1,
        "sortf": _ORDERED_BY, "did": None, "css": _CSS, "tags": [], "vers": [],
        "latexPre": "", "latexPost": "", "latexsvg": False,
        "req": [[0, "any", [_ORDERED_BY]]],
        "flds": [_field(*each) for each in enumerate(FIELDS)],
        "tmpls": [{
            "name": "Card 1", "ord": 0, "qfmt": _FRONT[kind], "afmt": _BACK,
            "bqfmt": "", "bafmt": "", "did": None, "bfont": "", "bsize": 0,
        }],
    }  # fmt: skip


def _field(number: int, name: str) -> dict[str, Any]:
    return {"name": name, "ord": number, "sticky": False, "rtl": False, "font": "sans-serif",
            "size": 16, "media": []}  # fmt: skip
