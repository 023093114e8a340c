"""``kb resolve``: show both versions of a conflict side by side, and choose one."""

from __future__ import annotations

import click

from kb.cli.import_ import tell
from kb.cli.options import Invocation, complete_id, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, UsageError
from kb.i18n import N_, _
from kb.i18n.names import field_name


@click.command("resolve")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_id)
@click.option("--mine", "side", flag_value="mine", help="Keep your version.")
@click.option("--theirs", "side", flag_value="theirs", help="Take the other version.")
@global_options
def command(invocation: Invocation, ids: tuple[str, ...], side: str | None) -> int:
    """Resolve what was changed in two ways: by you, and elsewhere.

    \b
      kb resolve                        all of them, side by side
      kb resolve notes/logits --theirs
      kb resolve notes/logits --mine

    The other version is from the file of an import, or from another copy ('kb sync'). Until you
    choose, both versions are kept.
    """
    with invocation.open() as library:
        ids = library.read.full_ids(ids)
        if side is not None:
            if not ids:
                raise UsageError("name the entries to resolve")
            done = library.files.resolve(ids, "mine" if side == "mine" else "theirs")
            tell(invocation, done.ids, done.change, "resolved; 'kb undo' undoes it")
            return ExitCode.DONE
        found = library.files.contested(ids)
    if invocation.as_json:
        write_json({"contested": [each._asdict() for each in found]})
    else:
        from kb.present.changes import text_of

        printer = Printer(invocation.color)
        for each in found:
            printer.line(f"{each.entry}  {field_name(each.field)}", style={"bold": True})
            for side_of, value in ((N_("yours"), each.mine), (N_("the other"), each.theirs)):
                printer.write(f"{_(side_of)}:", indent=2, style={"dim": True})
                printer.write(text_of(value) or _("nothing"), indent=4)
    return ExitCode.DONE if found else ExitCode.FINDINGS
