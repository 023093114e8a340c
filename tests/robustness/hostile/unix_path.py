"""Connect to a socket in the file system."""

import socket

tries("connected", lambda: socket.socket(socket.AF_UNIX).connect(T["unix"]))
tries("bound", lambda: socket.socket(socket.AF_UNIX).bind("own"))
