"""Fill the disk with files that have no name any more."""
# Ends: killed, failed
# Most: 256

import mmap

written, held = 0, []
for number in range(200):
    file = open(f"file{number}", "w+b", buffering=0)
    for _ in range(15):
        written += file.write(b"x" * (1 << 20))
        print("written", written >> 20, flush=True)
    held.append(mmap.mmap(file.fileno(), 4096))
    os.unlink(file.name)
    file.close()
