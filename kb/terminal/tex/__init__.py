"""TeX formulas as terminal characters, with a map of positions."""
