"""``kb new`` and ``kb edit``: write and change entries, with options or in the reader's editor.

The editor opens a form of the entry; a mistake opens it again at its line.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from kb import limits
from kb.cli import messages
from kb.cli.import_ import given_options, tell
from kb.cli.options import Command, Invocation, complete_id
from kb.errors import KbError, Message, NotFound, UsageError, joined_sentences
from kb.foreign import decoded, read_bytes, unix
from kb.i18n import _
from kb.model.values import NOTES

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.draft import Amendment, Draft
    from kb.service.write import Edited


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
        collection=given.collection or NOTES,
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
    from kb.formats import form

    made = edited(
        form.write(draft),
        lambda text: library.edit.edit(id, form.read(text, "form"), seen=seen),
        id.replace("/", "-")[:60],
    )
    if made is None:
        messages.notice("left unchanged", place=id)
    return made


T = TypeVar("T")
_USUAL = ("nano", "vim", "vi", "notepad")
_LINE_BEFORE = ("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "ne")
_LINE_BEHIND = ("hx", "helix", "subl", "zed")


def edited(text: str, store: Callable[[str], T], name: str) -> T | None:
    """Let the reader edit a text and store the result; do nothing if the text is unchanged.

    ``store`` raises a `FormError` or a `UsageError` for a mistake in the text. The mistake is
    shown in the first line of the form, and the editor opens again: on a terminal after the
    reader agrees, elsewhere as long as the text changes. After any other error, or if the reader
    gives up, the text is kept in a file and the file is named.
    """
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="kb-"))
    file = folder / f"{name}.md"
    file.write_text(text, encoding="utf-8")
    try:
        found = _stored(file, text, store)
    except (KbError, KeyboardInterrupt) as error:
        typed = _typed(file, lenient=True)
        if typed != text and typed.strip():
            if isinstance(error, KbError):
                kept = Message("What you wrote is kept in {file}.", file=file)
                error.hint = joined_sentences(error.hint, kept)
            else:
                messages.notice("what you wrote is kept in {file}", file=file)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    return found


def _stored(file: Path, text: str, store: Callable[[str], T]) -> T | None:
    """Let the reader edit a text until it can be stored or is left unchanged."""
    from kb.formats.form import FormError, advised

    line, last = 1, text
    while True:
        _open(file, line)
        typed = _typed(file)
        if typed == text or not typed.strip():
            return None
        try:
            return store(typed)
        except (FormError, UsageError) as error:
            if not _goes_on(error, changed=typed != last):
                raise
            said = " ".join(f"{_(x).rstrip('.')}." for x in (error.message, error.hint) if x)
            last = advised(typed, said)
            line = getattr(error, "line", 1) + last.count("\n") - typed.count("\n")
            file.write_text(last, encoding="utf-8")


def _goes_on(error: KbError, *, changed: bool) -> bool:
    """Report a mistake and return whether to open the editor again."""
    if messages.can_ask():
        messages.error(error, as_json=False)
        return messages.ask("Edit again? [Y/n] ", otherwise=True)
    if changed:
        messages.error(error, as_json=False)
    return changed


def _open(file: Path, line: int) -> None:
    """Open the reader's editor and wait until it closes. Raises `KbError` if it fails."""
    import subprocess

    command = _command()
    try:
        ended = subprocess.run(_placed(command, file, line), check=False)
    except OSError as error:
        raise NotFound(
            "the editor cannot be started ({error})",
            "Name one in $VISUAL or $EDITOR.",
            place=command[0],
            error=error.strerror,
        ) from error
    if ended.returncode:
        raise KbError(
            "the editor ended with an error ({returncode}); nothing was changed",
            returncode=ended.returncode,
        )


def _command() -> list[str]:
    """Return the reader's editor with its arguments. Raises `NotFound` if there is no editor."""
    import shlex  # the help does without

    for variable in ("VISUAL", "EDITOR"):
        if named := os.environ.get(variable, "").strip():
            try:
                return shlex.split(named)
            except ValueError as error:
                raise NotFound(
                    "${variable}: not a valid command: {named!r} ({error})",
                    variable=variable,
                    named=named,
                    error=error,
                ) from error
    for usual in _USUAL:
        if shutil.which(usual):
            return [usual]
    raise NotFound("there is no editor", "Name one in $VISUAL or $EDITOR.")


def _placed(command: list[str], file: Path, line: int) -> list[str]:
    """Return the command that opens a file at a line, if the editor is known."""
    editor = Path(command[0]).stem
    if line > 1 and editor in _LINE_BEFORE:
        return [*command, f"+{line}", str(file)]
    if line > 1 and editor in _LINE_BEHIND:
        return [*command, f"{file}:{line}"]
    if line > 1 and editor in ("code", "codium"):
        return [*command, "--goto", f"{file}:{line}"]
    return [*command, str(file)]


def _typed(file: Path, *, lenient: bool = False) -> str:
    try:
        data = read_bytes(file, limits.FORM)
        return unix(data.decode("utf-8", "replace") if lenient else decoded(data, str(file)))
    except NotFound:
        return ""
