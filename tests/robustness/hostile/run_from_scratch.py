"""Write a program and start it."""

with open("own", "w") as file:
    file.write("#!/bin/sh\necho HARM ran its own\n")
tries("made it executable", lambda: os.chmod("own", 0o755))
arguments = (ctypes.c_char_p * 2)(b"own", None)
libc.execv(b"./own", arguments)
loader = (ctypes.c_char_p * 3)(b"ld", b"/bin/true", None)
libc.execv(b"/lib64/ld-linux-x86-64.so.2", loader)
