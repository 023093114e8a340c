"""The version of danesh, and nothing else: it costs nothing to ask for."""

__version__ = "0.2.0"
