"""The language of a text: by script, and by py3langid for scripts with several languages.

Its model, some 20 MB in memory, is loaded for the first text without common English words or
Persian letters. A short text has the language of its file, unless it is in another script.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import struct
from functools import cache
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from kb.formats.notes.matter import CODE
from kb.text.languages import guess_language, main_script, scripts

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_NO_PROSE = re.compile(
    rf"{CODE}|https?://\S+|\]\([^()\n]*\)|<[^<>\n]{{0,500}}>|\$[^$\n]{{1,500}}\$|#[\w/-]+",
    re.MULTILINE,
)
_READ = 4000  # characters of a text that tell its language
_TELLS, _SURE = 12, 200  # letters that tell a language, and that outweigh the file's
_USUAL, _MARGIN = "en", 8.0  # names and terms look like any language in its letters
_ALONE = {
    "ja": "\u3040-\u30ff", "ko": "\uac00-\ud7af", "zh": "\u4e00-\u9fff", "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff", "hi": "\u0900-\u097f", "th": "\u0e00-\u0e7f",
}  # fmt: skip
"""Scripts that identify a language; kana occur beside Chinese characters."""

_SHARED = {
    "latin": frozenset(
        {
            *("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs"),
            *("sk", "hu", "ro", "tr", "id", "vi", "hr", "sl", "et", "lt", "lv", "ca", "sq"),
        }
    ),
    "arabic": frozenset({"fa", "ar", "ur"}),
    "cyrillic": frozenset({"ru", "uk", "bg", "sr", "be", "mk"}),
}


_ENGLISH = re.compile(
    r"\b(?:the|and|of|to|that|are|with|what|how|from|this|you|your|when|which|why|not|by|can|does|if"
    r"|into|without|will|should|than|their|its|only|each|both|between|because|while|use|used)\b",
    re.IGNORECASE,
)
_PERSIAN = re.compile(r"[پچژگ]")
_ARABIC_OR_URDU = re.compile(r"[ةىيكےںٹڈڑھۃ]|\bال\w{3}")


def language_of(text: str, around: str | None = None) -> str:
    """Return the language code of a text; ``around`` is that of its file.

    >>> language_of("Was ist ein neuronales Netz?"), language_of("RSA", "de"), language_of("نرم")
    ('de', 'de', 'fa')
    >>> language_of("ノルムとは何ですか"), language_of("ما هي الشبكة العصبية المتكررة؟")
    ('ja', 'ar')
    """
    prose = _NO_PROSE.sub(" ", text[: _READ * 4])[:_READ]
    letters = [char for char in prose if char.isalpha()]
    if not letters:
        return around or "en"
    counts = {code: len(re.findall(f"[{signs}]", prose)) for code, signs in _ALONE.items()}
    counts["ja"] += counts["zh"] if counts["ja"] * 8 > counts["zh"] else 0
    for code, count in counts.items():
        if count * (2 if code == "el" else 4) > len(letters):  # formulas have Greek letters
            return code
    votes = scripts(prose)
    of_file = next((name for name, langs in _SHARED.items() if around in langs), "latin")
    shared = of_file != "latin" and votes[of_file] * 7 > len(letters)
    written_in = of_file if shared else main_script(votes)
    known = _SHARED.get(written_in)
    if known and around in known and len(letters) < _SURE:
        return around
    plain = _plainly(prose, written_in)
    if plain:
        return plain
    if len(letters) < _TELLS or known is None:
        return "ru" if written_in == "cyrillic" else guess_language(prose)
    identifier = _identifier()
    scores = {lang: score for lang, score in identifier.rank(prose) if lang in known}
    best = next(iter(scores))
    unsure = scores[best] - scores.get(_USUAL, scores[best] - _MARGIN) < _MARGIN
    return _USUAL if unsure else best


def _plainly(prose: str, written_in: str) -> str | None:
    """Return the language of a text by common words or special letters, without a model.

    >>> _plainly("The sky is blue and the sea of ice", "latin"), _plainly("چرا گربه؟", "arabic")
    ('en', 'fa')
    """
    if written_in == "latin":
        found = len(_ENGLISH.findall(prose))
        return "en" if found > 2 and found * 16 > len(prose.split()) else None
    others = len(_ARABIC_OR_URDU.findall(prose)) if written_in == "arabic" else 1
    return "fa" if not others and _PERSIAN.search(prose) else None


@cache
def _identifier() -> LanguageIdentifier:
    """Return the identifier for these languages, with its tables mapped from a file.

    py3langid itself would load all tables: 103 MB resident instead of 45.
    """
    import numpy as np
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    tables: dict[str, Any] = {}
    with TemporaryFile() as file:
        with lzma.open(MODEL_DIR / MODEL_FILE) as packed:
            shutil.copyfileobj(packed, file, 1 << 20)
        with ZipFile(file) as archive:
            members = archive.infolist()
        for each in members:
            file.seek(each.header_offset + 26)  # where its name's length and its extras' stand
            file.seek(sum(struct.unpack("<HH", file.read(4))), os.SEEK_CUR)
            np.lib.format.read_magic(file)
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            tables[each.filename] = np.memmap(file, dtype, "r", file.tell(), shape)
    classes, features, rows = (
        tables[f"{name}.npy"].tolist() for name in ("classes", "out_feat", "nextmove_row")
    )
    used = [at for at, code in enumerate(classes) if any(code in each for each in _SHARED.values())]
    return LanguageIdentifier(
        tables["ptc.npy"][:, used],
        tables["pc.npy"][used],
        [classes[at] for at in used],
        memoryview(tables["nextmove.npy"]),
        features,
        tk_row=rows,
    )
