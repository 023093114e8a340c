"""Units: their names and signs, in either language."""

from __future__ import annotations

import re

from kb.content.drift.cues import WITHIN, cues, find_cues
from kb.content.drift.items import NONE, Item
from kb.content.drift.reading import Reading

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
_TABLES = {"en": _TABLE, "fa": _TABLE}


_COUNTED = re.compile(
    r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|per|an?)|/"
    r"|یک|دو|سه|چهار|پنج|شش|هفت|هشت|نه|ده|هر|بر)[\s\u200c-]*$"
)


def find_units(reading: Reading) -> list[Item]:
    """Return the units of a text; one that counts nothing may be a counterpart only."""
    return [
        item if _counts(reading, item) else item._replace(weight=NONE)
        for item in find_cues(reading, _TABLES)
    ]


def _counts(reading: Reading, item: Item) -> bool:
    return _COUNTED.search(reading.text[max(item.start - _NEAR, 0) : item.start]) is not None
