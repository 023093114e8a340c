"""What one language of a text says and the other does not: numbers, units, formulas, negation.

``reading``    a text in plain letters, its clauses and words
``alignment``  which stretches of two texts say the same
``items``      what a rule finds, and what of it is left without a counterpart
``cues``       words of a small kind, declared as tables
``numbers``, ``units``, ``formulas``, ``negation``  the rules
``compare``    the registry of the rules, and both texts by it
``pairs``      the texts of an entry in both languages, and their places
``alike``      alarms that were looked at, and ``alarm``, what is told of the others
"""
