"""Programs: trust, isolated runs, and the figures that confirm or refute evidence.

``trust``     the code that may run without asking
``runner``    the client side of a run: start, stream, stop, measure, report the reason and figures
``sandbox``   the isolation of a program, and the level that this machine supports
``judge``     the rule that compares evidence with measured figures
``verify``    parallel runs of evidence, and their results
"""
