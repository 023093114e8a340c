"""Fork with the audit hook taken out of the way."""

import _posixsubprocess

if "fork" in T["calls"] and libc.syscall(T["calls"]["fork"]) == 0:
    os.write(1, b"HARM forked\n")
    os._exit(0)
if libc.syscall(T["calls"]["clone"], 17, None, None, None, None) == 0:
    os.write(1, b"HARM cloned\n")
    os._exit(0)
tries(
    "started a process",
    lambda: _posixsubprocess.fork_exec(
        [b"/bin/true"],
        [b"/bin/true"],
        True,
        (),
        None,
        None,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
        *os.pipe(),
        False,
        False,
        0,
        None,
        None,
        None,
        -1,
        None,
        True,
    ),
)
