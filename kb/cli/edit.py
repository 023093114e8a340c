"""``kb new`` and ``kb edit``: write and change entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.import_ import given_options, tell
from kb.cli.options import Command, Invocation, complete_id
from kb.errors import UsageError

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.draft import Amendment, Draft
    from kb.service.recording import Edited

_COLLECTION = "notes"


@click.command("new", cls=Command)
@given_options
def new(invocation: Invocation, given: Amendment) -> None:
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


def _written(library: Library, given: Amendment) -> Edited | None:
    if given.question is not None or given.answer is not None:
        return library.edit.new(_draft(given))
    from kb.cli.editor import edited
    from kb.formats import form
    from kb.i18n import language

    blank = form.write(_draft(given), languages=(given.lang or language(),))
    return edited(blank, lambda text: library.edit.new(form.read(text, "form")), "new")


def _draft(given: Amendment) -> Draft:
    from kb.model.draft import Draft

    lang = given.lang or ""  # it is then guessed
    return Draft(
        question={lang: given.question} if given.question else {},
        answers={"source": {lang: given.answer}} if given.answer else {},
        kind=given.kind or "question",
        collection=given.collection or _COLLECTION,
        level=given.level or None,
        tags=given.tag or (),
    )


@click.command("edit", cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@given_options
def edit(invocation: Invocation, ids: tuple[str, ...], given: Amendment) -> None:
    """Change entries, in your editor or with options.

    \b
      kb edit notes/what-is-a-logit
      kb edit notes/what-is-a-logit --level M
      kb edit notes/what-is-a-logit --question "لاجیت چیست؟"     adds the other language

    Only what you name changes. --tag replaces all tags. You can change bundled entries, too:
    updates keep your version.
    """
    if len(ids) > 1 and (given.question or given.answer):
        raise UsageError("--question and --answer need exactly one id")
    done: list[Edited] = []
    with invocation.open() as library:
        ids = library.read.full_ids(ids)
        for id in ids:
            made = _changed(library, id, given)
            if made is not None:
                done.append(made)
    changes = [made.change for made in done if made.change]
    tell(invocation, ids, changes[-1] if changes else None, "changed; 'kb undo' undoes it")
    for made in done:
        if made.not_back:
            messages.notice(
                "the kept Anki package cannot hold this edit: {why}",
                place=made.ids[0],
                why=made.not_back,
            )


def _changed(library: Library, id: str, given: Amendment) -> Edited | None:
    if any(value is not None for value in given):
        return library.edit.amend(id, given)
    draft, seen = library.edit.draft_of(id), library.edit.digest_of(id)
    from kb.cli.editor import edited
    from kb.formats import form

    made = edited(
        form.write(draft),
        lambda text: library.edit.edit(id, form.read(text, "form"), seen=seen),
        id.replace("/", "-")[:60],
    )
    if made is None:
        messages.notice("left unchanged", place=id)
    return made
