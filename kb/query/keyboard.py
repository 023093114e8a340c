"""Text typed in the wrong keyboard layout, put right both ways.

The keys are those of the Persian standard layout ISIRI 9147 beside the US layout.
"""

from __future__ import annotations

_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,"
_PERSIAN = "ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو"
_TO_PERSIAN = dict(zip(_LATIN, _PERSIAN, strict=True)) | {"C": "ژ", "H": "آ", "M": "ء", "\\": "پ"}
_TO_LATIN = dict(zip(_PERSIAN, _LATIN, strict=True))


def other_layout(word: str) -> str | None:
    """Return what the same keys give in the other layout, or nothing for mixed writing.

    >>> other_layout("یقخحخعف"), other_layout("'vhndhk")
    ('dropout', 'گرادیان')
    """
    for keys in (_TO_LATIN, _TO_PERSIAN):
        if all(char in keys or char.lower() in keys for char in word):
            return "".join(keys.get(char) or keys[char.lower()] for char in word)
    return None
