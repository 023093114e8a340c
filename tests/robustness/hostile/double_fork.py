"""Leave a daemon behind, in a session of its own."""

import time

child = libc.fork()
if child == 0:
    libc.setsid()
    if libc.fork() == 0:
        for stream in (0, 1, 2):
            os.close(stream)
        time.sleep(1.0)
        open(T["mark"] + "daemon", "w").close()
        time.sleep(3)
        os._exit(0)
    os._exit(0)
if child > 0:
    os.waitpid(child, 0)
    harm("left a daemon behind")
