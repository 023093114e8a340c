"""The direction of text: Unicode's algorithm (UAX #9), joined letters, whole lines turned.

Text stays in logical order everywhere else; a line is turned here, after it was wrapped.
"""
