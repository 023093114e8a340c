"""Leave for namespaces of its own, where it would be root."""

for flags in (0x10000000, 0x20000, 0x40000000, 0x10020000):
    call("unshare", flags)
call("setns", 0, 0)
call("mount", b"tmpfs", b".", b"tmpfs", 0, None)
call("umount2", b"/", 2)
call("pivot_root", b".", b".")
call("chroot", b".")
call("clone", 0x10000000 | 17, None, None, None, None)
call("clone3", bytes(88), 88)
call("sethostname", b"evil", 4)
