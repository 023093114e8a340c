"""Numbers in any digits, with separators, powers, thousands and millions, or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.content.drift.items import HINT, NONE, PROOF, WITHIN, Item, Reading, cues, find_cues

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
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
_WORD = re.compile(rf"(?<![{_LETTERS}])[{_LETTERS}]+(?:\u200cو[{_LETTERS}]+)?")


def find_numbers(reading: Reading) -> list[Item]:
    """Return the numbers of a text by value; number words can only be counterparts.

    >>> from kb.content.drift.items import read
    >>> [sorted(item.exact) for item in find_numbers(read("۱٫۵ میلیون و 10⁻⁵", "fa"))]
    [['1.5', '1500000'], ['1000000'], ['10'], ['5']]
    """
    return sorted([*_in_digits(reading.text), *_in_words(reading.text)])


def _in_digits(text: str) -> Iterator[Item]:
    # An address is no part of what is said.
    for found in _DIGITS.finditer(_ADDRESS.sub(lambda each: " " * len(each[0]), text)):
        written = found[0].translate(_RAISED)
        value = written.replace(",", "")
        values = {_shortest(value)}
        if scale := _SCALE.match(text, found.end()):
            values.add(_shortest(str(round(float(value) * _SCALES[scale[1]], 6))))
        # One over x is x times less, and a one is often left out or put in.
        weight = HINT if value == "1" else PROOF
        yield Item(found.start(), found.end(), frozenset(values), weight=weight)


def _in_words(text: str) -> Iterator[Item]:
    for found in _WORD.finditer(text):
        word = found[0].lower()
        if value := _VALUES.get(word) or _joined(word):
            yield Item(found.start(), found.end(), frozenset({value}), weight=NONE)


def _joined(word: str) -> str | None:
    """Return the value of tens and ones written as one word, as in Persian."""
    for found in re.finditer("\u200c?و", word):
        tens, ones = word[: found.start()], word[found.end() :]
        if tens in _VALUES and ones in _VALUES:
            return str(int(_VALUES[tens]) + int(_VALUES[ones]))
    return None


def _shortest(value: str) -> str:
    """Return a number without redundant zeros: 05 is 5, 0.50 is 0.5."""
    whole, _, part = value.partition(".")
    part = part.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{part}" if part else whole


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
_TABLE = cues(re.sub(r"(?<=[آ-ی])(?= |\n)", _ENDING, _SIGNS), WITHIN)
_NEAR = 8
_UNIT_TABLES = {"en": _TABLE, "fa": _TABLE}


_COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|per|an?)|/"
    r"|یک|دو|سه|چهار|پنج|شش|هفت|هشت|نه|ده|هر|بر)[\s\u200c-]*$"
)


def find_units(reading: Reading) -> list[Item]:
    """Return the units of a text; a unit without a number can only be a counterpart."""
    return [
        item
        if _COUNTED.search(reading.text[max(item.start - _NEAR, 0) : item.start])
        else item._replace(weight=NONE)
        for item in find_cues(reading, _UNIT_TABLES)
    ]


# Negation: words and endings that deny, and what says the same without denying.


_DENIED = frozenset({"denied"})

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
no no_less no_more_than no_later_than
without! without
not! not cannot \w+n't
no! no nothing nobody nowhere none
never! never
nor! neither nor
unless= unless except
only= only
zero= zero zeros
nine= nine ninth
few= few fewer less
rare hardly barely rarely seldom scarcely little badly poorly ill-\w+
until until
instead instead rather_than
lack lack\w*
miss miss\w* absent absence overlook\w* forg[eo]t\w* leav(?:es?|ing)_out
fail fail\w*
lost loses? lost
avoid avoid\w* prevent\w* protect\w*
stop stop\w* refus\w* forb\w+
drop ignor\w* skip(?:s|ped|ping)? dropped omit\w*
out left_out out_of ruled?_out
so so_(?:is|are|does|do|was|were) more_than(?=_[a-z]) in_turn
stay stays? stayed within remains? disjoint
keep ke(?:eps?|pt)_(?:\S+_){0,3}from
short falls?_short short_of doubt\w*
wrong false deni\w+ deny
differ differs? differed
differ= different differen\w+
un un(?!der|i[tfoqv]|til|less)\w+
un in(?:accurate|correct|complete|efficient|dependent|finite|stable|valid|visible)\w*
un in(?:sensitive|exact|tractable|consistent|sufficient|appropriate|feasible|variant)\w*
un im(?:possible|proper|precise|balanced?|practical)\w* ir(?:regular|relevant)\w*
un non-?\w+ a(?:synchronous|symmetric|typical)\w* dis(?:connect|agree|appear|card)\w* \w{3,}less
"""),
    "fa": cues(rf"""
whether+no= یا_نه
un= \w*‌?ناپذیر\w* [\w‌]*نشدنی\w* نا(?!م[^‌]?\b|می|مه|مزد|حیه|شی|نو|گهان|چار|گزیر|ظر)\w+ غیر\w*
un= غیر‌\w+
not+no+never+nor! (?:بر|در|فرو|باز|وا|فرا)?نمی[‌_]?\w+ نی?(?:{_VERBS}){_ENDINGS}
not+no+never+nor! نیست(?:ند|م|ی|یم|ید)?
not+no+nor+nine! نه خیر
without! بدون
no+never {_NONE_ALONE}
without+un بی‌\w+ بی
without= وگرنه
unless= مگر جز به‌جز
instead= بلکه به_جای
lack عدم فاقد نبودن نداشتن فقدان
short کمبود خالی[\w‌]*
zero= صفر صفرها
rare= به‌ندرت
few= کم کمتر اندک کمی
wrong غلط اشتباه خلاف برخلاف
only= فقط تنها
miss= گم‌شده گمشده
differ فرق متفاوت\w* تفاوت\w*
differ= مختلف\w* گوناگون
avoid جلوگیری پرهیز بازداشتن
"""),
}


def find_negation(reading: Reading) -> list[Item]:
    """Return the negations of a text; words that can replace one need no counterpart."""
    return find_cues(reading, _NEGATION_TABLES, _DENIED)
