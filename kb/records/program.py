"""A program as it stands before a reader who is asked whether it may run."""

from __future__ import annotations

from typing import Literal, NamedTuple

Whose = Literal["bundled", "yours", "allowed", "changed", "kept", "file", "elsewhere"]
"""Whose code it is, by its digest and never by what a database says: it came with danesh, the
reader wrote it here, allows it always, changed or kept foreign code, it came from a file, or
nothing is known of it."""


class Program(NamedTuple):
    """A program that would be started, whole.

    ``entries`` have it, and ``file`` brought it, if one did. ``asks`` says that it runs only
    after a yes, ``unfit`` what in it hides what Python runs: then it never does. It is ``named``
    unless only evidence of another entry points to it.
    """

    name: str
    code: str
    digest: str
    whose: Whose
    file: str = ""
    entries: tuple[str, ...] = ()
    asks: bool = False
    unfit: str = ""
    named: bool = True
