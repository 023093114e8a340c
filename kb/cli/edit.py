"""``kb edit``: change entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.import_ import Given, given_options, tell
from kb.cli.options import Invocation, complete_id, global_options
from kb.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from kb.library import Library
    from kb.service.recording import Edited


@click.command("edit")
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=complete_id)
@given_options
@global_options
def command(invocation: Invocation, ids: tuple[str, ...], given: Given) -> int:
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
    return ExitCode.DONE


def _changed(library: Library, id: str, given: Given) -> Edited | None:
    if given != Given():
        from kb.model.draft import Amendment

        return library.edit.amend(id, Amendment(**{**given._asdict(), "tag": given.tag or None}))
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
