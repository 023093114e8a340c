"""Text direction: Unicode's algorithm (UAX #9), joined letters, reordered lines.

Text is in logical order everywhere else; a line is reordered here, after wrapping.
"""
