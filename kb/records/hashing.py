"""The digest by which a text is known to be the same."""

from __future__ import annotations


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits.

    >>> digest("")[:8]
    'e3b0c442'
    """
    import hashlib  # it loads a library that starting does without

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
