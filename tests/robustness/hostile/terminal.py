"""Reach the terminal, and type into it."""

import fcntl

tries("opened the terminal", lambda: open("/dev/tty"))
for descriptor in (0, 1, 2):
    if os.isatty(descriptor):
        harm(f"{descriptor} is a terminal")
    tries("typed into a terminal", lambda: fcntl.ioctl(descriptor, 0x5412, b"x"))
    tries("took a terminal", lambda: fcntl.ioctl(descriptor, 0x540E, 0))
    tries("pasted", lambda: fcntl.ioctl(descriptor, 0x541C, b"\x03"))
tries("opened a new terminal", lambda: os.open("/dev/ptmx", os.O_RDWR))
