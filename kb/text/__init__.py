"""Text to terms: one analyzer for indexing, asking and highlighting alike.

A *word* is what a person typed: a run of letters, digits and marks, with parts
joined by a hyphen, an underscore, a full stop or a half-space. A *term* is what
is indexed. The analyzer has three steps:

``split``      characters to words and their parts, with places in the text
``fold``       one spelling of a part: letters, digits, marks, case
``languages``  a part to its stem and affixes, by the `profile` of the language that reads it

`kb.text.analyzer.analyze` is all of it. What script a word is written in decides how it is
folded; the language of the text decides only how it is stemmed, so nothing
here depends on guessing the language of a short query.
"""
