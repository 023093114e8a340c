"""Finds what only one language of a text says: numbers, units, formulas, negation.

``items``      a text as it is compared, what a rule finds in it, and what has no counterpart
``numbers``    the rules for numbers, units and negation
``alignment``  the texts of an entry in both languages, and which spans are compared
``alarm``      the registry of the rules, alarms that were looked at, and what is told of others
"""
