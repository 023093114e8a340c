"""Builds what is not kept in the repository: compiled message catalogs, and data inside kb."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for catalog in sorted(Path(self.root).glob("kb/i18n/locale/*/LC_MESSAGES/*.po")):
            compile_catalog(catalog)
        # An editable install reads data/ from the checkout, so only a real wheel takes a copy.
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"][str(Path(self.root, "data"))] = "kb/data"


def compile_catalog(catalog: Path) -> Path:
    """Write the .mo file beside a .po file."""
    with catalog.open("rb") as source:
        messages = read_po(source, locale=catalog.parent.parent.name)
    compiled = catalog.with_suffix(".mo")
    with compiled.open("wb") as target:
        write_mo(target, messages)
    return compiled
