"""Make a call of 32 bits, by int 0x80."""
# Ends: killed, ok

import mmap

if T["machine"] == "x86_64":
    # mov eax, 20 (getpid); int 0x80; ret
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    at = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if ctypes.CFUNCTYPE(ctypes.c_int)(at)() == os.getpid():
        harm("made a call of 32 bits")
