"""Read keys, notes, the list of trusted programs, and the system's users."""

for name in ("key", "trusted", "database", "note"):
    tries(f"read {name}", lambda: open(T[name], "rb").read())
for path in ("/etc/passwd", "/etc/hostname", T["home"], "/", "/tmp", "/root", "/home"):
    tries(f"read {path}", lambda: os.listdir(path) if os.path.isdir(path) else open(path).read())
tries("read by a raw call", lambda: os.fdopen(checked("openat", -100, T["key"].encode(), 0)))
