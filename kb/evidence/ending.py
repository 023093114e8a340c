"""How a run ended, and why: from what the owner did, the supervisor reported, the kernel said."""

from __future__ import annotations

import os
import signal
from typing import NamedTuple

from kb.evidence.sandbox.report import Report

_KILLED = 128 + 9
_SIGNALS = {"SIGXCPU": "time", "SIGSYS": "call", "SIGKILL": "memory", "SIGXFSZ": "disk"}
"""What it means that a program was ended by a signal that we did not send."""


class Ending(NamedTuple):
    """The status and exit code of an outcome, and its reason by `kb.records.reports.REASONS`."""

    status: str
    code: int | None
    reason: str


def ending(report: Report | None, stopped: str, seconds: float) -> Ending:
    """Return how a run ended that the owner ``stopped`` for a reason, or for none.

    ``seconds`` is the time it had. What the owner did goes before what was reported, and that
    before what a signal means.

    >>> ending(Report(status=9, reason="disk"), "", 10)
    Ending(status='killed', code=137, reason='disk')
    >>> ending(Report(refused="Landlock: not there"), "", 10).status
    'refused'
    """
    if stopped:
        return Ending("timeout" if stopped == "time" else "killed", _KILLED, stopped)
    if report is None or report.refused:
        return Ending("refused", None, "sandbox")
    if report.lost:
        return Ending("killed", _KILLED, "lost")
    code = os.waitstatus_to_exitcode(report.status)
    if code >= 0:
        return Ending("failed" if code else "ok", code, "")
    reason = report.reason or _of_signal(-code, report, seconds)
    return Ending("timeout" if reason == "time" else "killed", 128 - code, reason)


def _of_signal(number: int, report: Report, seconds: float) -> str:
    """Return what a signal means: SIGKILL, above the time it had, that of the kernel's limit."""
    name = signal.Signals(number).name if number in set(signal.Signals) else ""
    if name == "SIGKILL" and report.milliseconds >= 1000 * int(seconds + 1):
        return "time"
    return _SIGNALS.get(name, "signal")
