"""How checks are told: what is well, what is not, and what mends it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cli.options import Invocation
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode
from kb.i18n import _

if TYPE_CHECKING:
    from kb.records import Check

_SIGNS = {"advice": "·"}


def tell(invocation: Invocation, checks: Sequence[Check]) -> ExitCode:
    """Write each check; return whether all are well."""
    if invocation.as_json:
        from kb.contract.reports import CHECK

        write_json({"checks": [CHECK.write(check) for check in checks]})
    else:
        printer = Printer(invocation.color)
        for name, well, found, remedy in checks:
            sign = _SIGNS.get(name, "✓" if well else "✗")
            printer.line(f"{sign} {_(name)}: {_(found)}")
            if remedy and (not well or name in _SIGNS):
                printer.say(remedy, indent=4)
    return ExitCode.DONE if all(check.well for check in checks) else ExitCode.FINDINGS
