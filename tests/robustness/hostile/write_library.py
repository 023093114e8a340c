"""Write into the standard library and into numpy, and change what stands there.

Modes and times are set to what they are: that it was allowed is harm enough.
"""

for folder, file in T["libraries"]:
    found = os.stat(file)
    times = (found.st_atime_ns, found.st_mtime_ns)
    tries(f"wrote into {folder}", lambda: open(f"{folder}/{T['name']}", "x").close())
    tries(f"made a folder in {folder}", lambda: os.mkdir(f"{folder}/{T['name']}-folder"))
    tries("set times", lambda: os.utime(file, ns=times))
    tries("set a mode", lambda: os.chmod(file, found.st_mode & 0o7777))
    with open(file, "rb") as opened:
        tries(
            "set a mode by descriptor", lambda: os.fchmod(opened.fileno(), found.st_mode & 0o7777)
        )
        tries("set times by descriptor", lambda: os.utime(opened.fileno(), ns=times))
    tries("opened it to write", lambda: os.close(os.open(file, os.O_WRONLY)))
    tries("opened it to change", lambda: os.close(os.open(file, os.O_RDWR)))
