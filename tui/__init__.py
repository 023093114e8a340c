"""The terminal app: search, read, run and export, in English and Persian.

``app``        the App: arguments in, language and theme, first screen
``commands``   every command, declared once
``messages``   the messages between the parts of the app
``session``    the shared state of a screen's panes: library, results, work in threads
``terminal``   who reorders right-to-left text: this app or the terminal
``bidi``       text in styled lines of limited width; ``phrases`` and ``annotated`` make it
``typed``      a line being typed: its cells and the cursor
``themes``     the colours for terminals with many, sixteen or no colours
``screens``    the main screen, forms and dialogs
``panes``      parts of the main screen
``widgets``    the parts that draw
"""

import os

# How often a second Textual draws at most; it reads this when it is imported. What changes right
# after a drawing waits for up to twice as long: with its own 60, a letter took 33 ms for nothing.
os.environ.setdefault("TEXTUAL_FPS", "200")
