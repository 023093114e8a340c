"""Hits for people: a line or two for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cli import messages
from kb.cli.output import Printer, Span
from kb.errors import Message
from kb.i18n import _
from kb.i18n.ways import VIA
from kb.present.titles import title_of

if TYPE_CHECKING:
    from kb.records import Hit, Results


def tell_how_many(results: Results, offset: int) -> None:
    """Tell how many there are, where not all are shown."""
    if not results.total:
        messages.notice(
            Message("nothing matches: {query}", query=results.query)
            if results.query
            else "nothing matches"
        )
    elif not results.hits:
        messages.notice(
            "{total} match; see them with another --limit or --offset", total=results.total
        )
    elif results.total > offset + len(results.hits):
        messages.notice(
            "{hits} of {total}; more with --limit or --offset",
            hits=len(results.hits),
            total=results.total,
        )


def write_hit(printer: Printer, hit: Hit, rank: int | None = None) -> None:
    """Write a hit: its id, level and verdicts, its question, and the passage that matched."""
    facts = [_(hit.kind) if hit.kind != "question" else "", hit.number or "", hit.level or ""]
    facts += [f"{count} {_(verdict)}" for verdict, count in hit.verdicts.items()]
    facts += [_(VIA[hit.via])] if hit.via in VIA else []
    place = f"{rank}. " if rank else ""
    name = f"{hit.id}#{hit.section}" if hit.section else hit.id
    printer.row(place, Span(name, {"bold": True}), f"  {printer.joined(facts)}")
    for text in questions(hit):
        printer.write(title_of(text).text, lang=hit.lang, indent=4)
    if hit.excerpt is not None and hit.excerpt.text and hit.excerpt.text not in questions(hit):
        passage = title_of(hit.excerpt.text).text
        passage = passage if printer.plain else f"… {passage} …"
        printer.write(passage, lang=hit.lang, indent=4, style={"dim": True})


def questions(hit: Hit) -> list[str]:
    """Return the first line of the question in the language that was found, or in any."""
    text = hit.question.get(hit.lang) or next(iter(hit.question.values()), "")
    return text.strip().split("\n")[:1]
