"""What one language of a text says and the other does not: numbers, negation, terms and more.

``reading``    a text in plain letters, its clauses and words
``lexicon``    the names of concepts in both languages
``alignment``  which stretches of two texts say the same
``items``      what a rule finds, and what of it is left without a counterpart
``cues``       words of a small kind, declared as tables
``numbers``, ``units``, ``formulas``, ``terms``  rules, and those of cues:
``negation``, ``quantifiers``, ``verdicts``
``nouns``      what stands bare in English where Persian says each or all
``usage``      how reliably the texts of a folder tell a term by its names
``compare``    the registry of the rules, and both texts by it
``pairs``      the texts of an entry in both languages, and their places
``alike``      alarms that were looked at, and ``alarm``, what is told of the others
"""
