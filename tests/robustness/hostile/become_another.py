"""Become another program."""

arguments = (ctypes.c_char_p * 3)(b"echo", b"HARM became another program", None)
libc.execv(b"/bin/echo", arguments)
call("execve", b"/bin/echo", arguments, None)
call("execveat", -100, b"/bin/echo", arguments, None, 0)
