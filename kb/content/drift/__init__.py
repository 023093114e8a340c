"""Finds what only one language of a text says: numbers, units, formulas, negation.

``items``      normalized texts, the items that rules find in them, and their counterparts
``numbers``    the rules for numbers, units and negation
``alignment``  the texts of an entry in both languages, and which spans are compared
``alarm``      the registry of rules, known false alarms, and the report of others
"""
