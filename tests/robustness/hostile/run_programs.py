"""Start other programs."""

import pty
import subprocess

tries("subprocess", lambda: subprocess.run(["/bin/true"], check=True))
tries("os.system", lambda: os.system("true") and 1 / 0)
tries("os.posix_spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
tries("pty", lambda: pty.fork())
tries("os.popen", lambda: os.popen("echo x").read())
libc.posix_spawn.argtypes = None
if libc.system(b"exit 0") == 0:
    harm("libc.system")
pid = ctypes.c_int()
arguments = (ctypes.c_char_p * 2)(b"true", None)
if libc.posix_spawn(ctypes.byref(pid), b"/bin/true", None, None, arguments, None) == 0:
    harm("libc.posix_spawn")
