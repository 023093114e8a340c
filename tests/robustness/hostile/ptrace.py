"""Trace the processes above."""

for pid in (os.getppid(), T["owner"]):
    if libc.ptrace(16, pid, None, None) == 0:
        libc.ptrace(17, pid, None, None)
        harm(f"traced {pid}")
    call("process_vm_readv", pid, bytes(16), 0, bytes(16), 0, 0)
    call("process_vm_writev", pid, bytes(16), 0, bytes(16), 0, 0)
    call("kcmp", pid, pid, 0, 0, 0)
    call("process_madvise", -1, None, 0, 0, 0)
