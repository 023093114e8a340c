"""See which files exist, and how large they are."""
# Gap: good
# Gap: limits-only

for name in ("key", "database"):
    tries(f"saw {name}", lambda: os.stat(T[name]))
