"""Parts of a file that hold no questions: contents, links, licences and thanks."""

from __future__ import annotations

import re

from kb.exchange.questions.blocks import Block
from kb.exchange.questions.inline import clean

CONTENTS = "a table of contents"
LINKS = "a list of links"
NOT_ABOUT = "a section about the file itself, not its subject"
BACK = "a link within the file"
_LINK_ONLY = re.compile(
    r"^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_`]*"
    r"(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)[^()]*\)"
    r"|\[\[([^\]]*)\]\]|<(https?:[^<>\s]*)>|(https?:\S+))[*_`]*\s*[.:]?\s*$"
)
_CONTENTS = re.compile(
    r"(?:table of )?contents?|toc|index|quick links|navigation|(?:list of )?topics"
    r"|فهرست(?:\s+(?:مطالب|سوالات|سؤالات|محتوا))?|оглавление|содержание|inhalt(?:sverzeichnis)?|目录",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:how to )?contribut(?:e|ing|ions?|ors?)(?: guide(?:lines)?)?|licen[cs]e|references?"
    r"|(?:other |more |useful |additional |further |learning |preparation )?"
    r"(?:resources|reading|links)"
    r"|acknowledge?ments?|credits?|thanks|sponsors?(?:hip)?|authors?|maintainers?|change ?log"
    r"|(?:show your |your )?support(?: (?:us|me|the project))?|star history|contact(?: (?:us|me))?"
    r"|related(?: (?:questions|notes|links|pages|projects))?|see also|disclaimer|legend"
    r"|translations?|prerequisites.*|about (?:this|the) (?:repo(?:sitory)?|project|file)|note"
    r"|sources?|bibliography"
    r"|منابع|مراجع|مجوز|لایسنس|مشارکت(?:[‌ ]کنندگان)?|پیوندها|لینک‌ها|تشکر|سپاسگزاری|حامیان|حمایت"
    r"|درباره ما|تماس|مطالب مرتبط|همچنین ببینید"
    r"|(?:ссылки|источники|литература|связанные вопросы|лицензия)(?: .*)?",
    re.IGNORECASE,
)
_SIDE = re.compile(r"\s*\((?:EN|FA|RU|DE|FR|ES|AR)\)\s*$", re.IGNORECASE)
_UP = re.compile(
    r"(?:back|return|go)?\s*(?:to)?\s*(?:the )?"
    r"(?:top|up|contents?|toc|table of contents|index|menu|home|questions)"
    r"|[⬆↑🔝🔼⏫☝▲]|بازگشت|بالا|فهرست|наверх|к содержанию",
    re.IGNORECASE,
)
_ANCHORED = re.compile(
    r"^\W{0,20}(?:<[^<>]*>\s*)*\W{0,9}\[([^\[\]]{0,60}(?:\[[^\[\]]*\])?[^\[\]]{0,60})\]\(#[^()]*\)"
    r"\W{0,9}(?:<[^<>]*>\s*)*$"
)
_ANCHORED_HTML = re.compile(
    r"<a\b[^<>]{0,300}href=[\"']?#[^<>]{0,300}>(.{0,80}?)</a>", re.IGNORECASE
)
_NO_WORDS = re.compile(r"[\W_]*")


def points_up(line: str) -> bool:
    """Say whether a line only leads back within the file.

    >>> points_up("**[⬆ Back to Top](#contents)**"), points_up("[The norm](#norm) is a length")
    (True, False)
    """
    if "#" not in line or len(line) > 400:
        return False
    found = _ANCHORED.match(line)
    if not found and "<a" in line:
        found = _ANCHORED_HTML.search(line)
        if found and not _NO_WORDS.fullmatch(re.sub(r"<[^<>]*>", "", line.replace(found[0], ""))):
            return False
    return bool(found and _UP.search(clean(found[1]) or "top"))


def link_target(line: str) -> str | None:
    """Return where a line leads that is a link and nothing else."""
    found = _LINK_ONLY.match(line[:1000])
    if not found:
        return None
    return next((each for each in found.groups() if each is not None), "")


def link_list(block: Block) -> str | None:
    """Say why a list holds nothing but links, or return None."""
    first = [(item.children[0].text if item.children else "") for item in block.children]
    lines = [each.split("\n")[0] for each in first if each.strip()]
    found = [target for target in map(link_target, lines) if target is not None]
    if not lines or len(found) < 0.7 * len(lines):
        return None
    anchors = sum(target.startswith("#") for target in found)
    return CONTENTS if anchors >= 0.5 * len(found) else LINKS


def hides_links(block: Block) -> bool:
    """Say whether an element that hides text hides nothing but links."""
    told = [each for each in block.children if each.kind not in ("rule", "html")]
    return bool(told) and all(each.kind == "list" and link_list(each) for each in told)


def heading_reason(text: str) -> str | None:
    """Say why a section with this heading has no questions, or return None.

    >>> heading_reason("Table of Contents"), heading_reason("منابع"), heading_reason("Licences?")
    ('a table of contents', 'a section about the file itself, not its subject', None)
    """
    bare = _SIDE.sub("", clean(text[:300])).strip(" :：*_#⭐📝📚🔗🤝📄✨🎉-–—.👉📖📑\ufe0f")
    if _CONTENTS.fullmatch(bare):
        return CONTENTS
    return NOT_ABOUT if _ABOUT.fullmatch(bare) else None
