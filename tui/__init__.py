"""The terminal app: search, read, run and export, in English and Persian.

``app``        the App: arguments in, language and theme, first screen
``commands``   everything a reader can ask for, declared once
``messages``   what the parts of the app tell each other
``session``    what the panes of a screen share: the library, what was found, work in threads
``terminal``   who puts right-to-left text in order: this app or the terminal
``bidi``       text in styled lines for a width; ``phrases`` and ``annotated`` make the texts
``typed``      a line that is being typed: its cells and the cursor
``themes``     the colours, for all terminals, for those of sixteen, and for none
``screens``    the main screen, forms and dialogs
``panes``      parts of the main screen
``widgets``    what is drawn
"""

import os

# How often a second Textual draws at most; it reads this when it is imported. What changes right
# after a drawing waits for up to twice as long: with its own 60, a letter took 33 ms for nothing.
os.environ.setdefault("TEXTUAL_FPS", "200")
