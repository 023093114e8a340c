"""Opens pictures in the system's viewer: copies under our own names, in a temporary folder.

Pictures are foreign files. Their bytes decide what they are, never their names, and only the
kinds of `kb.present.pictures` are opened.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from itertools import count
from pathlib import Path

from kb.disk import scratch_of, scratch_prefix, sweep
from kb.errors import BadData, KbError, NotFound
from kb.i18n import N_
from kb.present.pictures import suffix_of

_SCRATCH = "danesh-pictures-"
_FAILS_WITHIN = 1.0
"""Seconds in which an opener reports failure; some run as long as the viewer."""

OPENERS = {"darwin": "/usr/bin/open", "linux": "xdg-open"}
"""The commands that open a file in the reader's viewer, by system; Windows has a call for it."""


class Viewer:
    """Opens copies of pictures, which are deleted at the end at the latest."""

    def __init__(self) -> None:
        sweep(tempfile.gettempdir(), scratch_of(_SCRATCH))
        self._folder = Path(tempfile.mkdtemp(prefix=scratch_prefix(_SCRATCH)))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._copies = count(1)
        self._started: list[subprocess.Popen[bytes]] = []

    def open(self, data: bytes) -> Path:
        """Open a picture in another program, and return its copy.

        Raises `BadData` if it is not a picture, `NotFound` without a viewer, and `OSError`.
        """
        suffix = suffix_of(data)
        if not suffix:
            raise BadData("not a PNG, JPEG, GIF or WebP picture")
        copy = self._folder / f"picture-{next(self._copies)}{suffix}"
        copy.touch(0o600, exist_ok=False)
        copy.write_bytes(data)
        self._start(copy)
        return copy

    def _start(self, copy: Path) -> None:
        if sys.platform == "win32":
            os.startfile(copy)  # noqa: S606  # a copy of ours, whose suffix is a picture's
            return
        opener = shutil.which(OPENERS.get(sys.platform, OPENERS["linux"]))
        if opener is None:
            raise NotFound(N_("there is no program that opens pictures"), N_("Install xdg-utils."))
        quiet = subprocess.DEVNULL
        # In a session of its own it has no terminal to write to, and outlives this one.
        started = subprocess.Popen(
            [opener, str(copy)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        self._started = [each for each in self._started if each.poll() is None]
        self._started.append(started)
        try:
            code = started.wait(_FAILS_WITHIN)
        except subprocess.TimeoutExpired:
            return
        if code:
            raise KbError(N_("the picture could not be opened: {opener} failed"), opener=opener)
