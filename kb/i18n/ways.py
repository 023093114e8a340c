"""By what a hit was found that does not hold the words as they were typed, in words."""

from __future__ import annotations

from kb.i18n import N_

VIA = {
    "translation": N_("by translation"),
    "spelling": N_("by the nearest spelling"),
    "transliteration": N_("spelled otherwise, or in another alphabet"),
    "layout": N_("the other keyboard layout"),
}
