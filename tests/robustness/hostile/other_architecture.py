"""Make calls in ways that a table of numbers forgets: those of x32."""
# Ends: killed, ok

if T["machine"] == "x86_64":
    if libc.syscall(0x40000000 + 41, 2, 1, 0) >= 0:
        harm("opened a socket by x32")
    if libc.syscall(0x40000000 + 39) >= 0:
        harm("was let through as x32")
    import ctypes.util

    number = ctypes.get_errno()
    if T["shut"]:
        harm(f"lived on after a call of x32 ({number})")
