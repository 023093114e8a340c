"""Search: from the typed query to displayed hits. Free of I/O except through the index.

``parser``           any text to a tree, by the ``grammar`` of Whoosh where it has operators
``interpret``        what the words mean: compounds, the last word, names and translations
``lexicon``          the words of the index as one search sees them, and what a query costs
``translation``      the names of glossary and vocabulary; ``learning`` learns pairs from texts
``transliteration``  names in other spellings, by their consonants
``compile``          the tree to clauses and a predicate for the index
``fallbacks``        what is tried where little is found: beginnings, spelling, keyboard layout
``rerank``           weights, closeness, exact forms: the order of the first fifty
``excerpt``          the passage that matched, and what to mark in it
``index``            the engine: posting lists in the file of the store
"""
