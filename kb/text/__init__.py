"""From text to terms: one analyzer for indexing, queries and highlighting.

A *word* is a run of letters, digits and marks, with parts joined by a hyphen, underscore, full
stop or half-space. A *term* is what is indexed. The analyzer has three steps:

``words``      characters to words and their parts, with positions in the text
``fold``       a part in normalized spelling: letters, digits, marks, case
``languages``  a part to its stem and affixes, by the `Profile` of the language that reads it

`kb.text.analyzer.analyze` is all of it. The script of a word decides how it is normalized; the
language of the text only decides how it is stemmed, so nothing depends on guessing the language
of a short query.
"""
