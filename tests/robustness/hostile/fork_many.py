"""Fork two hundred processes that stay."""

import time

born = 0
for _ in range(200):
    child = libc.fork()
    if child == 0:
        time.sleep(1.5)
        os._exit(0)
    if child < 0:
        break
    born += 1
if born:
    harm(f"forked {born} processes")
