"""The words of a question without their surroundings: number, level, tags, marks."""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Literal, NamedTuple

from kb.formats.notes.matter import language_code, split_tags
from kb.model.values import LEVEL_WORDS, LEVELS, named_level


def vocabulary(*lines: str) -> frozenset[str]:
    """Return the words of some lines.

    >>> sorted(vocabulary("a b", "b c"))
    ['a', 'b', 'c']
    """
    return frozenset(word for line in lines for word in line.split())


MARKS = "?؟？"
_LONGEST = 4000  # characters; nothing longer is a question of one line
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")

# Levels.
_LETTERS = {level.casefold(): level for level in LEVELS}
_SIGNS = {"👶": "E", "🐣": "E", "🟢": "E", "🚀": "H", "🔴": "H", "🟡": "M", "🟠": "M", "⭐": "M"}
_STARS = "⭐★🌟"
_JOINERS = "\u200c\u200d\ufe0f\ufe0e"
_RUN = rf"[{_JOINERS}]*(?:[{''.join(_SIGNS)}★☆🌟][{_JOINERS}\s]*)+"
RATING = re.compile(_RUN)  # signs such as stars, which may rate a page instead of a question
_NAMES = "|".join(sorted(map(re.escape, {*LEVEL_WORDS, *_LETTERS}), key=len, reverse=True))
_LEVEL = (
    r"(?:level|difficulty|سطح|درجه سختی|درجهٔ سختی|сложность|難易度|难度|難度"
    r"|schwierigkeit(?:sgrad)?|difficulté|dificultad|dificuldade|difficoltà)"
)
_BRACKET = re.compile(
    rf"[\[(（【]\s*[*_]*(?:{_LEVEL}\s*[:：]?\s*)?(?P<word>{_NAMES})(?:\s+{_LEVEL})?[*_]*\s*[\])）】]",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"^(?P<a>[(\[]?{_RUN}[)\]]?\s*)|(?P<b>\s*(?:[(\[]\s*)?{_RUN}[)\]]?)(?P<tail>[*_:]*\s*)$"
)
_SAYS = re.compile(
    rf"^[\s>*_-]*{_LEVEL}[*_]*\s*[:：]\s*[*_]*\s*(?P<value>\S[^\n]{{0,40}}?)[*_.]*\s*$",
    re.IGNORECASE,
)
_LEVEL_HEADING = re.compile(
    rf"^(?:سوالات|سؤالات|پرسش‌های|سوال‌های|سطح|بخش|level\s*\d*\s*[:\-–]?)?\s*(?P<word>{_NAMES})"
    r"(?:[\s-]*(?:levels?|questions?|interview questions?|problems?|exercises?|cards?))*\s*[:：]?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s*_:.\-–—|،,]*")
_JOINTS = " \t\n:-–—|،"

# What asks.
_MARK = re.compile(rf"(?<=[^\s{MARKS}])[{MARKS}]+(?=[\s\"'”’»)\]*_.!…:,\u200f\u200e]|$)")
_NO_PROSE = re.compile(r"`[^`\n]*`|\$[^$\n]*\$|\]\([^()\s]*\)|https?://\S+")
_FIRST = vocabulary(
    "what what's whats why how when where which who whom whose explain describe define",
    "discuss compare contrast differentiate distinguish list name give write implement",
    "calculate compute derive prove state tell mention identify outline summarize summarise",
    "elaborate illustrate is are was were do does did can could should would will has have",
    "true given suppose consider talk walk predict explique explica qué cómo cuál pourquoi",
    "comment quel quelle wer was wie warum welche welcher welches erkläre nenne что как почему",
    "зачем какой какая какие каковы каким чем где когда объясните опишите расскажи расскажите",
    "назовите چرا چگونه چطور چطوری چه آیا کدام کدوم چند چقدر کجا کی توضیح تعریف شرح مقایسه تفاوت",
    "فرق لطفا لطفاً هدف منظور ما ماذا لماذا كيف هل اشرح",
)
_TASKS = vocabulary(
    "explain describe define discuss compare contrast differentiate distinguish prove derive",
    "compute calculate summarize summarise elaborate illustrate tell explique explica erkläre",
    "nenne объясните опишите расскажи расскажите назовите اشرح beschreibe erläutere vergleiche",
    "definiere expliquez décrivez définissez citez comparez descreva spiega descrivi descrivere",
    "illustrare spiegare elencare",
)
_SETS = _TASKS | vocabulary(
    "add choose complete construct convert create design determine draw evaluate fill find fix",
    "give identify implement install list make modify name please plot print read repeat",
    "return rewrite run show simplify sketch solve sort state translate use verify write you your",
)
_ORDERS = re.compile(
    r"\W*(?!(?:since|as|in|by|from|for|when|if|with|to|at|on|of|so|note|notice|then|that|while"
    r"|after|because|where|both|but|and|or|not|all|\w+(?:ing|ed|s))\b)[a-z]+"
    r" (?:the|an?|this|each)\b",
    re.IGNORECASE,
)
"""An imperative in English by what follows it: ``Balance the …``."""
_REQUEST = re.compile(
    r"(?<!\w)(?:چیست|چیه|چی هست|چیستند|کدامند|کدام است|کدام‌اند|توضیح (?:دهید|بده|بدهید)"
    r"|شرح (?:دهید|بده)|(?:بیان|تعریف|مقایسه|اثبات|ثابت|محاسبه|مشخص|معرفی|پیاده[‌ ]سازی) کن(?:ید)?"
    r"|(?:نام|مثال) (?:ببرید|بزنید)|بنویسید|بگو|بگویید)(?!\w)"
    r"|주세요|하시오|(?:です|ます|でしょう|ません)か\W*$|^\W*(?:Beschreib|Erläuter|Erklär|Vergleich"
    r"|Nenn|Definier|Begründ|Diskutier)e?n Sie\b|^\W*\w+n (?:und \w+n )?Sie\b.*!\W*$"
    r"|^\W*(?:请(?!求)|請(?!求)|谈谈|简述|说说)"
)
_ORDER = re.compile(
    r"(?<!\w)(?:بزن|بزنید|کن)(?!\w)"
)  # begins a task, but also a step of instructions
_GERMAN = re.compile(
    r"\b(?:\w+n Sie|(?:be(?:rechn|stimm|weis|gründ|schreib)|zeig|find|lös|skizzier|untersuch|nenn"
    r"|schreib|er(?:klär|läuter|mittl|stell|gänz)|konstruier|implementier|entwick|vergleich|formulier|wähl"
    r"|ordn|zeichn|überprüf|vereinfach|gib)\w{0,2}|welche\w?|warum|wie|was|gegeben|gesucht|aufgabe)\b",
    re.IGNORECASE,
)
"""What tells a task in German."""
_APART = re.compile(
    r"^[\W_]*(?:the )?(?:differences?|similarities) between\b|什么是|是什么|为什么|如何|有哪些",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[.;:,)]\s+|\n|\b(?:and|then)\s", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_BEGINS = re.compile(rf"(?:[^\w`]|[\d_])*({_WORD.pattern})")
_ASIDE = re.compile(r"(?:\s*|\[\])\([^()]{0,300}\)\s*$")

# What titles announce.
About = Literal["", "interviews", "questions"]
HEAD = r"\b(?=\W*$|\W*(?:\w+\W+)?\d|\s*[):|–—,(]|\s\s|\s(?:on|for|and|answers?|solutions?)\b)"
"""What may follow ``quiz`` in a title that declares one: not ``Quiz server`` or ``Exam app``."""

_ABOUT = re.compile(
    rf"questions\b|\b(?:quiz(?:zes)?|exams?|exercises|flash ?cards?){HEAD}|\bf\.?a\.?q(?:s?\b|\.)"
    r"|q ?& ?a\b|problem sets?\b|سوال|سؤال|پرسش|تمرین|آزمون|أسئلة|вопрос|fragen|preguntas|perguntas"
    r"|domande|ejercicios|exercices|esercizi|面试题|[简问]答题|选择题|判断题|填空题|题库|試題|试题"
    r"|习题|exercícios|oppgaver|練習|练习|演習|質問|질문",
    re.IGNORECASE,
)
_ONE = re.compile(r"\ban? (?:[\w-]+ ){1,5}question$|^contribut", re.IGNORECASE)  # tells of some
_OPEN = re.compile(
    r"\bquestions (?:for|to) (?:further|future|seed|discuss|reflect|consider|ponder|explor|refine"
    r"|research)|\bquestions\b.{0,40}\brais(?:es?|ed)\b"
    r"|\b(?:open|remaining|further|unanswered|outstanding|unresolved) questions?\b"
    r"|(?:سؤال|سوال|پرسش)(?:[\u200c ]?های)? (?:باز|بی[\u200c ]پاسخ)|offene fragen|未解决的?问题"
    r"|\b(?:yes\W{1,3}no|tag|wh|(?:in)?direct|reported|embedded|negative)[- ]questions?\b",
    re.IGNORECASE,
)  # which the author has not answered either, or of which a lesson of grammar tells
_INTERVIEWS = re.compile(r"question|interview(?!er|ee)|مصاحبه|面试|面試", re.IGNORECASE)

# Marks within a line.
_KEPT = re.compile(
    r"(?<!`)`[^`\n]+`(?!`)|(?<!`)``(?:[^`]|`(?!`))+``(?!`)|(?<!`)```(?:[^`]|`(?!``))+```(?!`)"
    r"|\$\$[^$]+\$\$|\$[^$\n]+\$|\\\([^\n]{0,99}[_^{][^\n]{0,300}?\\\)|!\[\[[^\]\n]{0,300}\]\]"
    r"|!\[[^\[\]\n]{0,300}\]\((?:[^()\s]|\([^()\s]{0,300}\)){0,500}[^()\n]{0,200}\)"
)
LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?((?:[^()\s]|\([^()\s]*\))*)[^()\n]*\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_WIKI = re.compile(r"(?<!!)\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_STRONG = re.compile(
    r"\*\*|~~|(?P<rule>(?<!\w)_{2,3}|(?<!=)==(?=[\w`$*(\[“\"]))"
    r"(?=[^\s_])(?P<words>[^\n]*?[^\s_=])(?P=rule)(?!(?<=_)\w|=)"
)
_EMPHASIS = re.compile(r"(?<![\w*\\])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")
_ESCAPE = re.compile(r"\\([#*_~`.!>|+-])")
_ANCHOR = re.compile(
    r"\s*\{ ?[#.][A-Za-z][\w .#-]{0,99}\}\s*$|\s*\^[A-Za-z0-9-]+\s*$|(?:\s*\[\^[\w-]+\])+\s*$"
    r"|(?<=[\w?؟!.,)\]])\[\^[\w-]+\]"
)
_SOURCE = re.compile(
    r"\s*[\[(]?\[(?:src|sources?|link|ref(?:erence)?|answer|video|solution|منبع|پاسخ|جواب)\]"
    r"\]?\([^()\s]*\)[\])]?\s*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"<(/?)(a|abbr|b|big|br|center|cite|code|dd|del|details|div|dl|dt|em|font|h[1-6]|i|ins|kbd|li|mark"
    r"|ol|p|q|s|samp|section|small|span|strike|strong|sub|summary|sup|tt|u|ul|var)\b[^<>]*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_CODE_TAGS = re.compile(
    r"<(code|kbd|tt)\b[^<>]{0,200}>((?:(?!<\1\b|</\1).){0,2000})</\1\s*>", re.IGNORECASE | re.DOTALL
)
_WHOLE = re.compile(r"^(\*\*\*|___|\*\*|__|==)(?=\S)(.+?)(?<=\S)\1\s*([:：]?)\s*$", re.DOTALL)
_BEFORE = re.compile(
    r"^\s*(?:#{1,6}\s+|\[[ xX]\]\s+|(\d{1,3}\.)\s+(?=\1\s)"
    r"|<a\b[^<>]*>\s*</a>|<a\b[^<>]*/>|<b>(?=.*</b>\s*$)"
    r"|<strong>(?=.*</strong>\s*$)|(?:[❓❔❗✅✨➡▶►\U0001F50D-\U0001F53D\U0001F914\U0001F4A0-\U0001F4DD"
    r"\U0001F449\U0001F539\U0001F538]\ufe0f?\s*)+(?=\S)|\{\{ ?[a-z]\w{0,30} ?\}\}[.):])\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?<!\s)\s*(?:<a\b[^<>]*>\s*</a>|</b>|</strong>|<br\s*/?>|\s>>>?"
    r"|\{\{ ?\w{1,30}\.[\w.]{1,30} ?\}\})\s*$",
    re.IGNORECASE,
)
_LINKED = re.compile(r"^\[([^\[\]]+)\]\([^()\s]*\)$")
_NUMBER = re.compile(
    r"^(?P<open>[*_]{0,3}\s*\(?)(?:#\s*)?(?P<number>\d{1,4}(?:\.\d{1,3}){0,4})(?!\s*~)"
    r"(?:\s*\\?[.):．、][.)\-–—]?(?P<close>[*_]{0,3})(?:\s+|(?![.\d]))|(?:\s+[-–—/]+|\s*[-–—])\s+"
    r"|(?<=\.\d)\s+|(?<=\.\d\d)\s+)(?P<rest>\S.*)$",
    re.DOTALL,
)
_KEYS = r"(?:🔟|(?:\d\ufe0f?\u20e3){1,4})"
INVISIBLE = "\u200b\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"


class Wording(NamedTuple):
    """The content of a line that may ask: its words as written, and the rest."""

    text: str
    number: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 12)
def wording(text: str, stars: int = 1) -> Wording:
    """Return the content of a line; ``stars`` is the number that marks the hardest level.

    >>> wording("**1. What is a norm? 👶**")
    Wording(text='What is a norm?', number='1', level='E', tags=())
    >>> wording("[M] ۲) نرم چیست؟ #خطی").text
    'نرم چیست؟'
    """
    text = text.strip().strip(INVISIBLE)
    number: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    before = "" if len(text) <= _LONGEST else text
    while text != before:
        before = text
        text = _AFTER.sub("", _BEFORE.sub("", text))
        linked = _LINKED.match(text)
        text = linked[1] if linked else text
        found, text = split_tags(text)
        tags += found
        said, text = split_level(text, stars)
        level = level or said
        whole = _WHOLE.match(text)
        if whole and whole[1] not in whole[2]:
            text = whole[2] + whole[3]
        if number is None:
            number, text = split_number(text)
    return Wording(text.strip(), number, level, tags)


def ascii_digits(text: str) -> str:
    """Return text with ASCII digits.

    >>> ascii_digits("۱۲")
    '12'
    """
    return text.translate(_DIGITS)


def split_number(text: str) -> tuple[str | None, str]:
    """Return the number at the start of a question in ASCII, and the rest.

    >>> split_number("1.2 Why?"), split_number("۳) چرا؟"), split_number("3 ways?")
    (('1.2', 'Why?'), ('3', 'چرا؟'), (None, '3 ways?'))
    >>> split_number("**1)** Why?"), split_number("**2. Why?**"), split_number("1️⃣2️⃣ Why?")
    (('1', 'Why?'), ('2', '**Why?**'), ('12', 'Why?'))
    """
    keys = re.match(rf"([*_]*){_KEYS}\s*(?=\S)", text)
    if keys:
        return _plain_number(keys[0].strip("*_ ")), keys[1] + text[keys.end() :]
    found = _NUMBER.match(text)
    if not found:
        return None, text
    opened = found["open"].replace("(", "").strip()
    rest = found["rest"]
    if opened and not found["close"]:
        rest = opened + rest
    return ascii_digits(found["number"]), rest


@lru_cache(maxsize=1 << 12)
def asks(text: str) -> bool:
    """Return whether words ask, by a mark or by their first or last word.

    >>> [asks(each) for each in ("Norm?", "Explain norms", "Norms", "a `b?` c", "نرم چیست")]
    [True, True, False, False, True]
    """
    bare = _NO_PROSE.sub("`", text[:2000])
    if _MARK.search(bare) or ends_asking(bare):
        return True
    return _first_word(bare) in _FIRST | _TASKS or any(
        each.search(bare) for each in (_REQUEST, _ORDER, _APART)
    )


@lru_cache(maxsize=1 << 12)
def asks_surely(text: str) -> bool:
    """Return whether words ask by a mark, or set a task as examiners do.

    >>> [asks_surely(each) for each in ("Why so?", "How to install", "Explain norms")]
    [True, False, True]
    """
    bare = _NO_PROSE.sub("`", text[:2000])
    word = _first_word(bare)
    if word in _TASKS or _REQUEST.search(bare) or ends_asking(bare):
        return True
    return word in _FIRST and bool(_MARK.search(bare))


def _first_word(bare: str) -> str:
    """Return the word at the start of a text, or none where code or a formula stands there."""
    first = _BEGINS.match(bare)
    return first[1].casefold().replace("’", "'") if first else ""


def sets_task(text: str, lang: str) -> bool:
    """Return whether a text asks, or a part of a sentence begins as tasks do.

    In languages other than English, all asks but formulas and code.

    >>> [sets_task(each, "en") for each in ("It is $1$. Find $b$.", "Since $a$ is 1, so is $b$.")]
    [True, False]
    """
    bare = _KEPT.sub("`", text[:_LONGEST])
    firsts = {word[0].casefold() for part in _PARTS.split(bare) if (word := _WORD.search(part))}
    asking = _ORDERS.match(bare) or any(mark in bare for mark in MARKS)
    if lang == "de":
        return bool(asking or _GERMAN.search(bare))
    return bool(firsts if lang != "en" else asking or firsts & _SETS)


def about_of(*titles: str) -> About:
    """Return what titles and names say of a file: that it lists questions, or is for interviews.

    >>> about_of("100 Interview Questions"), about_of("Sets", "سوالات آمار")
    ('questions', 'questions')
    >>> about_of("How to prepare for an interview"), about_of("Question 3"), about_of("Sets")
    ('interviews', 'interviews', '')
    >>> about_of("A Chat - a design interview question"), about_of("A question a day")
    ('', 'interviews')
    >>> about_of("Contributing to the questions"), about_of("Questions for Further Exploration")
    ('', '')
    """
    words = [each.replace("-", " ").replace("_", " ") for each in titles]
    words = [each for each in words if not (_ONE.search(each) or _OPEN.search(each))]
    if any(map(_ABOUT.search, words)):
        return "questions"
    return "interviews" if any(map(_INTERVIEWS.search, words)) else ""


def ends_asking(text: str) -> bool:
    """Return whether a line ends in a question mark, with or without brackets after it.

    >>> ends_asking("What is it? (slide 4)"), ends_asking("Is it? Yes.")
    (True, False)
    """
    bare = text.strip().rstrip("*_ \"'”»\u200f\u200e\\")
    return bare.endswith(tuple(MARKS)) or _ASIDE.sub("", bare).endswith(tuple(MARKS))


@lru_cache(maxsize=1 << 12)
def clean(text: str) -> str:
    """Return a question without emphasis, links and tags; code, images and formulas stay.

    >>> clean("**What is [SVD](a.md)?**"), clean("Is `**kw` <b>bold</b>?"), clean("_Why_ so?")
    ('What is SVD?', 'Is `**kw` bold?', 'Why so?')
    >>> clean("Why? [[src](https://x.org)]"), clean("Why? [[Source]](https://x.org)")
    ('Why?', 'Why?')
    >>> clean("A norm is ____"), clean("What is <code>&lt;b&gt;</code>?")
    ('A norm is ____', 'What is `<b>`?')
    >>> clean("**Explain __construct()**"), clean("__Why__ so?")
    ('Explain __construct()', 'Why so?')
    """
    text = re.sub(r"(?<!\\)\\$", "", text.strip())  # a hard break
    if len(text) > _LONGEST:
        return text
    text = _SOURCE.sub("", text)
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\x00{len(kept) - 1}\x00"

    text = with_ticks(_KEPT.sub(keep, text.replace("\x00", "")))
    bare = html.unescape(_TAG.sub(_untagged, text))
    bare = _ANCHOR.sub("", _KEPT.sub(keep, bare))
    bare = LINK.sub(r"\1", LINK.sub(r"\1", bare))
    bare = _WIKI.sub(r"\1", _REFERENCE.sub(r"\1", bare))
    bare = _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2", _STRONG.sub(r"\g<words>", bare)))
    bare = re.sub(r"[:：]{2,}$", ":", re.sub(r"[ \t]+", " ", bare))
    for _ in range(3):
        bare = re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], bare)
    return bare.strip()


def _untagged(found: re.Match[str]) -> str:
    name = (found[2] or "").lower()
    return " " if name in ("br", "p", "div") else ""


def with_ticks(text: str) -> str:
    """Return a text with code of HTML between backquotes; a tag without another stays.

    >>> with_ticks("<code>a</code> and <kbd class='x'>b</kbd> or </code>")
    '`a` and `b` or </code>'
    """
    return _CODE_TAGS.sub(r"`\2`", text) if "</" in text else text


def most_stars(text: str) -> int:
    """Return the usual number of stars; a line with more of them is harder.

    >>> most_stars("Why? ⭐⭐"), most_stars("Why? ⭐️"), most_stars("Why? ★☆☆")
    (2, 1, 3)
    """
    runs = re.findall(rf"(?:[⭐★🌟☆][{_JOINERS}]*)+", text)
    return max((sum(map(each.count, "⭐★🌟☆")) for each in runs), default=1)


def split_level(text: str, stars: int = 1) -> tuple[str | None, str]:
    """Return the level in a question, and the question without it.

    >>> split_level("[E] What is a norm?"), split_level("نرم چیست؟ (سخت)")
    (('E', 'What is a norm?'), ('H', 'نرم چیست؟'))
    >>> split_level("Is it medium?"), split_level("What is a norm? 🚀")
    ((None, 'Is it medium?'), ('H', 'What is a norm?'))
    """
    for found in _BRACKET.finditer(text[:2000]):
        if len(found["word"]) == 1 and found[0][0] in "(（":
            continue  # as the name of something
        before, after = text[: found.start()], text[found.end() :]
        if _BETWEEN.fullmatch(before) or _BETWEEN.fullmatch(after):
            rest = f"{before.rstrip(_JOINTS)}{after.lstrip(_JOINTS)}".strip()
            return named_level(found["word"].casefold()), rest
    ends = _ENDS.search(text[-2000:])
    if ends is None:
        return None, text
    run = ends["a"] or ends["b"]
    if ends["a"]:
        return _of_signs(run, stars), text.replace(run, "", 1).strip()
    return _of_signs(run, stars), (text[: len(text) - len(ends[0])] + ends["tail"]).strip()


def _of_signs(run: str, most: int) -> str | None:
    stars = sum(run.count(star) for star in _STARS) or run.count("☆")
    if stars and most > 1:
        return "E" if stars * 5 <= most * 2 else "M" if stars * 3 <= most * 2 else "H"
    return next((level for sign, level in _SIGNS.items() if sign in run), "M" if stars else None)


def level_of(text: str, stars: int = 1) -> str | None:
    """Return the level that a text names in a table, in front matter or after ``Level:``.

    >>> level_of("Fundamental"), level_of("سخت"), level_of("⭐⭐", 3), level_of("red")
    ('E', 'H', 'M', None)
    """
    bare = re.sub(r"[*_`()\[\]]", "", text).strip().casefold()
    found = named_level(bare)
    if found or not bare:
        return found
    if bare[0] in {*_SIGNS, *_STARS, "☆"}:
        return _of_signs(bare, stars)
    return next(filter(None, map(LEVEL_WORDS.get, re.findall(r"[\w-]+", bare)[:2])), None)


def stated_level(line: str, stars: int = 1) -> str | None:
    """Return the level of a line that contains nothing else.

    >>> stated_level("**Difficulty:** Easy"), stated_level("سطح: متوسط"), stated_level("Level up")
    ('E', 'M', None)
    """
    found = _SAYS.match(line[:200])
    return level_of(found["value"], stars) if found else None


def heading_level(text: str) -> str | None:
    """Return the level that a heading gives to everything below it.

    >>> heading_level("Beginner level"), heading_level("Advanced topics"), heading_level("آسان")
    ('E', None, 'E')
    """
    found = _LEVEL_HEADING.match(text[:200].strip("*_# \t👶⭐🚀\ufe0f🟢🟡🔴"))
    return LEVEL_WORDS.get(found["word"].casefold()) if found else None


# Labels before a text: ``Q:``, ``**Question 3:**``, ``## Answer (EN)``, «پاسخ:».

QUESTION, ANSWER, CLOZE, RESULT = "question", "answer", "cloze", "result"
_LABELS = {
    QUESTION: "question|ques|que|q|problem|exercise|puzzle|front|card"
    "|(?:the )?interviewer(?: asks| may ask)|câu hỏi"
    "|رو|روی کارت|کارت|سؤال|سوال|پرسش|تمرین|مسئله|مسأله|س"
    "|السؤال|题目|试题|вопрос|frage|aufgabe|zad|zadanie|feladat|(?:ü|ue)bung|vorderseite|pregunta|pergunta|questão|domanda|kérdés|soru|vraag|pytanie|întrebare|otázka|sual|savol|问题|問題|質問|问|問|질문",
    ANSWER: "(?:(?:click (?:here )?(?:for|to)|an?|correct|right|the|short|sample|model|show|see"
    "|view|reveal|expand|check|expected|ideal|strong|suggested|professional|interview|senior-level|quick|brief"
    "|detailed|full|deep|step-by-step) )*"
    "(?:question )?(?:answers?|solutions?)(?: (?:key|guide|outline))?|ans|a|back"
    "|(?:show|see|view) (?:the )?(?:commands?|code)"
    "|(?P<points>(?:expected|key) (?:answer )?points(?: to (?:cover|mention))?"
    "|نکات (?:کلیدی|مورد انتظار))"
    "|پشت|پشت کارت|پ|(?:نمایش |دیدن |مشاهده )?(?:پاسخ|جواب|راه‌حل|راه حل)"
    "(?:\u200cنامه|[\u200c ]?ها)?(?: صحیح| درست| تشریحی| کامل| کوتاه| عمیق| نمونه"
    "| گام[ \u200c]به[ \u200c]گام)?|ج"
    "|(?:ال)?(?:[إا]جابة|جواب|حل)|(?:правильн\\w+ )?ответы?|(?:richtige )?antwort(?:en)?"
    "|r(?:ü|ue)ckseite|l(?:ö|oe)sung(?:en)?"
    "|respuestas?(?: correctas?)?|(?:re)?soluci[óo]n(?: paso a paso)?"
    "|(?:bonnes? )?r[ée]ponses?(?: correctes?)?"
    "|respostas?(?: corretas?)?|rispost[ae](?: corrett[ae])?|soluzion[ei]"
    "|(?:poprawna |prawidłowa )?odpowiedź|odpověď|cavab"
    "|javob|válasz|megoldás|megoldókulcs|cevap|jawaban|antwoord|vastaus|svar|răspuns|odgovor"
    "|відповідь|отговор|përgjigj(?:ja|e)"
    "|(?:re)?solução(?: passo a passo)?|rozwiązanie|решение|çözüm|løsning|lösning|řešení"
    "|oplossing|fasit"
    "|đáp án|trả lời|คำตอบ|उत्तर|উত্তর|(?:参考|标准|正确)?答案(?:解析)?|答え?|回答例?|解答例?|解析"
    "|답|정답|답변(?: ?보기)?|풀이|해설"
    "|l(?:ö|oe)sungsweg"
    "|(?:相关|涉及)?知识点|考点",
    CLOZE: "c|cloze",
    RESULT: "(?:expected )?output|explanation|explicación|explicação|explication|erklärung"
    "|spiegazione|пояснение|объяснение|解説|解释|wyjaśnienie|result|خروجی|توضیح|نتیجه",
}  # fmt: skip
_WITH_NUMBER = frozenset(
    {
        "problem",
        "exercise",
        "puzzle",
        "card",
        "übung",
        "uebung",
        "zad",
        "zadanie",
        "feladat",
        "تمرین",
        "مسئله",
        "مسأله",
        "کارت",
    }
)
_COLON = frozenset({"رو", "روی کارت", "پشت", "پشت کارت", "پ", "问", "問", "答"})
_ORDINALS = (
    *("اول یکم one first", "دوم two second", "سوم three third", "چهارم four fourth"),
    *("پنجم five fifth", "ششم six sixth", "هفتم seven seventh", "هشتم eight eighth"),
    *("نهم nine ninth", "دهم ten tenth"),
)
_ORDINAL = {word: str(n) for n, many in enumerate(_ORDINALS, 1) for word in many.split()}
_POINTS = (
    r"[(\[（]\s*\d{1,3}\s*(?i:points?|pts?\.?|marks?|punkte?|pkt\.?|punti|puntos|pontos|балл\w{0,2}"
    r"|نمره|امتیاز|点|點|分|점)\s*[)\]）]"
)
POINTS = re.compile(_POINTS, re.IGNORECASE)
"""The points of a problem, as in ``## Problem 1 (10 points): Why?``."""

_SHORT = 40  # characters, the most of a label behind a label
_ROLE = "|".join(f"(?P<{role}>{words})" for role, words in _LABELS.items())
_SIGN = r"(?:[\u2190-\u21ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?\s*)?"
_CLOSED = r"</(?:b|strong)>|[*_]{0,4}"
_LABEL = re.compile(
    rf"^\s*{_SIGN}(?P<open>[*_]{{0,4}}|<(?:b|strong)>)\s{{0,4}}{_SIGN}(?:{_ROLE})(?!['’]|[^\W\d]|(?<![\u3040-\u9fff\uac00-\ud7af])\d)"
    r"(?:\s{0,4}(?:#|no\.?|№|شماره)(?=\W*\d))?"
    rf"(?:[\s\-]{{0,4}}(?P<number>{_KEYS}|[A-Z]?\d{{1,4}}(?:[.\-]\d{{1,3}})*(?:[a-h]\b)?|(?:{'|'.join(_ORDINAL)})(?!\w)))?"
    rf"\s{{0,4}}(?:{_POINTS})?"
    rf"\s{{0,4}}(?:\((?P<lang>[^()\n]{{2,30}})\))?\s{{0,4}}{_SIGN}"
    rf"(?P<inner>{_CLOSED})\s{{0,4}}(?P<sign>(?:-?>|::)(?=[\s*_]|$)|[:：)\-–—]|\.(?!\d)|$)"
    rf"(?P<outer>{_CLOSED})(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GLUED = re.compile(
    rf"^\s*{_SIGN}"
    r"(?P<open>[*_]{0,3})(?P<word>[Qq]|س|[Aج](?=\d{1,4}[*_]{0,3}[:：]))\s{0,4}\.?\s{0,4}"
    rf"(?P<number>\d{{1,4}}(?:\.\d{{1,3}})*)(?:\s{{0,4}}{_POINTS})?(?P<sign>[.:：)\-–—]*)"
    r"(?P<close>[*_]{0,3})[:：]?(?P<rest>(?:\s|(?<=：)|(?<=[.:)])(?=[^\W\da-z]|_{3})).*|$)",
    re.DOTALL,
)


_OF_QUESTION = re.compile(r"([^\n]{1,60}?)\s+(?:[-–—]|to|of|for)\s+(\S[^\n]{0,60})")


class Label(NamedTuple):
    """The meaning of a text's label: role, remaining text, number and language.

    ``letter`` means a one-letter label, ``sign`` is the sign after it, ``remark`` what is in
    brackets before that, as in ``Question (done):``. ``kept`` means that the label is part of the
    text, like ``Key points:``, and stays.
    """

    role: str
    rest: str
    number: str | None = None
    lang: str | None = None
    sign: str = ":"
    letter: bool = False
    remark: str = ""
    kept: bool = False


def label(text: str) -> Label | None:
    """Return the label at the start of a text, or None.

    >>> label("**Q1:** Why?")[:6], label("Question (done): Why?").remark
    (('question', 'Why?', '1', None, ':', True), 'done')
    >>> label("پاسخ: زیرا").role, label("Answer (EN)").lang, label("Questions")
    ('answer', 'en', None)
    >>> label("پ: چرا؟").role, label("پ: زیرا").role
    ('question', 'answer')
    >>> label("Answer — Q1")[:2], label("Answers to some questions")
    (('answer', ''), None)
    >>> label("Show command").role, label("پاسخ 📄").role
    ('answer', 'answer')
    >>> label("問題1").number, label("Exercise3"), label("Aufgabe 1a) - Why?")[1:3]
    ('1', None, ('Why?', '1a'))
    >>> label("**Q: Why?**").rest, label("A. one").sign, label("Q12. Why?").number
    ('**Why?**', '.', '12')
    """
    found, tail = _label(text[:_LONGEST]), text[_LONGEST:]
    if found is None or not tail:
        return found
    head = text[:_LONGEST]
    between = head[len(head.rstrip()) :] if found.rest else ""
    return found._replace(rest=f"{found.rest}{between}{tail}")


@lru_cache(maxsize=1 << 12)
def _label(text: str) -> Label | None:
    head = ascii_digits(text[:80]) + text[80:]
    glued = _GLUED.match(head)
    if glued:
        rest = re.sub(r"^\s*[:：–—-]\s", "", text[glued.start("rest") :])
        rest = _rest(glued["open"], glued["close"], rest)
        role = ANSWER if glued["word"] in "Aج" else QUESTION
        return Label(role, rest, glued["number"], None, glued["sign"] or " ", True)
    found = _LABEL.match(head)
    if not found or not _is_label(found):
        of = _OF_QUESTION.fullmatch(text)
        asked = label(of[2]) if of else None
        numbered = asked and asked.role == QUESTION and asked.number and not asked.rest
        return label(of[1]) if of and numbered else None
    lang = language_code(found["lang"] or "")
    role = next(name for name in _LABELS if found[name])
    letter = len(found[role]) == 1
    rest = _rest(found["open"], found["inner"] + found["outer"], text[found.start("rest") :])
    remark = "" if lang else found["lang"] or ""
    if found["number"]:
        rest = re.sub(r"^[:：–—-]\s", "", rest)
    if role == QUESTION and found["number"] and 0 < len(rest) < _SHORT:
        said = _label(rest)
        role, rest = (
            (ANSWER, "") if said and said.role == ANSWER and not said.rest else (role, rest)
        )
    if found[role] == "پ" and ends_asking(rest):  # پرسش before what asks, else پاسخ
        role = QUESTION
    number = found["number"] and _plain_number(found["number"])
    sign = ":" if len(found["sign"]) > 1 else found["sign"].replace(">", ":")
    return Label(
        role, rest, number, lang, sign, letter,
        remark=remark, kept=role == RESULT or bool(found["points"]),
    )  # fmt: skip


def answers(text: str, above: str) -> bool:
    """Return whether a line is the labelled answer to the one above it.

    >>> answers("A: It is a.", "Q: What is A?"), answers("A: It is a.", "So it is written:")
    (True, False)
    """
    said = label(text[:200])
    return ends_asking(above) and said is not None and said.role == ANSWER


def _plain_number(text: str) -> str:
    """Return the number of a number word, a keycap emoji or digits."""
    keys = text.replace("🔟", "10").translate({0xFE0F: "", 0x20E3: ""})
    return _ORDINAL.get(text.casefold(), keys)


def _is_label(found: re.Match[str]) -> bool:
    """Return whether a word is a label: with its sign, or alone."""
    word = next(found[name] for name in _LABELS if found[name])
    sign, folded = found["sign"], word.casefold()
    if sign.endswith(">"):
        return folded in ("ans", "answer")
    if word in ("q", "c") and not asks(found["rest"]):
        return False
    if folded == "c" and found["open"]:  # one of several letters, as of a tree
        return False
    if (len(word) == 1 or (found["lang"] and not language_code(found["lang"]))) and not sign:
        return False
    if len(word) == 1 and sign in "-–—" and not found["rest"][:1].isspace():  # A---B
        return False
    if sign == "." and found["rest"][1:2] == ".":  # Q.E.D.
        return False
    if folded == "a" and found["number"] and found["rest"][:1].isdigit():  # A 1:1000 dilution
        return False
    marked = bool(found["inner"] or found["outer"] or found["number"])
    if (
        len(word) > 1
        and folded != "ans"
        and sign
        and sign in ".)-–—"
        and found["rest"].strip()
        and not marked
    ):
        return False
    if folded in _COLON and sign not in (":", "："):
        return False
    return folded not in _WITH_NUMBER or bool(found["number"])


def _rest(opened: str, closed: str, rest: str) -> str:
    """Return the text after a label, with emphasis that began before the label."""
    bare = rest.strip()
    if opened and not closed:
        return f"{opened}{bare}" if re.sub(r"</?\w+>|[*_]", "", bare) else ""
    return bare
