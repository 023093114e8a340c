"""Snippets: who is trusted, how they are run, and what their figures prove.

``trust``     which code may run unasked
``runner``    the parent's side: start, stream, stop, measure
``child``     the child's side, a program of its own: limits, then the snippet
``figures``   the ``name: value`` lines of an output
``judge``     a figure, and an annotation's evidence, against what was measured: the one rule
``verify``    evidence run side by side, and judged
"""
