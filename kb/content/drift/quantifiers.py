"""Quantifiers: how many of the things spoken of, how often, up to where, from where on.

What says each or all in Persian only is a drift where English has a noun that stands bare.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.content.drift.cues import cues, find_cues
from kb.content.drift.items import Item, Left, alone
from kb.content.drift.lexicon import Lexicon
from kb.content.drift.nouns import BARE, MANY, SAID, english_nouns, nouns_behind
from kb.content.drift.reading import Reading

_ALL, _WHOLE = "all", "whole"

_TABLES = {
    "en": cues(r"""
all= in_all above_all at_all after_all
idiom= all_at_once each_(?:\S+_){0,2}own each_with all-reduce\w* all-to-all all-gather
idiom= all_the_same only_then every_now
reciprocal= each_other one_another
most! at_most
least! at_least
only! only
only= just merely solely alone exclusively purely mere nothing_but not_until by_itself little
only= single
never= never
always+all! always
all+each! all every
all+each everything everyone everywhere
each+all= each(?=[,.;)])
each+all! each
per= per
any= any\w* whatever whichever whenever wherever however
whole= throughout whole entire\w* complete\w* full\w*
never= no nothing none nor neither without
most= up_to maximum max limit\w* cap(?:s|ped)? bound\w* or_less no_more_than more_than above
most= within below
least= guarantee\w* minimum min or_more no_less_than less_than even
always= ever constantly
both! both
both= two either
"""),
    "fa": cues(r"""
idiom= به_هر_حال با_این_همه با_همه_این\w* هر_چند هرچند تمام_(?:شو|شد|می)\w* روی_هم
idiom= (?:\w*تر|\w*ترین|آخر|پیش|بیش)_از_همه
only= نه_تنها
both= چه_[^.؛;]{1,60}_چه
both+each= هر_دو[یش]? هردو
both= هم_[^.؛;]{1,60}_هم
any+all= هر_(?:اندازه|قدر|چقدر|طور|حال|صورت|جا|گاه|وقت|کجا|چند|دلیل)[\w‌]*
always= همیشه_هم
only= (?:فقط|تنها)_(?:حدود_)?(?:\d|یک\b)[\d.,]* ولی_نه
most! حداکثر
most= بیشینه تا بیشترین بیش_از محدود دست_بالا
least! دست‌کم حداقل لااقل
least= کمینه کمترین کمتر_از حتی
only= فقط صرفاً تنها تازه
only= منحصراً جز مگر یک به‌تنهایی همین
never= هرگز هیچ‌گاه هیچ‌وقت هیچگاه
never+any+each+all= هیچ[\w‌]* بی بدون
always+all! همیشه همواره
always= پیوسته مدام همیشگی
all+whole+each! همه همه‌ی همه‌چیز تمام تمامی
each+all+per+any+both! هر
each+all+per+any= هر‌\w+ هریک هرکدام هرچه هرگاه هرجا یکایک تک‌تک کلیه همگی به_ازای در_ازای جدا\w*
all+whole= کل
whole= کل\w+ کامل\w* سراسر
reciprocal= یکدیگر همدیگر
"""),
}


def find_quantifiers(reading: Reading, lexicon: Lexicon) -> list[Item]:
    """Return the quantifiers of a text, of English its nouns, too, by how they stand."""
    found = find_cues(reading, _TABLES)
    if reading.lang == "en":
        return [*found, *english_nouns(reading)]
    return [
        item._replace(names=(nouns_behind(reading, item, lexicon),)) if _ALL in item.exact else item
        for item in found
    ]


def unquantified(ones: Sequence[Item], others: Sequence[Item]) -> Left:
    """Return the quantifiers that have no counterpart on either side."""
    nouns = frozenset().union(*(item.exact for item in ones if _is_noun(item)))
    left, right = alone([item for item in ones if not _is_noun(item)], others)
    return left, [item for item in right if not item.names or _lacks(item, nouns)]


def _is_noun(item: Item) -> bool:
    return any(key.startswith((BARE, SAID, MANY)) for key in item.exact)


def _lacks(item: Item, nouns: frozenset[str]) -> bool:
    """Say whether the noun of a quantifier stands bare on the other side wherever it stands."""
    for noun in item.names[0]:
        if kinds := {kind for kind in (BARE, SAID, MANY) for key in noun if kind + key in nouns}:
            return kinds == {BARE} or (kinds == {MANY} and _WHOLE in item.exact)
    return False
