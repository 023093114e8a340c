"""Anki's own text format: notes as rows, behind lines that say how they are written.

``head``     the lines at the beginning
``rows``     the rows behind them, and comments between
``reading``  rows to entries, as `kb.exchange.anki.notes` makes them
``writing``  entries to rows
"""
