"""How much of what is foreign is read: each limit once, with its reason.

What is read whole takes up to thirty times its size while it is read, an empty object of JSON
for each two characters. The limits keep any one file's reading below 512 MiB of memory, as
long as its entries themselves need no more.
"""

from __future__ import annotations

FILE = 2 << 30
"""Bytes of a file that is read piece by piece: two million entries of a thousand."""

STREAM = 512 << 20
"""Bytes of a stream, which is put aside until it ends: one without end is told of in seconds."""

WHOLE = 128 << 20
"""Bytes of a table of ours, which is read whole: a hundred thousand entries of a thousand."""

RECORD = 8 << 20
"""Bytes of a line of JSON, or characters of an item of a document."""

ENTRY = 4 << 20
"""Bytes of an entry as JSON, with all that belongs to it: indented, it still is a record."""

MARKDOWN = 3 << 20
"""Bytes of other people's Markdown: its parser takes up to 130 bytes for each character."""

LINES = 100_000
"""Cards of a file whose dates of repetition are kept."""

CARD_LINES = 50_000
"""Lines of a file that are looked through for cards, some 100 µs each; a longer one is a note."""

OWN_LINES = 5_000_000
"""Lines of Markdown that danesh wrote: they are read one by one, a million in four seconds."""

NOTE_LINES = 1_000_000
"""Lines of a note of a vault that danesh wrote: it is read whole, and each takes 50 bytes."""

TABLE = 4 << 20
"""Bytes of a TOML file: the parser of the standard library reads about 1 MiB a second."""

CODE = 256 << 10
"""Bytes of a program: it is parsed for its docstring, up to a thousand times as large in memory."""

DOCUMENT = 4 << 20
"""Bytes of a source document: as JSON, with what must be escaped, it is a record."""

DICTIONARY = 32 << 20
"""Bytes of a glossary or a dictionary."""

PAIRS = 250_000
"""Lines of a glossary or a dictionary: four times what a large one between two languages has."""

SENTENCE = 2_000
"""Characters of a sentence that words are learned from: of a longer text, too little is told by
what stands side by side."""

MEDIUM = 5 << 20
"""Bytes of one file of media: as JSON, in letters, it still is a record."""

MEDIA = 1 << 30
"""Bytes of all media of one file that is imported, which are put aside while it is read."""

PIXELS = 40_000_000
"""Pixels of a picture that is shown: of a large camera's, and 160 MiB while it is read."""

SCANS = 100
"""Passes of a progressive JPEG, each over all of its pixels: encoders write about ten."""

LINKS = 24_000_000
"""Pairs of words side by side that a dictionary is learned from: each takes some 30 bytes."""

COLUMNS = 16_384
"""Columns of other people's tables: no spreadsheet has more."""

DATABASE = 512 << 20
"""Bytes of another program's database, unpacked: 40,000 notes with their history have 40 MiB."""

WINDOW = 64 << 20
"""Bytes that an unpacker may look back: what Zstandard's packers use but at their last levels."""

CELLS = 64 << 20
"""Bytes of a cell of another program's database; what is larger than a record is not taken."""

STEPS = 500_000_000
"""Steps of SQLite for a statement on another program's database, some ten seconds of work: a
million notes with their cards take a fifth of it."""

REVIEWS = 2_000_000
"""Reviews of one file that are taken: each takes 56 bytes until it is stored."""

FORM = 1 << 20
"""Bytes of a form that comes back from an editor, and of the settings: both are typed."""

FILES = 100_000
"""Files and folders of a folder that is imported."""

DEPTH = 64
"""Folders within each other."""

ENTRIES = 250_000
"""Entries of a file of Markdown that danesh wrote: each takes about 5 KiB until it is stored."""

SHELVED = 2_000_000
"""Entries of one file, or of one stream, that are put aside as they are read: each takes about
200 bytes of memory, for its id and its places."""

BAD_LINES = 10_000
"""Lines that are set aside as they cannot be read; a file that has more is of another kind."""

BAD_BYTES = 64 << 20
"""Bytes of the lines that are set aside."""

NAME = 1_000
"""Characters of an id, a language, a collection, a topic, a tag or a key."""

KEYS = 1_000
"""Keys of an object that other people wrote, and keys of a file that are told as not taken."""

LANGUAGES = 200
"""Languages of an entry, or of one of its texts: each is searched as a document of its own."""

TAGS = 1_000
"""Tags of an entry."""

PARTS = 10_000
"""Answers, programs, annotations and related entries of an entry, spans and pieces of evidence."""

ADVICE = 10_000
"""Mistakes, and pieces of advice, that are told of a folder."""
