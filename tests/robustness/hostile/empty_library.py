"""Empty a file that may be read, by opening it to read."""

tries("emptied it", lambda: os.close(os.open(T["sacrifice"], os.O_RDONLY | os.O_TRUNC)))
tries(
    "emptied it by a raw call",
    lambda: os.close(checked("openat", -100, T["sacrifice"].encode(), os.O_TRUNC)),
)
tries("truncated it", lambda: os.truncate(T["sacrifice"], 0))
