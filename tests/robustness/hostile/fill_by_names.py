"""Fill the disk with mapped files whose names write the lines that tell of them."""
# Ends: killed, failed
# Most: 256

libc.mmap.argtypes = (*[ctypes.c_long] * 6,)
written = 0
for number in range(60):
    name = f"file{number}\r1 2 3 4 0 "
    file = os.open(name, os.O_RDWR | os.O_CREAT)
    for _ in range(15):
        written += os.write(file, b"x" * (1 << 20))
        print("written", written >> 20, flush=True)
    libc.mmap(0, 4096, 1, 1, file, 0)
    os.unlink(name)
    os.close(file)
