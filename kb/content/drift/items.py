"""Items that rules find in a text: numbers, units, formulas, negation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from typing import NamedTuple

from kb.terminal.bidi.direction import formulas_in


class Item(NamedTuple):
    """Words of one kind, such as a number, with keys that find their counterparts.

    An item that ``proves`` a drift needs a counterpart; others may only be one.
    """

    start: int
    end: int
    keys: frozenset[str]
    proves: bool = True


def absent(ones: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the items that need a counterpart and share no key with any of the others."""
    known = frozenset().union(*(item.keys for item in others))
    return [item for item in ones if item.proves and known.isdisjoint(item.keys)]


# A text as the rules of drift read it: in plain letters, line by line and clause by clause.
#
# Letters and digits are made plain one for one, so that every place counts in the text as it was
# written.


Place = tuple[int, int]

_PLAIN = str.maketrans(
    "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩٬٫٪يىك−–’‑",
    "01234567890123456789,.%ییک--'-",
)
# A colon or a semicolon ends a clause, too: what one language tells in a sentence of its own
# the other often tells behind one.
_CLAUSE = re.compile(
    r"[^\n]+?(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bal)[.!?؟…;؛:]+[»”\")]*(?=\s)|(?=\n)|$)"
)
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A normalized text."""

    lang: str
    text: str

    @property
    def lines(self) -> list[Place]:
        """Return the spans of lines that are not empty."""
        return [line.span() for line in _LINE.finditer(self.text) if not line[0].isspace()]

    def clauses(self, start: int, end: int) -> Iterator[Place]:
        """Yield the spans of the clauses within a span, without leading spaces.

        >>> one = read("It is so. But: not here!", "en")
        >>> [one.text[start:end] for start, end in one.clauses(0, 24)]
        ['It is so.', 'But:', 'not here!']
        """
        for found in _CLAUSE.finditer(self.text, start, end):
            if bare := found[0].lstrip():
                yield found.end() - len(bare), found.end()


def read(text: str, lang: str) -> Reading:
    """Return a text in normalized spelling of the same length, for comparison.

    >>> read("۲٬۰۰۰ كار − 1", "fa").text
    '2,000 کار - 1'
    """
    return Reading(lang, text.translate(_PLAIN))


# Words that carry a meaning of a small kind (no, all, wrong), declared as a table by language.
#
# A line has the key of what the words say, then patterns; ``_`` is a blank within one. Behind the
# key is ``!`` where the words prove a drift by themselves.


_LETTER = "A-Za-z\u0600-\u060b\u060d-\u061a\u061c-\u061e\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff"
_START = rf"(?<![{_LETTER}\u200c])"
_WITHIN = rf"(?<![{_LETTER}])"
"""The start of a word that a half-space may join to a number."""
# An ezafe or a tanvin that is written ends a word as it is.
_END = rf"[\u064b-\u0654]?(?![{_LETTER}\u200c])"


class Cue(NamedTuple):
    """A pattern with the key of what it finds, and whether that proves a drift."""

    pattern: re.Pattern[str]
    key: str
    proves: bool


def cues(table: str, start: str = _START) -> tuple[Cue, ...]:
    """Return the cues of a table; each matches at ``start``, by default the start of a word.

    >>> [(cue.key, cue.proves) for cue in cues("never! never")]
    [('never', True)]
    """
    found = []
    for line in table.strip().splitlines():
        key, *patterns = line.split()
        any_of = "|".join(patterns).replace("_", " ")
        pattern = re.compile(rf"{start}(?:{any_of}){_END}", re.IGNORECASE)
        found.append(Cue(pattern, key.rstrip("!"), key.endswith("!")))
    return tuple(found)


def find_cues(reading: Reading, table: Sequence[Cue]) -> list[Item]:
    """Return the matches of a table in a text, each once, in order.

    If several patterns find the same words, the first in the table counts.
    """
    items: list[Item] = []
    for pattern, key, proves in table:
        for found in pattern.finditer(reading.text):
            if not any(each.start < found.end() and found.start() < each.end for each in items):
                items.append(Item(*found.span(), frozenset((key,)), proves))
    return sorted(items)


# Formulas: the relations, roots and sums that both languages write alike.
#
# Where formulas stand is asked of the layout of right-to-left text. Numbers in them are compared
# as numbers; signs that prose can say in words (plus, times, over) are not compared.


_SIGN = re.compile(r"[≤≥<>≠√∑∏Σ\u03a0∂∇∫∞∈⊂∪∩]")
_ALIKE = str.maketrans("ΣΠ", "∑∏")


def find_formulas(reading: Reading) -> list[Item]:
    """Return the symbols of a text; letters and those outside formulas can only be counterparts.

    >>> found = find_formulas(read("اگر a≤b و ≥", "fa"))
    >>> [(min(item.keys), item.proves) for item in found]
    [('≤', True), ('≥', False)]
    """
    runs = []
    start = 0
    for paragraph in reading.text.split("\n"):
        runs += [(start + first, start + last) for first, last in formulas_in(paragraph)]
        start += len(paragraph) + 1
    return [
        Item(
            found.start(),
            found.end(),
            frozenset((found[0].translate(_ALIKE),)),
            not found[0].isalpha() and any(first <= found.start() < last for first, last in runs),
        )
        for found in _SIGN.finditer(reading.text)
    ]


# Numbers in any digits, with separators, powers, thousands and millions, or in words.


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_EXACT = Context(MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""For numbers of any length: a text may have them."""

_DIGITS = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|[⁰¹²³⁴-⁹]+|[₀-₉]+")
_SCALE = re.compile(
    r"[\s\u200c-]?(thousand|million|billion|trillion|هزار|میلیون|میلیارد|تریلیون|[kKMBT]\b)"
)
_SCALES = {
    "thousand": 10**3, "هزار": 10**3, "k": 10**3, "K": 10**3, "million": 10**6, "میلیون": 10**6,
    "M": 10**6, "billion": 10**9, "میلیارد": 10**9, "B": 10**9, "trillion": 10**12,
    "تریلیون": 10**12, "T": 10**12,
}  # fmt: skip
_WORDS = {
    "one|once|single|first|یک|یکی|یکم|اول|اولین|نخست|نخستین|تک": "1",
    "two|twice|double|doubled|doubles|doubling|second|both|pair|halves": "2",
    "دو|دوم|دومین|هردو|جفت|نیمه": "2",
    "three|third|thrice|سه|سوم|سومین": "3",
    "four|fourth|quarter|چهار|چهارم|ربع": "4",
    "five|fifth|پنج|پنجم": "5",
    "six|sixth|شش|ششم": "6",
    "seven|seventh|هفت|هفتم": "7",
    "eight|eighth|eightfold|هشت|هشتم": "8",
    "nine|ninth|نه|نهم": "9",
    "ten|tenth|tenfold|ده|دهم": "10",
    "eleven|eleventh|یازده|یازدهم": "11",
    "twelve|twelfth|دوازده|دوازدهم": "12",
    "sixteen|شانزده": "16", "twenty|بیست": "20", "thirty|سی": "30", "forty|چهل": "40",
    "fifty|پنجاه": "50", "sixty|شصت": "60", "seventy|هفتاد": "70",
    "eighty|هشتاد": "80", "ninety|نود": "90", "hundred|صد": "100",
    "thousand|هزار": "1000", "million|میلیون": "1000000", "billion|میلیارد": "1000000000",
    "half|halve|halves|halved|halving|نصف|نیم|نیمی": "0.5", "zero|صفر": "0",
    "none|no": "0", "percent|درصد": "100", "fifteen|پانزده": "15",
}  # fmt: skip
_VALUES = {word: value for words, value in _WORDS.items() for word in words.split("|")}
_ADDRESS = re.compile(r"https?://\S+")
_LETTERS = "A-Za-z\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff"
_WORD = re.compile(rf"(?<![{_LETTERS}])[{_LETTERS}]+")


def find_numbers(reading: Reading) -> list[Item]:
    """Return the numbers of a text by value; number words can only be counterparts.

    >>> [sorted(item.keys) for item in find_numbers(read("۱٫۵ میلیون و 10⁻⁵", "fa"))]
    [['1.5', '1500000'], ['1000000'], ['10'], ['5']]
    """
    return sorted([*_in_digits(reading.text), *_in_words(reading.text)])


def _in_digits(text: str) -> Iterator[Item]:
    # An address is no part of what is said.
    for found in _DIGITS.finditer(_ADDRESS.sub(lambda each: " " * len(each[0]), text)):
        written = found[0].translate(_RAISED)
        value = Decimal(written.replace(",", ""))
        values = {_shortest(value)}
        if scale := _SCALE.match(text, found.end()):
            values.add(_shortest(_EXACT.multiply(value, _SCALES[scale[1]])))
        # One over x is x times less, and a one is often left out or put in.
        yield Item(found.start(), found.end(), frozenset(values), value != 1)


def _in_words(text: str) -> Iterator[Item]:
    for found in _WORD.finditer(text):
        if value := _VALUES.get(found[0].lower()):
            yield Item(found.start(), found.end(), frozenset((value,)), proves=False)


def _shortest(value: Decimal) -> str:
    """Return a number without redundant zeros: 05 is 5, 0.50 is 0.5."""
    return f"{_EXACT.normalize(value):f}"


# Units: their names and signs, in either language.


_SIGNS = r"""
KiB! KiB کیبی‌بایت
MiB! MiB مبی‌بایت
GiB! GiB گیبی‌بایت
TiB! TiB تبی‌بایت
KB! [kK]B kilobytes? کیلوبایت
MB! MB megabytes? مگابایت
GB! GB gigabytes? گیگابایت
TB! TB terabytes? ترابایت
PB! PB petabytes? پتابایت
kbit! [kK]bit kilobits? کیلوبیت
Mbit! Mbit megabits? مگابیت
Gbit! Gbit gigabits? گیگابیت
byte! bytes? بایت
bit! bits? بیت
ns! ns nanoseconds? نانوثانیه
µs! [µμu]s microseconds? میکروثانیه
ms! ms milliseconds? میلی‌ثانیه
s! seconds ثانیه
s second s
min! minutes? دقیقه
hour! hours? ساعت
day! days? روز
week! weeks? هفته
month! months? ماه
year! years? سال
percent! % percent per_cent percentage درصد
kHz! kHz کیلوهرتز
MHz! MHz مگاهرتز
GHz! GHz گیگاهرتز
Hz! Hz هرتز
kW! kW کیلووات
W! watts? وات
J! joules? ژول
kWh! kWh کیلووات‌ساعت
nm! nm نانومتر
mm! mm میلی‌متر
cm! cm سانتی‌متر
km! km کیلومتر
m! met(?:er|re)s? متر
kg! kg kilograms? کیلوگرم
dollar! dollars? دلار
euro! euros? یورو
pixel! pixels? پیکسل
degree! degrees? درجه
TFLOPS! TFLOPS teraflops ترافلاپس
GFLOPS! GFLOPS gigaflops گیگافلاپس
"""
# A Persian unit may have an ending: ۱۶ بیتی, بایت‌ها, بیتِ, بایت‌اند, ۳ ساله, ثانیه‌ای.
_ENDING = "(?:[یهِٔ]|‌?(?:ها|های|هایی|هاست|اند|است|ای))*"
_TABLE = cues(re.sub(r"(?<=[آ-ی])(?= |\n)", _ENDING, _SIGNS), _WITHIN)
_NEAR = 8


_COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|per|an?)|/"
    r"|یک|دو|سه|چهار|پنج|شش|هفت|هشت|نه|ده|هر|بر)[\s\u200c-]*$"
)


def find_units(reading: Reading) -> list[Item]:
    """Return the units of a text; a unit without a number can only be a counterpart."""
    return [
        item
        if _COUNTED.search(reading.text[max(item.start - _NEAR, 0) : item.start])
        else item._replace(proves=False)
        for item in find_cues(reading, _TABLE)
    ]


# Negation: words and endings that deny, and what says the same without denying.


_VERBS = (
    "باش|باشد|باید|بود|شو|شد|کن|کرد|دار|داشت|ده|داد|توان|توانست|خواه|خواست|گیر|گرفت|رس|رسید|رفت|رو|یاب"
    "|یافت|یای|یاور|یاورد|یامد|گذار|گذاشت|گذر|گذشت|ساز|ساخت|زن|بر|برد|گو|گوی|گفت|خور|خورد|نویس|نوشت"
    "|مان|ماند|یفت|یفتاد|بین|دید|دان|دانست|پذیر|پذیرفت|کش|کشید|فرست|فرستاد|شمار|شمرد|سنج|سنجید|یاموز"
    "|یاموخت|گنج|گنجید|پرس|پرسید|خر|خرید|یامیز|یامیخت|یفزا|یفزود|پوش|چرخ|ریز|ریخت|شناس|شناخت|خوان|خواند"
    "|شکن|شکست|فهم|فهمید|بند|بست|کاه|کاست|پرداز|پرداخت|یست|یستاد|گنجان|چسب|خواب|شنو|شنید|نشین|نشست|گریز"
    "|آزما|آزمود|یازما|یازمود|ارز|ارزید|انجام|انجامید|ینجامد|گرد|گردان|طلب|طلبید"
)
_ENDINGS = "(?:م|ی|د|یم|ید|ند|ه|ن)?(?:‌?(?:ام|ای|است|ایم|اید|اند|شان|ش|شود|شده))?"

# A clause with هیچ is denied by its verb; هیچ itself denies where no verb follows.
_NONE_ALONE = r"(?:هیچ|هیچ‌[\w‌]+)(?:_\w+)?(?=[،.;:؛!؟)]|\s*$)"

_NEGATION_TABLES = {
    "en": cues(r"""
no no_less no_more_than no_later_than nine ninth
no! without not cannot \w+n't no nothing nobody nowhere none never neither nor
no hardly barely rarely seldom scarcely little badly poorly ill-\w+ until instead rather_than
no lack\w* miss\w* absent absence overlook\w* forg[eo]t\w* leav(?:es?|ing)_out fail\w* loses? lost
no avoid\w* prevent\w* protect\w* stop\w* refus\w* forb\w+
no ignor\w* skip(?:s|ped|ping)? dropped omit\w* left_out out_of ruled?_out
no so_(?:is|are|does|do|was|were) more_than(?=_[a-z]) in_turn stays? stayed within remains? disjoint
no ke(?:eps?|pt)_(?:\S+_){0,3}from falls?_short short_of doubt\w* false deni\w+ deny differ(?:s|ed)?
no un(?!der|i[tfoqv]|til|less)\w+
no in(?:accurate|correct|complete|efficient|dependent|finite|stable|valid|visible)\w*
no in(?:sensitive|exact|tractable|consistent|sufficient|appropriate|feasible|variant)\w*
no im(?:possible|proper|precise|balanced?|practical)\w* ir(?:regular|relevant)\w*
no non-?\w+ a(?:synchronous|symmetric|typical)\w* dis(?:connect|agree|appear|card)\w* \w{3,}less
"""),
    "fa": cues(rf"""
no یا_نه
no \w*‌?ناپذیر\w* [\w‌]*نشدنی\w* نا(?!م[^‌]?\b|می|مه|مزد|حیه|شی|نو|گهان|چار|گزیر|ظر)\w+ غیر\w*
no غیر‌\w+
no! (?:بر|در|فرو|باز|وا|فرا)?نمی[‌_]?\w+ نی?(?:{_VERBS}){_ENDINGS}
no! نیست(?:ند|م|ی|یم|ید)? نه خیر بدون
no {_NONE_ALONE} بی‌\w+ بی وگرنه
no عدم فاقد نبودن نداشتن فقدان کمبود خالی[\w‌]*
no غلط اشتباه خلاف برخلاف فرق متفاوت\w* تفاوت\w* جلوگیری پرهیز بازداشتن
"""),
}


def find_negation(reading: Reading) -> list[Item]:
    """Return the negations of a text; words that can replace one need no counterpart."""
    return find_cues(reading, _NEGATION_TABLES[reading.lang])
