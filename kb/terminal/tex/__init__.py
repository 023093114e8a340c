"""Formulas in TeX, read and laid out as signs that a terminal has, with a map of places."""
