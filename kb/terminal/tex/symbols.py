"""The Unicode characters of TeX's mathematical commands.

Source: the names of plain TeX, LaTeX and amsmath; the characters of Unicode's report on
mathematics (UTR #25, https://www.unicode.org/reports/tr25/).
"""

from __future__ import annotations

import unicodedata


def _table(pairs: str) -> dict[str, str]:
    words = pairs.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


LETTERS = _table(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ
    iota ι kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ
    sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
    Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
    ell ℓ hbar ℏ imath ı jmath ȷ Re ℜ Im ℑ wp ℘ aleph ℵ beth ℶ infty ∞ emptyset ∅
    varnothing ∅ top ⊤ bot ⊥ prime ′ degree ° dagger † ddagger ‡ checkmark ✓ square □
    triangle △ angle ∠ clubsuit ♣ spadesuit ♠ heartsuit ♡ diamondsuit ♢ S § P ¶
    ldots … dots … dotsc … cdots ⋯ dotsb ⋯ vdots ⋮ ddots ⋱ colon : backslash \\
    langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace } lbrack [ rbrack ]
    vert | rvert | Vert ‖ rVert ‖ { { } } | ‖ % % $ $ # # & & _ _
    """
)
"""Letters, brackets and other independent signs."""

PREFIXES = _table(
    """
    partial ∂ nabla ∇ neg ¬ lnot ¬ forall ∀ exists ∃ nexists ∄ surd √ lvert | lVert ‖
    """
)
"""Signs that belong to the next sign."""

RIGHT = frozenset({"right", "rvert", "rVert"})
"""Signs that belong to the previous sign."""

SUMS = _table(
    """
    sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁
    bigotimes ⨂ bigodot ⨀ bigvee ⋁ bigwedge ⋀ bigsqcup ⨆ biguplus ⨄
    """
)
"""Signs over a range."""

OPERATORS = _table(
    """
    times × cdot · div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗
    oslash ⊘ odot ⊙ cup ∪ cap ∩ setminus ∖ uplus ⊎ sqcup ⊔ sqcap ⊓ wedge ∧ land ∧ vee ∨
    lor ∨ diamond ⋄ wr ≀ amalg ⨿ le ≤ leq ≤ leqslant ⩽ ge ≥ geq ≥ geqslant ⩾ ne ≠ neq ≠
    ll ≪ gg ≫ lt < gt > lesssim ≲ gtrsim ≳ equiv ≡ sim ∼ simeq ≃ approx ≈ cong ≅ propto ∝
    asymp ≍ doteq ≐ triangleq ≜ coloneqq ≔ prec ≺ succ ≻ preceq ≼ succeq ≽ subset ⊂
    supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ nsubseteq ⊈ sqsubseteq ⊑
    sqsupseteq ⊒ in ∈ notin ∉ ni ∋ mid ∣ nmid ∤ parallel ∥ nparallel ∦ perp ⊥ models ⊧ vDash ⊨
    vdash ⊢ dashv ⊣ to → gets ← rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒
    Leftarrow ⇐ Leftrightarrow ⇔ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷
    Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ iff ⟺
    mapsto ↦ longmapsto ⟼ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓
    nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ hookrightarrow ↪ hookleftarrow ↩
    rightharpoonup ⇀ rightleftharpoons ⇌ leadsto ⇝ upharpoonright ↾ therefore ∴ because ∵
    """
)
"""Signs between two others."""

_UPRIGHT = _names(
    """
    arccos arcsin arctan arg argmax argmin cos cosh cot coth csc deg det dim exp gcd hom inf ker
    lg lim liminf limsup ln log max min mod Pr sec sin sinh sup tan tanh
    """
)
FUNCTIONS = {**{name: name for name in _UPRIGHT}, "bmod": "mod"}
"""Names in upright letters."""

SPACES = frozenset(",;:> ~\n") | _names("quad qquad enspace space thinspace")
SIZES = _names(
    """
    middle big Big bigg Bigg bigl bigr bigm Bigl Bigr Bigm biggl biggr biggm Biggl Biggr Biggm
    """
)
"""Commands that size the next bracket."""

UNSEEN = SIZES | _names("! displaystyle textstyle scriptstyle limits nolimits nonumber notag hline")
"""Commands for layout without meaning."""

SUPERSCRIPTS = dict(
    zip(
        "0123456789+-=()−×⊤∘*∗′†abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾⁻ˣᵀ°**′†ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡ",
        strict=True,
    )
)
SUBSCRIPTS = dict(
    zip(
        "0123456789+-=()−×aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎₋ₓₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)

ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "bar": "\u0304", "overline": "\u0305", "underline": "\u0332", "vec": "\u20d7",
    "dot": "\u0307", "ddot": "\u0308", "breve": "\u0306", "check": "\u030c",
    "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a",
}  # fmt: skip
"""The combining mark of each; it follows its letter."""

LINES = frozenset({"overline", "underline"})
"""Accents that span several letters."""

ALPHABETS = {
    "mathbf": "BOLD", "boldsymbol": "BOLD", "bm": "BOLD", "mathbb": "DOUBLE-STRUCK",
    "mathcal": "SCRIPT", "mathscr": "SCRIPT", "mathfrak": "FRAKTUR",
}  # fmt: skip
PLAIN = _names("mathrm mathit mathsf mathtt mathnormal ensuremath")
WORDS = _names("text textrm textbf textit textsf texttt textnormal mbox hbox")
"""Commands with words in them, which are not mathematics."""

BRACKETS = {
    "matrix": "", "smallmatrix": "", "pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}",
    "vmatrix": "||", "Vmatrix": "‖‖", "cases": "{", "array": "", "aligned": "", "align": "",
    "alignat": "", "split": "", "gathered": "", "gather": "", "equation": "", "multline": "",
    "eqnarray": "", "displaymath": "",
}  # fmt: skip
"""Brackets around the rows of an environment; an asterisk means no number."""


def in_alphabet(char: str, alphabet: str) -> str:
    """Return a letter or digit in a mathematical alphabet of Unicode, if it exists.

    >>> [in_alphabet(*pair) for pair in (("R", "DOUBLE-STRUCK"), ("O", "SCRIPT"), ("+", "BOLD"))]
    ['ℝ', '𝒪', '+']
    """
    words = unicodedata.name(char, "").split()
    name = " ".join(word for word in words if word not in ("LATIN", "GREEK", "LETTER"))
    # Some letters had a place before the alphabets did.
    older = "BLACK-LETTER" if alphabet == "FRAKTUR" else alphabet
    for full in (f"MATHEMATICAL {alphabet} {name}", f"{older} {name}"):
        try:
            return unicodedata.lookup(full)
        except KeyError:
            continue
    return char
