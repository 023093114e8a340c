"""Text to terms: one chain for indexing, asking and highlighting alike.

A *word* is what a person typed: a run of letters, digits and marks, with parts
joined by a hyphen, an underscore, a full stop or a half-space. A *term* is what
is indexed. The chain has three steps, each a module:

``split``     characters to words and their parts, with places in the text
``fold``      one spelling of a part: letters, digits, marks, case
``stems``     a part to its stem, by the language of the text and its script

`kb.text.analyzer.analyze` is the chain. What script a word is written in decides how it is
folded; the language of the text decides only how it is stemmed, so nothing
here depends on guessing the language of a short query.
"""
