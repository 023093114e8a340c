"""What is said of failures."""

from __future__ import annotations

from kb.errors import InternalError, KbError
from kb.i18n import _
from kb.i18n.sentences import said


def sentence(error: BaseException) -> str:
    """Return what to tell the reader about an error; what is a bug of ours is told as one."""
    if isinstance(error, KbError) and not isinstance(error, InternalError):
        return f"{said(error.message)} {said(error.hint)}".strip()
    from kb.service.guard import internal

    cause = (error.__cause__ or error) if isinstance(error, InternalError) else error
    problem = error if isinstance(error, InternalError) else internal(error)
    told = _("Something went wrong: {error}").format(error=f"{type(cause).__name__}: {cause}")
    return f"{told} {said(problem.hint)}"
