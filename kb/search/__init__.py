"""Search: from the typed query to displayed hits. Free of I/O except through the index.

``parser``           any text to a tree; ``grammar`` uses Whoosh if there are operators
``interpret``        the meaning of words: compounds, the last word, names, translations
``lexicon``          cached lookups of indexed words, and the cost of a query
``translation``      the names of glossary and vocabulary; ``learning`` learns pairs from texts
``transliteration``  names in other spellings, by their consonants
``compile``          the tree to clauses and a predicate for the index
``fallbacks``        attempts if little is found: prefixes, spelling, keyboard layout
``rerank``           weights, closeness, exact forms: the order of the first fifty
``encoder``          texts to vectors; ``meaning`` finds the closest
``excerpt``          the matching passage, with its matches marked
``index``            the engine: posting lists in the database file
"""
