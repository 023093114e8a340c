"""Reach secrets by links made in the scratch folder."""

tries("linked", lambda: os.symlink(T["key"], "soft"))
tries("read through a link", lambda: open("soft").read())
tries("linked hard", lambda: os.link(T["note"], "hard"))
tries("changed through a hard link", lambda: open("hard", "r+").write("evil"))
tries("made a pipe in the file system", lambda: os.mkfifo("pipe"))
tries("made a device", lambda: os.mknod("zero", 0o20666, os.makedev(1, 5)))
tries("moved it in", lambda: os.rename(T["note"], "note"))
