"""File names that are valid on every system.

They are readable in any script and contain nothing that Windows, macOS or Linux rejects or that
ends an Obsidian link. They differ on file systems that ignore case or normalize letters with
marks.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from kb.foreign import folded

TITLE = 110
"""Maximum bytes of a note name, without its suffix."""

FOLDER = 60
"""Maximum bytes of a folder name; eight levels leave room for the rest of a path."""

_REFUSED = re.compile(r"[\\/:*?\"<>|#^\[\]{}`]+")
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?=\.|$)", re.IGNORECASE
)
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"  # half-spaces, and what joins letters: words are written with them


def safe(words: str, longest: int, otherwise: str = "note") -> str:
    """Return words as a name of at most this many bytes; ``otherwise`` if nothing is left.

    >>> safe("What is O(n²)? A/B…", 60), safe("con", 60), safe("شبکه‌های عصبی چیست؟", 60)
    ('What is O(n²) A B…', 'con_', 'شبکه\u200cهای عصبی چیست؟')
    >>> safe("..", 60), safe("é" * 50, 9)
    ('note', 'éééé')
    """
    seen = "".join(
        " " if char not in _JOINERS and unicodedata.category(char) in _UNSEEN else char
        for char in unicodedata.normalize("NFC", words[: 4 * longest])
    )
    name = " ".join(_REFUSED.sub(" ", seen).split())
    name = _cut(name.lstrip(". "), longest).strip(f". {_JOINERS}") or otherwise
    reserved = _RESERVED.match(name)
    return f"{reserved[0]}_{name[reserved.end() :]}" if reserved else name


class Names:
    """Assigned names, each with one owner; ``joint`` separates a name from its suffix."""

    def __init__(self, *taken: str, joint: str = " ") -> None:
        self._joint = joint
        self._owners = {folded(name): "" for name in taken}

    def given(self, wanted: str, owner: str) -> str:
        """Return the wanted name, or with a suffix if another owner has it.

        >>> names = Names()
        >>> names.given("A", "x"), names.given("a", "y"), names.given("A", "x")
        ('A', 'a a1fce436', 'A')
        """
        short = re.search(r"(?<=.)\.[A-Za-z0-9]{1,8}$", wanted)
        ending = short[0] if short else ""
        name, stem, salt = wanted, wanted.removesuffix(ending), 0
        while self._owners.setdefault(folded(name), owner) != owner:
            mark = hashlib.sha256(f"{owner}{salt or ''}".encode()).hexdigest()[:8]
            name, salt = f"{stem}{self._joint}{mark}{ending}", salt + 1
        return name


def _cut(name: str, longest: int) -> str:
    """Return the start of a name: whole words, or letters with all their marks."""
    end = len(name.encode()[:longest].decode(errors="ignore"))
    if end == len(name):
        return name
    words = name[: end + 1].rpartition(" ")[0]
    if len(words) * 2 > end:
        return words
    while end and unicodedata.combining(name[end]):
        end -= 1
    return name[:end]
