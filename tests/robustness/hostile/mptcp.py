"""Use the kinds of sockets that rules for TCP forget."""

import socket

for family, kind, protocol in (
    (2, 1, 262),
    (2, 5, 132),
    (2, 6, 33),
    (16, 3, 0),
    (38, 5, 0),
    (40, 1, 0),
    (17, 3, 0),
    (44, 3, 0),
):
    tries(
        f"opened socket {family} {kind} {protocol}", lambda: socket.socket(family, kind, protocol)
    )
