"""Leave memory, queues and semaphores behind that others can find."""

found = libc.shmget(0, 4096, 0o1666)
if found >= 0:
    libc.shmctl(found, 0, None)
    harm("made shared memory (System V)")
found = libc.msgget(0, 0o1666)
if found >= 0:
    libc.msgctl(found, 0, None)
    harm("made a queue (System V)")
found = libc.semget(0, 1, 0o1666)
if found >= 0:
    libc.semctl(found, 0, 0)
    harm("made a semaphore (System V)")
if libc.mq_open(("/" + T["name"]).encode(), 0o102, 0o600, None) >= 0:
    libc.mq_unlink(("/" + T["name"]).encode())
    harm("made a queue (POSIX)")
if libc.shm_open(("/" + T["name"]).encode(), 0o102, 0o600) >= 0:
    libc.shm_unlink(("/" + T["name"]).encode())
    harm("made shared memory (POSIX)")
