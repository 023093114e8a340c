"""Change modes, owners, times and attributes of files outside."""

note = T["note"]
tries("chmod", lambda: os.chmod(note, 0o777))
tries("chown", lambda: os.chown(note, os.getuid(), os.getgid()))
tries("lchown", lambda: os.lchown(note, os.getuid(), os.getgid()))
tries("utime", lambda: os.utime(note, (1, 1)))
tries("xattr", lambda: os.setxattr(note, "user.evil", b"x"))
call("fchmodat", -100, note.encode(), 0o666)
call("fchmodat2", -100, note.encode(), 0o666, 0)
