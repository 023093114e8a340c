"""``kb new``: write a new entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.import_ import Given, given_options, tell
from kb.cli.options import Invocation, global_options
from kb.errors import ExitCode

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.draft import Draft
    from kb.service.recording import Edited

_COLLECTION = "notes"


@click.command("new")
@given_options
@global_options
def command(invocation: Invocation, given: Given) -> int:
    """Write an entry, in your editor or with options.

    \b
      kb new
      kb new -c reading/attention --tag transformers
      kb new --question "What is a logit?" --answer "The log of odds." --level E

    The editor is $VISUAL or $EDITOR. The default collection is 'notes'.
    """
    with invocation.open() as library:
        made = _written(library, given)
        duplicates = library.meaning.near_duplicates(made.ids) if made else {}
    if made is None:
        tell(invocation, (), None, "")
    else:
        tell(invocation, made.ids, made.change, "written; 'kb undo' undoes it")
    messages.tell_duplicates(duplicates)
    return ExitCode.DONE


def _written(library: Library, given: Given) -> Edited | None:
    if given.question is not None or given.answer is not None:
        return library.edit.new(_draft(given))
    from kb.cli.editor import edited
    from kb.formats import form
    from kb.i18n import language

    blank = form.write(_draft(given), languages=(given.lang or language(),))
    return edited(blank, lambda text: library.edit.new(form.read(text, "form")), "new")


def _draft(given: Given) -> Draft:
    from kb.model.draft import Draft

    lang = given.lang or ""  # it is then guessed
    return Draft(
        question={lang: given.question} if given.question else {},
        answers={"source": {lang: given.answer}} if given.answer else {},
        kind=given.kind or "question",
        collection=given.collection or _COLLECTION,
        level=given.level or None,
        tags=given.tag,
    )
