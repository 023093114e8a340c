"""The command line: one module for each command; ``output`` writes stdout, ``messages`` stderr."""
