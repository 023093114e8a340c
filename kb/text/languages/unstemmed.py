"""Right-to-left languages without a stemmer."""

from __future__ import annotations

from dataclasses import replace

from kb.text.languages import fa
from kb.text.profile import Profile

_SCRIPTS = {"ckb": "arabic", "dv": "thaana", "he": "hebrew", "ku": "arabic", "ps": "arabic",
            "sd": "arabic", "ug": "arabic", "ur": "arabic"}  # fmt: skip
PROFILES = (
    *(Profile(code, script, direction="rtl") for code, script in _SCRIPTS.items()),
    # Dari is Persian as it is written in Afghanistan.
    replace(fa.PROFILE, code="prs", usual=False, signs=None),
)
