"""Under which names a database remembers what it was made from."""

CONTENT = "content"
"""The stamp of the bundled content it holds, or `NO_CONTENT`."""

TELLING = "telling"
"""The entry that this content names as the most telling one."""

NO_CONTENT = "none"
FINGERPRINT_OF_INDEX = "analyzer"
"""The analyzer its index was made by."""

GLOSSARY = "glossary"
"""The stamp of the glossary it holds."""
