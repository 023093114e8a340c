"""Programs that try what none may do, and what becomes of the others of their kind.

Each is run behind `tests.robustness.attack.PRELUDE`, tells on stdout ``HARM`` and what it
could do, and says in comments what the sandbox makes of it:

``# Ends: STATE, …``   how it must end (else ``ok`` or ``failed``)
``# Code: N``          with which exit code
``# Seconds: N``       how long it may take (else 5)
``# Gap: LEVEL``       a level that does not hold it: there it must do harm, or the level is better
                       than what is said of it
``# Most: N``          the MiB it may have written when it is ended
``# Count: N``         the things it may have made when it is ended
``# After: NAME``      the program that is run before it
"""
