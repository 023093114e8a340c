"""``kb show``: show an entry in layers, with details on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from kb.cli import documents, messages
from kb.cli.options import Command, Invocation, complete_id, plain_option
from kb.cli.output import Printer, Span, paged, write_json
from kb.errors import ExitCode, Message, NotFound, counted, nearest
from kb.i18n import RLM, _, digits, in_line, language, number, right_to_left, share
from kb.i18n.names import BASES, LEVELS, TOPICS, layer_name, state_of, whose

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.entry import Annotation, Entry, Evidence
    from kb.present.annotated import AnnotatedSpan, Numbered, Remark
    from kb.present.layers import Part, Text
    from kb.present.markdown.document import Block, Document, Prose
    from kb.present.markdown.drawing import Drawn

_BOTH = "both"


@click.command("show", cls=Command)
@click.argument("id", shell_complete=complete_id)
@click.option("--lang", metavar="CODE", help="Language of the texts: en, fa, … or both (yours).")
@click.option("--all", "whole", is_flag=True, help="Show everything that belongs to the entry.")
@click.option("--code", is_flag=True, help="Show the code of its programs.")
@click.option("--no-pager", is_flag=True, help="Write all at once (default: $PAGER, or less).")
@plain_option
def command(
    invocation: Invocation,
    id: str,
    lang: str | None,
    whole: bool,
    code: bool,
    no_pager: bool,
    plain: bool,
) -> int:
    """Show an entry: its question, answer and what is wrong.

    \b
      kb show batch-norm-epsilon
      kb show batch-norm-epsilon --all     with the source answer, all annotations and code
      kb show batch-norm-epsilon --lang fa
      kb show what-is-a-logit              the end of an id, if it is unique
      kb show notes/kernel#Memory          one section of a note
      kb show matrix_chain_order           a program, and where it comes from
    """
    with invocation.open() as library:
        (id,) = library.read.full_ids([id])
        try:
            entry = library.show(id)
        except NotFound as none:
            return _show_program(invocation, library, id, none)
        contested = library.files.contested([entry.id])
        holders = _holders(library, entry)
        backlinks = library.read.backlinks(entry.id)
        own = library.read.is_own(entry.id)
        similar = library.meaning.similar(entry.id)
    if contested:
        messages.notice("its file has another version: see 'kb resolve {id}'", id=entry.id)
    _check_language(entry, lang)
    if invocation.as_json:
        from kb.model.entry_json import ENTRY
        from kb.present.layers import short_answers

        always = {"aliases": list(entry.aliases), "context": entry.context}
        more = {
            "short": short_answers(entry),
            "backlinks": list(backlinks),
            "similar": list(similar),
        }
        write_json({**ENTRY.write(entry), **always, **more})
        return ExitCode.DONE
    from kb.present.layers import shown_languages

    with paged(on=not (no_pager or plain)):
        wanted = language() if lang in (None, _BOTH) else lang
        langs = shown_languages(entry, wanted or "", both=lang == _BOTH)
        printer = Printer(invocation.color, plain=plain)
        page = _Page(printer, entry, langs, whole, code or whole, holders, own)
        page.write()
        others = [each for each in backlinks if each not in entry.links]
        links = {_("related: {entries}"): entry.links, _("linked from: {entries}"): others}
        links[_("similar: {entries}")] = [each for each in similar if each not in others]
        if any(links.values()) and (page.code or not entry.snippets):
            printer.write()
        for said, entries in links.items():
            if entries:
                printer.line(said.format(entries=", ".join(entries)))
    return ExitCode.DONE


def _check_language(entry: Entry, lang: str | None) -> None:
    if lang not in (None, _BOTH, *entry.languages):
        raise NotFound(
            "this entry has no text in '{lang}'",
            nearest(lang or "", entry.languages)
            or Message("It has: {spoken}.", spoken=", ".join(entry.languages)),
            place=entry.id,
            lang=lang,
        )


def _show_program(invocation: Invocation, library: Library, name: str, none: NotFound) -> int:
    """Show the program of a name that no entry has, or say that it does not exist."""
    try:
        (program,) = library.programs.of_run(name)
    except NotFound:
        raise none from None
    printer = invocation.unless_json(documents.program(program))
    if printer is None:
        return ExitCode.DONE
    from kb.present.programs import shown_code

    printer.line(program.name, style={"bold": True})
    printer.say(whose(program), indent=4)
    printer.line(f"sha256 {program.digest}", indent=4)
    for entry in program.entries:
        printer.line(_("of {entry}").format(entry=entry), indent=4)
    write_code(printer, shown_code(program.code))
    return ExitCode.DONE


def _holders(library: Library, entry: Entry) -> Mapping[str, tuple[str, ...]]:
    """Return the programs that evidence uses from other entries, with those entries."""
    here = {snippet.id for snippet in entry.snippets}
    names = {each.snippet for a in entry.claims for each in a.evidence} - here
    found = library.read.holders(sorted(names)) if names else {}
    return {name: found.get(name, ()) for name in names}


_DIM = {"dim": True}


def _heading_style() -> Mapping[str, Any]:
    """Return a style: a line below Persian letters would hide dots, such as those of پ."""
    return {"bold": True} if right_to_left() else {"underline": True}


class _Page(NamedTuple):
    """An entry being written: its languages, and whether the ``whole`` of it is shown."""

    printer: Printer
    entry: Entry
    langs: Sequence[str]
    whole: bool
    code: bool
    holders: Mapping[str, tuple[str, ...]]
    own: bool

    def write(self) -> None:
        """Write the layers in order."""
        from kb.present.layers import DEEPER, layers

        self._write_head()
        parts = layers(self.entry, self.langs[0], both=len(self.langs) > 1)
        remarks = {part.key: part.remarks for part in parts}
        for part in parts:
            if part.key == "question":
                for text in part.texts:
                    if text.role == "context":
                        self._heading("context")
                    self._write_text(text, {} if text.role == "context" else {"bold": True})
            elif part.key == "wrong":
                self._write_wrong(part)
            elif self.whole or part.key not in ("source", *DEEPER):
                self._write_answer(part)
        shown = [text for part in parts for text in part.texts]
        sources = any(text.without_sources() != text for text in shown)
        every = remarks.get("source") or remarks.get("notes") or ()
        if self.whole:
            for each in sorted(every, key=lambda remark: remark.each.number):
                self._write_annotation(each.each)
        else:
            worst = remarks.get("wrong", ())
            smaller = [each for each in every if each not in worst]
            more = [_(layer_name(part.key)) for part in parts if part.key in DEEPER]
            more += [_("Sources")] if sources else []
            self._write_smaller(smaller, more, apart=not worst)
        self._write_programs()

    def _write_head(self) -> None:
        entry, wanted = self.entry, language()
        foreign = self.langs[0] != wanted and wanted not in entry.languages
        topic = entry.topic or ""
        facts = [_(entry.kind), digits(entry.number or ""), _(LEVELS.get(entry.level or "", ""))]
        facts += [_(TOPICS.get(topic, topic)), entry.collection]
        facts += [_("only in {lang}", lang=self.langs[0])] if foreign else []
        self.printer.row(Span(entry.id, {"bold": True}), f"  {self.printer.joined(facts)}")
        if entry.aliases:
            self.printer.line(
                _("also called: {titles}").format(titles=self.printer.joined(entry.aliases))
            )
        for line in entry.file.properties if self.whole and entry.file else ():
            self.printer.line(line)

    def _heading(self, key: str, *facts: str) -> None:
        heading, told = _(layer_name(key, own=self.own)), self.printer.joined(facts)
        self.printer.write()
        self.printer.line(f"{heading} ({told})" if told else heading, style=_heading_style())

    def _write_answer(self, part: Part) -> None:
        """Write the texts of a layer under its heading; a note needs no heading."""
        for text in part.texts:
            answer = self.entry.answer(text.lang, text.role)
            facts = [text.lang] if text.lang not in self.langs or len(self.langs) > 1 else []
            if answer and self.entry.is_translation(answer):
                facts.append(_("our translation"))
            if self.entry.kind == "note" and part.key == "answer":
                self.printer.write()
            else:
                self._heading("asked" if text.role == "question" else part.key, *facts)
            self._write_text(text)
            if text.role == "question" and self.entry.restored.get(text.lang):
                self.printer.say("(with the formulas and layout that the source lost)", style=_DIM)
        for claim in part.claims:
            if self.whole or claim.status == "refuted":
                self._write_figures(claim)

    def _write_text(self, text: Text, style: Mapping[str, Any] | None = None) -> None:
        from kb.present.annotated import marked_words

        signed = self.whole and text.role not in ("wording", "context", "assessment")
        marked = marked_words(self.entry, text.role, text.lang) if signed else ()
        part = text if self.whole else text.without_sources()
        write_prose(self.printer, text.text, text.lang, style=style, part=part, marked=marked)

    def _write_wrong(self, part: Part) -> None:
        """Write the assessment of the source answer, and its worst mistakes."""
        if part.rows:
            self._heading(part.heading or part.key)
        for text in part.texts:
            self._write_text(text)
        self._write_remarks("" if part.rows else part.key, part.remarks)

    def _write_remarks(self, key: str, remarks: Sequence[Remark]) -> None:
        """Write each remark in a line, with figures that are not as expected."""
        if remarks and key:
            self._heading(key)
        for each, lang, sentence in remarks:
            sign = self._sign(each)
            said = self.printer.cut(sentence, lang, len(sign) + 3)
            self.printer.write(f"{sign} {said}", lang=lang, indent=2)
            if each.annotation.status == "refuted":
                self._write_figures(each.annotation)

    def _write_smaller(
        self, remarks: Sequence[Remark], more: Sequence[str], *, apart: bool
    ) -> None:
        """Write a reader's own remarks, and name what is left out: others, and ``more``."""
        own = [each for each in remarks if each.each.annotation.own]
        self._write_remarks("own", own)
        left = len(remarks) - len(own)
        said = [_(counted(left, "{n} more annotation", "{n} more annotations"))] if left else []
        if (said or more) and (apart or own):
            self.printer.write()
        if said or more:
            told = _(", ").join((*said, *more))
            self.printer.say("{annotations}: see --all", annotations=told, indent=2, style=_DIM)

    def _sign(self, each: Numbered) -> str:
        from kb.present.annotated import SIGNS

        if self.printer.plain:
            return _("annotation {number}:").format(number=digits(str(each.number)))
        return f"{SIGNS[each.annotation.verdict]} {digits(str(each.number))}."

    def _write_annotation(self, each: Numbered) -> None:
        """Write an annotation; one that repeats another names that one's number and words."""
        from kb.present.annotated import concerning, in_quotes, numbers_of, said_before
        from kb.present.titles import best_language

        printer, annotation = self.printer, each.annotation
        facts = [annotation.severity, state_of(annotation)]
        if annotation.own:
            orphaned = ["orphaned"] * (annotation.status == "orphaned")
            facts = [Message("your own {id}", id=annotation.id), *orphaned]
        printer.write()
        style = {"fg": "red" if annotation.severity == "high" else "yellow"}
        told = f"{_(annotation.verdict)} ({_(', ').join(map(_, facts))})"
        place = share(each.number, len(concerning(self.entry, self.langs)))
        sign = _("annotation {number}:").format(number=place) if printer.plain else self._sign(each)
        printer.line(f"{sign} {told}", style=style)
        quote, spoken = annotation.target.quote, annotation.target.lang
        anchor = annotation.anchors.get(self.langs[0])
        if anchor is not None:
            quote, spoken = anchor.quote, self.langs[0]
        printer.write(in_quotes(quote, spoken), lang=spoken, indent=4, style=_DIM)
        if annotation.repeats:
            said = said_before(numbers_of(self.entry), annotation, self.langs[0])
            before, words = said or (0, annotation.repeats)
            printer.say(
                "the same claim as {number}, on “{words}”", indent=4, number=before, words=words
            )
            return
        for lang in dict.fromkeys(best_language(annotation.note, lang) for lang in self.langs):
            write_prose(printer, annotation.note.get(lang, ""), lang, indent=4)
        self._write_figures(annotation)
        for reference in annotation.references:
            sign = _("reference:") if printer.plain else "·"
            printer.line(f"{sign} {reference}", indent=4)
        if annotation.checked:
            printer.say(
                "checked on {checked}, until {until}",
                indent=4,
                checked=annotation.checked,
                until=annotation.until,
            )

    def _write_figures(self, annotation: Annotation) -> None:
        """Write the figures of an annotation in one table per program, with the program's owner."""
        for name, some in groupby(annotation.evidence, key=lambda each: each.snippet):
            table = _figures(name, list(some), confirmed=annotation.holds)
            for line in _lines(self.printer, table, language(), 4, {}):
                self.printer.laid(" " * 4, *line)
            holders = self.holders.get(name)
            if holders:
                self.printer.say(
                    "{name} is a program of {entries}: 'kb show --code {first}' shows it",
                    indent=4,
                    name=name,
                    entries=", ".join(holders),
                    first=holders[0],
                )
            elif name in self.holders:
                self.printer.say("there is no program {name} here", indent=4, name=name)

    def _write_programs(self) -> None:
        from kb.present.titles import best_language

        for place, snippet in enumerate(self.entry.snippets):
            title = snippet.title.get(best_language(snippet.title, self.langs[0]), "")
            if self.code or not place:
                self.printer.write()
            said = in_line("program {name}: {title}", name=snippet.id, title=title)
            if self.code:
                from kb.present.programs import shown_code

                self.printer.line(said, style=_heading_style())
                write_code(self.printer, shown_code(snippet.code))
            else:
                self.printer.line(self.printer.cut(said, self.langs[0], 0))


def _figures(name: str, some: Sequence[Evidence], *, confirmed: bool) -> Block:
    """Return a table of a program's figures: claimed, expected, and measured if confirmed."""
    from kb.i18n.names import figure_in_words
    from kb.present.markdown.document import Block, Prose, added
    from kb.terminal.terminal import in_one_line

    claimed = any(each.claimed is not None for each in some)
    rows = [[name, *[_("claimed")] * claimed, _("expected"), *[_("measured")] * confirmed]]
    for each in some:
        source = "" if each.claimed is None else number(each.claimed)
        told = number(each.expected)
        run = f"{told} ({_(BASES[each.basis])})" if each.basis in BASES else told
        rows.append([figure_in_words(each.figure), *[source] * claimed, told, *[run] * confirmed])
    proses = tuple(tuple(Prose((added(in_one_line(cell)),)) for cell in row) for row in rows)
    return Block("table", 0, 0, rows=proses, aligned=("", *["right"] * (len(rows[0]) - 1)))


# Code, for people: in colours, or in a fence.


_CODE: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "comment": {"fg": "bright_black"},
    "keyword": {"fg": "blue", "bold": True},
    "number": {"fg": "magenta"},
    "string": {"fg": "green"},
    "doc": {"fg": "green"},
    "builtin": {"fg": "cyan"},
    "name": {"bold": True},
}


def write_code(printer: Printer, code: str, mark: str = "python") -> None:
    """Write displayable code, in colours if possible, else in a fence."""
    from kb.formats.marks import fenced
    from kb.terminal.bidi.direction import has_rtl

    fence = not (printer.colored or printer.plain)
    plain = fenced(code, mark) if fence else code
    lines = _coloured(code, mark) if printer.colored else ([Span(x)] for x in plain.split("\n"))
    for line in lines:
        text = "".join(span.text for span in line)
        if printer.turned and has_rtl(text):
            printer.write(text)
        else:
            printer.laid(*line)


def _coloured(code: str, mark: str) -> Iterator[list[Span]]:
    """Yield lines of code, split where the colour changes."""
    from kb.present.syntax import tokens

    line: list[Span] = []
    done = 0
    for start, end, kind in (*tokens(code, mark), (len(code), len(code), "")):
        for text, style in ((code[done:start], _CODE[""]), (code[start:end], _CODE[kind])):
            first, *others = text.split("\n")
            line.append(Span(first, style))
            for other in others:
                yield line
                line = [Span(other, style)]
        done = end
    yield line


# Texts in Markdown, for people: in styles, or with signs or words where there are none.


_STYLES: Mapping[str, Mapping[str, Any]] = {
    "bold": {"bold": True},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strikethrough": True},
    "code": {"fg": "cyan"},
    "mark": {"reverse": True},
    "link": {"underline": True},
}
_AS_WRITTEN = Message("(too long or too nested to format, so shown as written)")


def write_prose(
    printer: Printer,
    text: str,
    lang: str,
    *,
    indent: int = 0,
    style: Mapping[str, Any] | None = None,
    part: Text | None = None,
    marked: Sequence[AnnotatedSpan] = (),
) -> None:
    """Write a text, or a ``part`` of it, in its language; Markdown is laid out.

    The number of a remark follows the words that it marks (``marked``).
    """
    from kb.present.markdown.reader import read

    document = read(text, lang)
    started = leads = False
    for block in _signs(document, marked) if marked else document.blocks:
        if part is not None and not part.start <= block.start < part.end:
            continue
        if block.apart and started and not (leads and block.leads):
            printer.write()
        started, leads = True, block.prose.text.endswith(":")
        if block.kind == "code" and not (block.leads or indent or printer.plain):
            write_code(printer, block.prose.text, block.language)
            continue
        for line in _lines(printer, block, lang, indent, style or {}):
            printer.laid(" " * indent, *line)
    if not document.read:
        printer.write(_(_AS_WRITTEN), indent=indent, style=_DIM)


def _signs(document: Document, marked: Sequence[AnnotatedSpan]) -> Sequence[Block]:
    """Return the blocks of a text, with numbers of remarks after the marked words."""
    from kb.present.markdown.document import added
    from kb.present.markdown.drawing import with_signs
    from kb.terminal.tex.formulas import whole

    before = RLM if document.direction == "rtl" else ""  # so that it is no part of a formula
    signs = [
        (
            whole(document.source, end, end)[1],
            added(f"{before}⟨{digits(str(each.number))}⟩", {"sign"}),
        )
        for each, _start, end in marked
        if 0 < end <= len(document.source)
    ]
    return with_signs(document.blocks, signs)


def _lines(
    printer: Printer, block: Block, lang: str, indent: int, style: Mapping[str, Any]
) -> Iterator[list[Span]]:
    from kb.present.markdown.drawing import UNBROKEN, draw, in_words
    from kb.terminal.bidi.direction import direction_of

    if printer.plain:
        yield from ([Span(line)] for line in in_words(block))
        return
    shown = block if printer.colored and printer.terminal else _signed(block, printer)
    width = max(1, printer.width - indent) if printer.laid_out else UNBROKEN
    style = {} if block.kind == "code" else style
    for drawn in draw(shown, width, direction_of(lang), printer.turned):
        right = drawn.line.rtl and printer.turned
        edge = max(0, width - drawn.line.width) if right else 0
        yield [Span(" " * edge), *_styled(printer, drawn, style)]


def _signed(block: Block, printer: Printer) -> Block:
    """Return a block with addresses after its links, and with signs if there are no styles."""
    from kb.present.markdown.document import with_texts
    from kb.present.markdown.drawing import with_addresses, with_marks

    def signed(prose: Prose) -> Prose:
        return with_addresses(prose if printer.colored else with_marks(prose))

    return with_texts(block, signed)


def _styled(printer: Printer, drawn: Drawn, style: Mapping[str, Any]) -> list[Span]:
    """Return a styled line; links lead to their address in a terminal."""
    text = drawn.line.text
    if not printer.colored:
        return [Span(text)]
    names: list[list[str]] = [[] for _char in text]
    addresses = [""] * len(text)
    for start, end, styles, address in drawn.styled:
        for place in range(start, end):
            names[place] += sorted(styles)
            addresses[place] = addresses[place] or address
    spans, done = [], 0
    for (known, address), same in groupby(zip(names, addresses, strict=True)):
        end = done + sum(1 for _char in same)
        told = dict(style)
        for name in known:
            told |= _STYLES.get(name, {})
        spans.append(Span(text[done:end], told, address))
        done = end
    return spans
