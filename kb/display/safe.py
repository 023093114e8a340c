"""Text from outside, made fit for a terminal.

A terminal obeys control characters, and direction controls can make a line read as
something else than it says (CVE-2021-42574, "Trojan Source"). Both are shown as
visible signs. Every character is replaced by one character, so that offsets into the
text stay valid.
"""

from __future__ import annotations

REPLACEMENT = "\ufffd"

_KEPT_CONTROLS = "\n\t"
_HIDDEN = (
    (0x80, 0x9F),  # C1 controls: CSI and OSC in one character
    (0x2028, 0x2029),  # line and paragraph separator
    (0x202A, 0x202E),  # direction embeddings and overrides
    (0x2066, 0x206F),  # direction isolates, and the deprecated controls of swapping and shapes
    (0xD800, 0xDFFF),  # lone surrogates: they cannot be written as UTF-8
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xE0000, 0xE007F),  # tag characters: text that no one sees
)


def safe(text: str) -> str:
    r"""Return the text with every character that a terminal would obey made visible.

    C0 controls become their pictures (U+2400 to U+241F), DEL U+2421, all others U+FFFD.
    Newline and tab stay; so do ZWNJ, ZWJ, LRM and RLM, which Persian needs. The
    result is as long as the text.

    >>> safe("\x1b[31mred\r\n")
    '␛[31mred␍\n'
    """
    return text.translate(_SIGNS)


def in_one_line(text: str) -> str:
    r"""Return a safe text that breaks neither its line nor the columns of a table.

    For ids, numbers, names and tags, which have one line: a line break becomes U+240A, a tab
    U+2409. The result is as long as the text.

    >>> in_one_line("a\tb\n")
    'a␉b␊'
    """
    return safe(text).replace("\n", "␊").replace("\t", "␉")


def is_safe(text: str) -> bool:
    r"""Say whether `safe` has nothing to do.

    >>> is_safe("می\u200cشود\n"), is_safe("\x1b[2J")
    (True, False)
    """
    return (text.isascii() and text.isprintable()) or safe(text) == text


def _signs() -> dict[int, str]:
    signs = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in _KEPT_CONTROLS}
    signs[0x7F] = "\u2421"
    for first, last in _HIDDEN:
        signs.update(dict.fromkeys(range(first, last + 1), REPLACEMENT))
    for plane in range(17):
        signs.update(dict.fromkeys((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF), REPLACEMENT))
    return signs


_SIGNS = _signs()
