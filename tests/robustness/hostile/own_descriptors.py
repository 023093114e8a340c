"""Start a thread that has its own open files, which the others' do not tell of."""

VM, FS, SIGHAND, THREAD = 0x100, 0x200, 0x800, 0x10000
stack = ctypes.create_string_buffer(1 << 16)
top = ctypes.c_void_p(ctypes.addressof(stack) + (1 << 16) - 64 & ~63)
if libc.clone(libc.pause, top, VM | FS | SIGHAND | THREAD, None) > 0:
    harm("started a thread with its own open files")
