"""What danesh promises to withstand, tried: kills, power cuts, full disks, crowds, hostile input.

``python -m tests.robustness`` tries all of it in short; ``--long`` at length. `trial` says
what a trial is; each module here has one, called ``TRIAL``. What a trial once found is kept in
``found/NAME`` and tried first for ever.
"""
