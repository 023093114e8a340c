"""Undo what ties a program's life to its parent's."""

for option, value in ((1, 0), (36, 1), (4, 1), (59, 0)):
    if libc.prctl(option, value, 0, 0, 0) == 0:
        harm(f"prctl {option}")
call("setsid")
call("setpgid", 0, 0)
