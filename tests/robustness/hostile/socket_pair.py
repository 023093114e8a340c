"""Use a pair of sockets to name others."""

import socket

pair = []
tries("made a pair of datagrams", lambda: pair.extend(socket.socketpair(type=socket.SOCK_DGRAM)))
one, other = socket.socketpair()
tries("connected", lambda: one.connect("\0" + T["abstract"]))
tries("sent to a name", lambda: one.sendto(b"x", "\0" + T["abstract"]))
tries("bound", lambda: one.bind("own"))
tries("passed a descriptor", lambda: socket.send_fds(one, [b"x"], [1]))
for each in pair:
    tries("sent", lambda: each.sendto(b"x", T["unix"]))
