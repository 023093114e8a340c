"""Safe terminal text for both front ends.

``bidi``       a line in visual order (UAX #9), shaped, with the position of every character
``tex``        readable formulas in a text, with the position of every character
``numerals``   digits as a language writes them, and figures for display
``layout``     a text in lines of cells
``terminal``   text without control characters, and what this terminal does to right-to-left text
"""
