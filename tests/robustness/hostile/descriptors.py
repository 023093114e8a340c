"""Use what was left open."""

for number in range(3, 1024):
    try:
        kind = os.fstat(number)
    except OSError:
        continue
    harm(f"descriptor {number} was open ({kind.st_mode:o})")
