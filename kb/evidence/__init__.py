"""Programs: which are trusted, how they run, and what their figures prove.

``trust``     which code may run unasked
``runner``    the owner's side of a run: start, stream, stop, measure, and why it ended
``sandbox``   how a program is shut in, and how far that can be done here
``child``     the program of the process that is started for a run
``figures``   the ``name: value`` lines of an output
``judge``     a figure, and an annotation's evidence, against what was measured: the one rule
``verify``    evidence run side by side, and judged
"""
