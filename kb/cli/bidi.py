"""Who turns right-to-left text, where the command line was told."""

from __future__ import annotations


class Bidi:
    """What ``--bidi`` names; one for the process, nothing where it was not given."""

    told: str | None = None
