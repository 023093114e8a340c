"""Tables with a question in each row; the words of their header say which column is what."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kb.exchange.questions.asking import Grade, grade
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.contents import link_target
from kb.exchange.questions.head import head
from kb.exchange.questions.labels import language_code
from kb.exchange.questions.levels import level_of
from kb.exchange.questions.numbers import ascii_digits
from kb.exchange.questions.opening import LINE, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph
from kb.exchange.questions.tags import tags_in

_COLUMNS = {
    "question": r"(?:the )?(?:interview )?questions?(?: text)?|q|prompt|ask|problem"
    r"|سؤال|سوال|پرسش|سوالات|متن سوال|вопрос",
    "front": r"front|term|word|concept|keyword|phrase|واژه|اصطلاح|مفهوم|لغت|کلمه|термин",
    "answer": r"(?:the |short |sample )?answers?|a|response|solution|reply|پاسخ|جواب|پاسخ‌ها|ответ",
    "back": r"back|definition|meaning|translation|description|explanation"
    r"|تعریف|معنی|معنا|ترجمه|توضیح|توضیحات|определение",
    "level": r"level|difficulty|seniority|سطح|سختی|درجه سختی|دشواری|сложность",
    "topic": r"topic|category|section|subject|area|chapter|موضوع|دسته|بخش|دسته‌بندی|тема",
    "tags": r"tags?|labels?|keywords|برچسب|برچسب‌ها|تگ",
    "number": r"#|no\.?|num(?:ber)?\.?|n|id|s\.? ?no\.?|sr\.? ?no\.?|№|ردیف|شماره",
}
_KNOWN = {name: re.compile(rf"^(?:{words})$", re.IGNORECASE) for name, words in _COLUMNS.items()}


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the questions of a table's rows."""
    if block.kind != "table" or len(block.children) < 2:
        return ()
    columns = _columns(block)
    spoken = _languages(block) if not columns else {}
    if len(spoken) == 2 and _asking_in(block, spoken) * 2 >= len(block.children) - 1:
        return _in_languages(block, spoken, survey)
    if len(spoken) == 2:
        columns = dict(zip(("front", "back"), spoken.values(), strict=True))
    asked = columns.get("question", columns.get("front"))
    if asked is None or _lists_contents(block, asked):
        return ()
    first = block.children[0]
    headless = grade(head(first.children[asked].text).text) is Grade.SURELY
    rows = block.children if headless else block.children[1:]
    told = [row for row in rows if not _leads_elsewhere(row, asked)]
    found = (_row(row, columns, asked, survey) for row in told)
    beside = () if headless else first.lines
    return tuple(each._replace(beside=beside) for each in found if each.text)


def _columns(block: Block) -> Mapping[str, int]:
    """Return the place of each column that is known; of two columns the first may ask unnamed."""
    names = [re.sub(r"[*_`:؟?]", "", cell.text).strip() for cell in block.children[0].children]
    found: dict[str, int] = {}
    for place, name in enumerate(names):
        kind = next((kind for kind, known in _KNOWN.items() if known.match(name)), None)
        if kind:
            found.setdefault(kind, place)
    if _worded(block, found.get("question")) and (
        "question" in found or ("front" in found and "back" in found)
    ):
        return found
    firsts = [row.children[0].text for row in block.children[1:] if row.children]
    asking = sum(grade(head(text).text) is Grade.SURELY for text in firsts)
    return {"question": 0, "answer": 1} if names and asking >= 0.6 * len(firsts) > 0 else {}


def _languages(block: Block) -> Mapping[str, int]:
    """Return the columns whose names are languages, by the codes of these."""
    names = [re.sub(r"[*_`:]", "", cell.text).strip() for cell in block.children[0].children]
    return {code: place for place, name in enumerate(names) if (code := language_code(name))}


def _asking_in(block: Block, spoken: Mapping[str, int]) -> int:
    rows = [row.children for row in block.children[1:]]
    return sum(
        any(grade(head(row[n].text).text) is not Grade.NOT for n in spoken.values() if n < len(row))
        for row in rows
    )


def _in_languages(block: Block, spoken: Mapping[str, int], survey: Survey) -> Sequence[Opening]:
    """Return each row as a question in the languages of its columns; other cells answer it."""
    found: list[Opening] = []
    for row in block.children[1:]:
        cells = [cell.text for cell in row.children]
        rest = [each for n, each in enumerate(cells) if n not in spoken.values() and each.strip()]
        number = next((n for n in map(ascii_digits, rest) if re.fullmatch(r"[\d.]{1,12}", n)), None)
        told = [each for each in rest if ascii_digits(each) != number]
        body = tuple(paragraph([Line(row.start, each)]) for each in told)
        for code, place in spoken.items():
            said = head(cells[place] if place < len(cells) else "", survey.scale)
            if said.text:
                own = () if found and found[-1].lines == row.lines else body
                found.append(
                    Opening(
                        "table", LINE, row.lines, said.text, said.number or number, said.level,
                        code, said.tags, own, open=False, beside=block.children[0].lines,
                    )
                )  # fmt: skip
    return tuple(found)


def _worded(block: Block, asked: int | None) -> bool:
    """Say whether most cells that should ask have words in them, not only numbers."""
    cells = [row.children[asked].text for row in block.children[1:]] if asked is not None else []
    return sum(any(map(str.isalpha, text)) for text in cells) * 2 >= len(cells)


def _lists_contents(block: Block, asked: int) -> bool:
    cells = [row.children[asked].text for row in block.children[1:] if len(row.children) > asked]
    anchors = sum((link_target(text.strip()) or "").startswith("#") for text in cells)
    return anchors >= 0.5 * len(cells)


def _leads_elsewhere(row: Block, asked: int) -> bool:
    """Say whether a row asks nothing and only leads to another section of the file."""
    others = [cell.text.strip() for at, cell in enumerate(row.children) if at != asked]
    told = [each for each in others if each]
    name = row.children[asked].text if asked < len(row.children) else ""
    return (
        bool(told)
        and grade(name) is Grade.NOT
        and all((link_target(each) or "").startswith("#") for each in told)
    )


def _row(row: Block, columns: Mapping[str, int], asked: int, survey: Survey) -> Opening:
    cells = [cell.text for cell in row.children]

    def cell(name: str) -> str:
        place = columns.get(name, len(cells))
        return cells[place].strip() if place < len(cells) else ""

    said = head(cells[asked] if asked < len(cells) else "", survey.scale)
    answer = cell("answer") or cell("back")
    number = ascii_digits(cell("number"))
    rest = [each for n, each in enumerate(cells) if n not in columns.values() and each.strip()]
    told = "\n".join([re.sub(r"\s*<br\s*/?>\s*", "\n", answer), *rest]).strip()
    body = tuple(Line(row.start, each) for each in told.split("\n")) if told else ()
    return Opening(
        "table",
        LINE,
        row.lines,
        said.text,
        said.number or (number if re.fullmatch(r"[\d.]{1,12}", number) else None),
        said.level or level_of(cell("level"), survey.scale),
        tags=(*said.tags, *tags_in(cell("tags"))),
        body=(Block("paragraph", body, told),) if body else (),
        kind="card" if "front" in columns and "question" not in columns else "question",
        open=False,
        topics=(cell("topic"),) if cell("topic") else (),
    )
