"""Send a datagram."""

import socket

tries("sent", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", T["udp"])))
tries("sent raw", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
