"""Mirror images of characters, and the brackets that form pairs.

A mirrored character without an image of its own, such as the root and integral
signs, has no entry: a terminal cannot turn a glyph.

Source: ``BidiMirroring.txt`` (Unicode 15.0). Bracket pairs follow
from it by the rule in the head of ``BidiBrackets.txt``: an opening (Ps) and a
closing (Pe) punctuation mark that are each other's image.
"""

from __future__ import annotations

import unicodedata

# The angle brackets U+2329 and U+232A are escaped: normalising this file would change them.
_PAIRS = (
    "()<>[]{}«»༺༻༼༽᚛᚜‹›⁅⁆⁽⁾₍₎∈∋∉∌∊∍∕⧵∟⯾∠⦣∡⦛∢⦠∤⫮∼∽≃⋍≅≌≒≓≔≕≤≥≦≧≨≩≪≫≮≯≰≱≲≳≴≵≶≷≸≹≺≻≼≽≾≿⊀⊁⊂⊃⊄⊅⊆⊇⊈⊉⊊⊋"
    "⊏⊐⊑⊒⊘⦸⊢⊣⊦⫞⊨⫤⊩⫣⊫⫥⊰⊱⊲⊳⊴⊵⊶⊷⊸⟜⋉⋊⋋⋌⋐⋑⋖⋗⋘⋙⋚⋛⋜⋝⋞⋟⋠⋡⋢⋣⋤⋥⋦⋧⋨⋩⋪⋫⋬⋭⋰⋱⋲⋺⋳⋻⋴⋼⋶⋽⋷⋾⌈⌉⌊⌋\u2329\u232a❨❩❪❫❬❭"
    "❮❯❰❱❲❳❴❵⟃⟄⟅⟆⟈⟉⟋⟍⟕⟖⟝⟞⟢⟣⟤⟥⟦⟧⟨⟩⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌⦍⦐⦎⦏⦑⦒⦓⦔⦕⦖⦗⦘⦤⦥⦨⦩⦪⦫⦬⦭⦮⦯⧀⧁⧄⧅⧏⧐⧑⧒⧔⧕⧘⧙⧚⧛⧨⧩⧸⧹⧼⧽⨫⨬⨭⨮"
    "⨴⨵⨼⨽⩤⩥⩹⩺⩻⩼⩽⩾⩿⪀⪁⪂⪃⪄⪅⪆⪇⪈⪉⪊⪋⪌⪍⪎⪏⪐⪑⪒⪓⪔⪕⪖⪗⪘⪙⪚⪛⪜⪝⪞⪟⪠⪡⪢⪦⪧⪨⪩⪪⪫⪬⪭⪯⪰⪱⪲⪳⪴⪵⪶⪷⪸⪹⪺⪻⪼⪽⪾⪿⫀⫁⫂⫃⫄⫅⫆⫇⫈⫉⫊⫋⫌⫍⫎⫏⫐"
    "⫑⫒⫓⫔⫕⫖⫬⫭⫷⫸⫹⫺⸂⸃⸄⸅⸉⸊⸌⸍⸜⸝⸠⸡⸢⸣⸤⸥⸦⸧⸨⸩⹕⹖⹗⹘⹙⹚⹛⹜〈〉《》「」『』【】〔〕〖〗〘〙〚〛﹙﹚﹛﹜﹝﹞﹤﹥（）＜＞［］｛｝｟｠｢｣"
)
_IMAGES = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_IMAGES |= {image: char for char, image in _IMAGES.items()}


def _canonical(char: str) -> str:
    """Return the character that U+2329 or U+232A is canonically equivalent to, else itself."""
    return unicodedata.normalize("NFD", char)


CLOSER_OF = {
    char: _canonical(image)
    for char, image in _IMAGES.items()
    if unicodedata.category(char) == "Ps" and unicodedata.category(image) == "Pe"
}
"""From an opening bracket to the closing bracket that it waits for."""

CLOSERS = {char: _canonical(char) for char, image in _IMAGES.items() if image in CLOSER_OF}
"""From a closing bracket to the same in its canonical form, as in ``CLOSER_OF``."""


def mirror(char: str) -> str:
    """Return the mirror image of a character, or the character if it has none (rule L4).

    >>> mirror("("), mirror("≤"), mirror("a")
    (')', '≥', 'a')
    """
    return _IMAGES.get(char, char)
