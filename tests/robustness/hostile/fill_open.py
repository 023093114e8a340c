"""Fill the disk with open files that never had a name."""
# Ends: killed, failed
# Most: 256

import tempfile

written, held = 0, []
for number in range(60):
    file = tempfile.TemporaryFile(dir=".", buffering=0)
    held.append(file)
    for _ in range(15):
        written += file.write(b"x" * (1 << 20))
        print("written", written >> 20, flush=True)
