"""Connect to a port, and open one."""

import socket

tries("connected", lambda: socket.create_connection(("127.0.0.1", T["tcp"]), 1))
tries("listened", lambda: socket.create_server(("127.0.0.1", 0)))
tries("connected by IPv6", lambda: socket.socket(socket.AF_INET6).connect(("::1", T["tcp"])))
