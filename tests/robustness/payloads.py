"""What orders a terminal about, in every field that a knowledge base has."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.model.entry import Annotation, Answer, Entry, Evidence, Snippet, Source, Target, digest
from kb.service.opening import open_base
from kb.service.write import put_entry

PAYLOADS: Mapping[str, str] = {
    "osc title": "\x1b]0;pwned\x07",
    "osc title, ST": "\x1b]2;pwned\x1b\\",
    "osc link": "\x1b]8;;http://evil/\x1b\\x\x1b]8;;\x1b\\",
    "osc clipboard": "\x1b]52;c;cHduZWQ=\x07",
    "csi clear": "\x1b[2J\x1b[3;7H",
    "csi colour": "\x1b[38;5;201m",
    "csi report": "\x1b[6n\x1b[c",
    "csi screen": "\x1b[?1049h\x1b[?1000h",
    "dcs": "\x1bP1$tpwned\x1b\\",
    "apc": "\x1b_Gpwned\x1b\\",
    "pm": "\x1b^pwned\x1b\\",
    "sos": "\x1bXpwned\x1b\\",
    "reset": "\x1bc\x1b#8\x1b(0",
    "c1 csi": "\x9b2J",
    "c1 osc": "\x9d0;pwned\x9c",
    "c1 others": "\x84\x85\x88\x8d\x8e\x90\x98\x9e\x9f",
    "bell": "\x07",
    "backspace": "abc\x08\x08\x08",
    "return": "fine\rpwned",
    "tab and feeds": "a\x0b\x0cb",
    "newline": "a\nkb: all is well",
    "tab": "a\tb",
    "delete": "a\x7f",
    "null": "a\x00b",
    "shift out": "\x0e\x0f\x05\x16",
    "override": "\u202egnp.exe\u202c",
    "isolates": "\u2066a\u2069\u2067b\u2068",
    "deprecated": "\u206a\u206f",
    "separators": "a\u2028b\u2029c",
    "tags": "a\U000e0001\U000e0068\U000e0069\U000e007f",
    "nonchars": "\ufffe\uffff\ufdd0\U0010ffff",
    "markup": "[/ [@click=app.quit]x[/] [red] $x",
    "half markup": "[bold]\x1b[38;5;201m[/bold]",
    "very long": "\x1b[2J" + "long " * 400 + "\x1b]0;pwned\x07",
}

Field = Callable[[str, str], Entry]


def _entry(id: str, **more: object) -> Entry:
    plain = {"kind": "question", "collection": "plain", "question": {"en": f"What is {id}?"}}
    return Entry(id=id, **(plain | more))  # type: ignore[arg-type]


def _annotated(id: str, **more: object) -> Entry:
    text = "some words of an answer"
    target = Target("source", "en", "words", 5, 10)
    known = {"verdict": "wrong", "severity": "high", "note": {"en": "a note"}}
    note = Annotation(f"{id}-note", target, **(known | more))  # type: ignore[arg-type]
    return _entry(
        id,
        answers=(Answer("source", "en", text),),
        annotations=(note,),
        snippets=(Snippet(f"{id}-snippet", {}, "print('a: 1')\n", main=True),),
    )


def _owned(id: str, payload: str) -> Entry:
    quote = payload
    note = Annotation(
        f"{id}-own",
        Target("question", "en", quote, 0, len(quote)),
        "note",
        "low",
        {"en": payload},
        own=True,
    )
    return _entry(id, question={"en": payload}, annotations=(note,))


FIELDS: Mapping[str, Field] = {
    "id": lambda name, p: _entry(f"{name}{p}"),
    "collection": lambda name, p: _entry(name, collection=f"c{name}{p}"),
    "collection below": lambda name, p: _entry(name, collection=f"top/{p}/x{name}"),
    "number": lambda name, p: _entry(name, number=p),
    "topic": lambda name, p: _entry(name, topic=p),
    "tag": lambda name, p: _entry(name, tags=(p, "plain")),
    "question": lambda name, p: _entry(name, question={"en": f"What is {p}?", "fa": f"چیست {p}؟"}),
    "language": lambda name, p: _entry(name, question={"en": "a", p: "b"}),
    "answer": lambda name, p: _entry(name, answers=(Answer("source", "en", f"so {p} is"),)),
    "reference answer": lambda name, p: _entry(
        name, answers=(Answer("reference", "fa", f"و {p}"),)
    ),
    "markdown": lambda name, p: _entry(
        name,
        answers=(
            Answer(
                "source",
                "en",
                (
                    f"# {p}\n\n- **{p}**\n\n| a |\n|---|\n| `{p}` |\n\n> {p}\n\n"
                    f"[{p}](http://a/{p}) [b]({p})\n\n```{p}\n{p}\n```\n\n$x^{{{p}}}$ \\text{{{p}}}"
                ),
            ),
        ),
    ),
    "wording": lambda name, p: _entry(name, wording={"en": p}),
    "related": lambda name, p: _entry(name, related=(p,)),
    "snippet": lambda name, p: _entry(
        name, snippets=(Snippet(f"s{name}{p}", {}, "x = 1\n", main=True),)
    ),
    "snippet title": lambda name, p: _entry(
        name, snippets=(Snippet(f"s{name}", {"en": p, "fa": p}, "x = 1\n", main=True),)
    ),
    "code": lambda name, p: _entry(
        name, snippets=(Snippet(f"s{name}", {}, f"x = 1 # {p}\n", main=True),)
    ),
    "annotation": lambda name, p: _annotated(f"{name}{p}"),
    "note": lambda name, p: _annotated(name, note={"en": p, "fa": p}),
    "reference": lambda name, p: _annotated(name, references=(p,)),
    "figure": lambda name, p: _annotated(
        name, evidence=(Evidence(f"{name}-snippet", p, 1.0, 2.0),)
    ),
    "evidence": lambda name, p: _annotated(name, evidence=(Evidence(p, "a", 1.0, 2.0),)),
    "repeats": lambda name, p: _annotated(name, repeats=p),
    "own note": _owned,
}


@dataclass(frozen=True)
class Case:
    """A payload in a field of an entry; ``sign`` stands in it, to be seen where it is shown."""

    payload: str
    field: str
    sign: str

    @property
    def text(self) -> str:
        """What stands in the field."""
        return f"{self.sign}{PAYLOADS[self.payload]}{self.sign}"

    @property
    def entry(self) -> Entry:
        """The entry."""
        return FIELDS[self.field](self.sign, self.text)


def cases(amount: int, seed: int) -> list[Case]:
    """Return so many of all pairs of a payload and a field, every payload and field among them."""
    pairs = list(itertools.product(PAYLOADS, FIELDS))
    random.Random(seed).shuffle(pairs)
    longer = max(len(PAYLOADS), len(FIELDS))
    first = list(
        zip(
            itertools.islice(itertools.cycle(PAYLOADS), longer),
            itertools.islice(itertools.cycle(FIELDS), longer),
            strict=True,
        )
    )
    chosen = list(dict.fromkeys([*first, *pairs]))[:amount]
    return [Case(*pair, f"q{number:03}z") for number, pair in enumerate(chosen)]


def fill(path: Path, chosen: list[Case], *, clean: bool = False) -> None:
    """Write a database of such entries past every check, as a foreign file may have them.

    With ``clean`` they hold their signs alone.
    """
    with open_base(str(path)) as base, base.store.transaction():
        for name, payload in {} if clean else PAYLOADS.items():
            source = Source(f"file{payload}.md", payload, payload, "en", payload, digest("x"), "x")
            base.store.entries.put_sources([source._replace(file=f"{name}{source.file}")])
        for case in chosen:
            entry = FIELDS[case.field](case.sign, case.sign * 2) if clean else case.entry
            base.store.collections.put(entry.collection, {"en": case.sign if clean else case.text})
            put_entry(base, entry, "user")


def orders(text: str) -> Iterator[str]:
    """Yield the characters of a text that order a terminal about, or hide or turn what is there.

    Spelled out here, not asked of what is tried.
    """
    for char in text:
        code = ord(char)
        if (
            (code < 0x20 and char != "\n")
            or 0x7F <= code <= 0x9F
            or code in (0x2028, 0x2029)
            or 0x202A <= code <= 0x202E
            or 0x2066 <= code <= 0x206F
            or 0xD800 <= code <= 0xDFFF
            or 0xE0000 <= code <= 0xE007F
        ):
            yield char
