"""Turkish: the part after a name's apostrophe is its ending; the rest is Snowball's."""

from __future__ import annotations

import re

from kb.text.fold import fold
from kb.text.languages.snowball import stemmer
from kb.text.profile import Profile

_APOSTROPHE = re.compile("['\u2019]")


def _without_ending(part: str) -> str:
    return fold(_APOSTROPHE.split(part, maxsplit=1)[0])


PROFILE = Profile("tr", fold=_without_ending, stem=stemmer("turkish"))
