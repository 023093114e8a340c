"""Negation: words and endings that deny, and what says the same without denying."""

from __future__ import annotations

from kb.content.drift.cues import cues, find_cues
from kb.content.drift.items import Item
from kb.content.drift.reading import Reading

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

_TABLES = {
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
    """Return what denies in a text; what can stand for it needs no counterpart itself."""
    return find_cues(reading, _TABLES, _DENIED)
