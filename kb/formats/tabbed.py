"""The table of `kb.formats.tables` with tabs."""

from __future__ import annotations

from functools import partial

from kb.formats import tables

write = partial(tables.write, delimiter="\t")
write_raw = partial(tables.write_raw, delimiter="\t")
