"""The limits for foreign data: each once, with its reason.

Data read as a whole takes up to thirty times its size in memory: an empty JSON object for each
two characters. The limits keep the reading of any one file below 512 MiB of memory, unless its
entries need more.
"""

from __future__ import annotations

FILE = 2 << 30
"""Bytes of a file that is read in pieces: two million entries of a thousand bytes."""

STREAM = 512 << 20
"""Bytes of a stream, which is stored until it ends: an endless one is reported within seconds."""

WHOLE = 128 << 20
"""Bytes of one of our tables, which is read as a whole: a hundred thousand entries of a thousand
bytes.
"""

RECORD = 8 << 20
"""Bytes of a line of JSON, or characters of an item of a document."""

ENTRY = 4 << 20
"""Bytes of an entry as JSON with everything in it: even indented, it fits a record."""

MARKDOWN = 3 << 20
"""Bytes of foreign Markdown: its parser takes up to 130 bytes per character."""

LINES = 100_000
"""Cards of a file whose schedules are kept."""

CARD_LINES = 50_000
"""Lines of a file that is searched for cards, at some 100 µs each; a longer one is a note."""

OWN_LINES = 5_000_000
"""Lines of our own Markdown, read one by one: a million in four seconds."""

NOTE_LINES = 1_000_000
"""Lines of a note in our own vault: it is read as a whole, at 50 bytes each."""

TABLE = 4 << 20
"""Bytes of a TOML file: the standard library parses about 1 MiB a second."""

CODE = 256 << 10
"""Bytes of a program: parsing its docstring takes up to a thousand times as much memory."""

DOCUMENT = 4 << 20
"""Bytes of a source document: as escaped JSON it fits a record."""

DICTIONARY = 32 << 20
"""Bytes of a glossary or a dictionary."""

PAIRS = 250_000
"""Lines of a glossary or dictionary: four times those of a large bilingual one."""

SENTENCE = 2_000
"""Characters of a sentence that words are learned from: in longer texts, adjacent words say too
little."""

MEDIUM = 5 << 20
"""Bytes of one media file: encoded as JSON it fits a record."""

MEDIA = 1 << 30
"""Bytes of all media of one imported file, which are stored while it is read."""

PIXELS = 40_000_000
"""Pixels of a displayed picture: those of a large camera, and 160 MiB while reading."""

SCANS = 100
"""Passes of a progressive JPEG, each over all pixels: encoders write about ten."""

LINKS = 24_000_000
"""Word pairs from which a dictionary is learned: each takes some 30 bytes."""

COLUMNS = 16_384
"""Columns of a foreign table: no spreadsheet has more."""

DATABASE = 512 << 20
"""Bytes of another program's database, decompressed: 40,000 notes with history have 40 MiB."""

WINDOW = 64 << 20
"""The window of a decompressor: what Zstandard uses except at its highest levels."""

CELLS = 64 << 20
"""Bytes of a cell in another program's database; larger ones are skipped."""

STEPS = 500_000_000
"""SQLite steps for a statement on another program's database, some ten seconds: a million notes
with cards take a fifth of it."""

REVIEWS = 2_000_000
"""Reviews imported from one file: each takes some 230 bytes until it is stored."""

FORM = 1 << 20
"""Bytes of a form from an editor, and of the settings: both are typed."""

FILES = 100_000
"""Files and folders in an imported folder."""

DEPTH = 64
"""Depth of folders."""

ENTRIES = 250_000
"""Entries of our own Markdown file: each takes about 5 KiB until it is stored."""

SHELVED = 2_000_000
"""Entries of one file or stream that are stored temporarily: each takes about 200 bytes of memory
for its id and positions."""

BAD_LINES = 10_000
"""Unreadable lines that are skipped; a file with more has another format."""

BAD_BYTES = 64 << 20
"""Bytes of the skipped lines."""

NAME = 1_000
"""Characters of an id, a language, a collection, a topic, a tag or a key."""

KEYS = 1_000
"""Keys of a foreign object, and skipped keys of a file that are reported."""

LANGUAGES = 200
"""Languages of an entry, or of one of its texts: each is a separate document in the index."""

TAGS = 1_000
"""Tags of an entry."""

PARTS = 10_000
"""Answers, programs, annotations, related entries, spans and evidence of an entry."""

ADVICE = 10_000
"""Mistakes and pieces of advice that are reported for a folder."""

SECONDS, EVIDENCE_SECONDS = 10.0, 30.0
"""Seconds of a program, and of one behind evidence, unless a caller gives others."""

MEMORY = 1024
"""MiB of address space of a program, unless a caller gives others."""
