"""What was typed: text → tree → fallbacks and translation → structured clauses.

It knows words and what a base knows of them (`lexicon`), no store and no index. Only
``grammar`` knows Whoosh. What terms are translated by is also learned here (`learning`).
"""
