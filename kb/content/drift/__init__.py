"""Finds what only one language of a text says: numbers, units, formulas, negation.

``items``  normalized texts, the items that rules find in them, and their counterparts
``alarm``  the texts of an entry in both languages, known false alarms, and the report of others
"""
