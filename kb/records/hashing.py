"""The digest by which a text is known to be the same."""

from __future__ import annotations


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits.

    >>> digest("")[:8]
    'e3b0c442'
    """
    import hashlib  # it loads a library that starting does without

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def short_digest(text: str) -> str:
    """Return the first half of the `digest` of a text, where many are kept.

    128 bits tell texts apart that nobody made to be alike (NIST SP 800-107, section 5.1).

    >>> digest("").startswith(short_digest("")), len(short_digest(""))
    (True, 32)
    """
    return digest(text)[:32]
