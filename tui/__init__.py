"""The terminal app: search, read, run and export, in English and Persian.

``app``        the App: arguments in, language and theme, first screen
``commands``   everything a reader can ask for, declared once
``messages``   what the parts of the app tell each other
``session``    all work that runs in threads: the only caller of the library; ``found`` is where
               one is in what was found, ``trail`` what was read before
``i18n``       the language of the interface
``terminal``   who puts right-to-left text in order: this app or the terminal;
               ``answer`` takes what the terminal says about it out of what is typed
``bidi``       text in styled lines for a width; ``phrases`` and ``annotated`` make the texts
``typed``      a line that is being typed: its cells and the cursor
``history``    what was searched for before; ``window`` the stretch of it that a list holds
``themes``     the colours, for all terminals, for those of sixteen, and for none
``screens``, ``panes``, ``widgets``, ``providers``
"""

import os

# How often a second Textual draws at most; it reads this when it is imported. What changes right
# after a drawing waits for up to twice as long: with its own 60, a letter took 33 ms for nothing.
os.environ.setdefault("TEXTUAL_FPS", "200")
