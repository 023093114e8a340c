"""Connect to an abstract socket."""

import socket

tries("connected", lambda: socket.socket(socket.AF_UNIX).connect("\0" + T["abstract"]))
