"""Change the list of trusted programs, the database, and other files that are there."""

for name in ("trusted", "database", "note"):
    tries(f"appended to {name}", lambda: open(T[name], "a").write("evil"))
    tries(f"truncated {name}", lambda: os.truncate(T[name], 0))
    tries(f"removed {name}", lambda: os.remove(T[name]))
    tries(f"emptied {name}", lambda: os.open(T[name], os.O_RDONLY | os.O_TRUNC))
    tries(f"renamed {name}", lambda: os.rename(T[name], T[name] + "x"))
