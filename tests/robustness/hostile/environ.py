"""Read the environment and memory of the processes above."""

pids = {os.getppid(), T["owner"], 1, 2}
if "SECRET" in "".join(os.environ.values()):
    harm("the environment came along")
for pid in pids:
    for name in ("environ", "mem", "maps", "cmdline", "fd", "root/etc/passwd", "cwd"):
        path = f"/proc/{pid}/{name}"
        tries(
            f"read {path}",
            lambda: os.listdir(path) if name in ("fd", "cwd") else open(path, "rb").read(16),
        )
