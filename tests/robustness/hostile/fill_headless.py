"""Fill the disk with open files that have no name, when the first thread has ended."""
# Ends: killed, failed
# Most: 256

import tempfile
import threading


def fill():
    try:
        first.join(0.1)
        written, held = 0, []
        for _ in range(50):
            held.append(tempfile.TemporaryFile(dir=".", buffering=0))
            for _ in range(15):
                written += held[-1].write(b"x" * (1 << 20))
                print("written", written >> 20, flush=True)
    finally:
        os._exit(1)


first = threading.current_thread()
threading.Thread(target=fill).start()
libc.syscall(ctypes.c_long({"x86_64": 60, "aarch64": 93}[T["machine"]]), ctypes.c_long(0))
