"""Find a way out by the files of its own process."""

for name in ("environ", "mem", "root", "cwd/..", "fd", "exe", "oom_score_adj", "task"):
    path = f"/proc/self/{name}"
    tries(
        f"opened {path}",
        lambda: os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1),
    )
tries("mapped itself", lambda: open("/proc/self/uid_map", "w").write("0 0 1"))
