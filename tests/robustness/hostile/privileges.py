"""Gain privileges, or lend itself to another user."""

for name in ("setuid", "setgid", "setresuid", "setresgid", "setreuid", "setfsuid"):
    if libc.syscall(T["calls"][name], 65534, 65534, 65534) == 0:
        harm(name)
call("capset", (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[2**32 - 1] * 6))
call("setgroups", 0, None)
call("keyctl", 1, None)
call("reboot", 0, 0, 0, None)
call("init_module", None, 0, b"")
call("kexec_load", 0, 0, None, 0)
call("iopl", 3)
call("acct", None)
call("syslog", 3, bytes(16), 16)
call("settimeofday", None, None)
