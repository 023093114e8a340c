"""From what was typed to ranked hits.

``tree``      the query as a small tree that knows neither Whoosh nor SQLite
``grammar``   the one module that knows Whoosh: its parser, its spelling automata
``parser``    what was typed to a tree, whatever was typed
``plan``      the tree to an FTS5 expression, a condition, and what to mark
``retrieval`` candidates from the index, ordered by a second look
``ranking``   what the second look adds up: spelling, nearness, coverage
``weights``   the figures that ranking uses
``excerpt``   the passage to show, and the places that matched
``passage``   where a passage may be cut
``spelling``  what was probably meant
``keyboard``  text typed in the wrong layout
``finglish``  Persian in Latin letters
``resort``    what is tried, in order, when a query finds little
``translation``  a query's terms in the other languages of the glossary
``answer``    finding as written, translated, and by the resorts
``engine``    all of it together
``listing``   entries in order, where nothing is asked
"""
