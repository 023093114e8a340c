"""A vault for Obsidian: a folder with a note for each entry, that comes back as it was.

`writing` makes the notes and places them, `layout` is what those share that write and read.
`files` gives notes that were files their bytes again. `reading` takes one back, by way of the
reader of Markdown: what stands in the note as text wins over what its comments say.
"""

from __future__ import annotations

from kb.formats.vault.writing import write

__all__ = ["write"]
