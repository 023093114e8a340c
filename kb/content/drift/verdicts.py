"""Verdicts: that something is right or wrong, true or false."""

from __future__ import annotations

from kb.content.drift.cues import cues, find_cues
from kb.content.drift.items import Item
from kb.content.drift.lexicon import Lexicon
from kb.content.drift.reading import Reading

_TABLES = {
    "en": cues(r"""
wrong? wrong wrongly incorrect incorrectly false falsely untrue
wrong error\w* mistake\w* not un\w+ bad badly misleading inaccurate inaccurately
right? right correct correctly true rightly
right exact exactly truly really proper properly valid accurate accurately fair holds? well
right stands? good just left
"""),
    "fa": cues(r"""
wrong? نادرست\w* غلط\w* اشتباه\w*
wrong خطا\w* ناروا نابجا گمراه‌کننده نا\w+ ن\w+ اشکال به‌غلط به‌اشتباه دروغ
right? درست صحیح
right درست\w* صحیح\w* راست\w* واقع\w* دقیق\w* دقیقاً برقرار معتبر حقیقت واقعی واقعاً مجاز حق خوب
"""),
}


def find_verdicts(reading: Reading, lexicon: Lexicon) -> list[Item]:
    """Return what calls something right or wrong in a text."""
    return find_cues(reading, _TABLES)
