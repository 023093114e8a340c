"""The record of accepted evidence: what a person last looked at.

``accepted.toml`` keeps, for each annotation with evidence, the digests of the quote
and of the snippets a person last looked at. It is written by ``kb verify --accept``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path

from kb.content.tables import read_table
from kb.records import Annotation

ACCEPTED = "accepted.toml"
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_accepted(folder: Path, within: Path | None = None) -> dict[str, dict[str, str]] | None:
    """Return the digests by annotation: ``quote``, and each snippet's; nothing without a file.

    The file must lie ``within`` a folder.
    """
    file = folder / ACCEPTED
    if not file.exists():
        return None
    table = read_table(file, within)
    return {name: table.texts(name) for name in table}


def accept_evidence(folder: Path, annotations: Iterable[Annotation]) -> None:
    """Put the digests of these annotations' evidence into the record.

    Only a checkout is written to: an installed program's files are not the reader's.
    """
    file = folder / ACCEPTED
    if folder.parent == Path(__file__).parents[1] or not os.access(folder, os.W_OK):
        return
    known = {name: dict(values) for name, values in (read_accepted(folder) or {}).items()}
    for annotation in annotations:
        looked_at = {each.snippet: each.snippet_hash for each in annotation.evidence}
        quote = annotation.evidence[0].quote_hash
        known[annotation.id] = {"quote": quote, **{k: v for k, v in looked_at.items() if v}}
    lines = ["# Written by 'kb verify --accept': what was last looked at, by its SHA-256."]
    for name in sorted(known):
        lines += ["", f"[{_key(name)}]"]
        lines += (f'{_key(key)} = "{value}"' for key, value in known[name].items())
    text = "\n".join(lines) + "\n"
    # Written as it is it would count as new content, which every database is renewed by.
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def _key(name: str) -> str:
    """Return a name as a key of TOML: quoted, unless it may stand bare.

    >>> _key("rnn-backprop"), _key("my notes/1")
    ('rnn-backprop', '"my notes/1"')
    """
    # JSON's escapes are TOML's; what JSON leaves as it is TOML does not: a delete sign.
    quoted = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    return name if _BARE.fullmatch(name) else quoted
