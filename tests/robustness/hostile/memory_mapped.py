"""Map shared memory beyond the limit."""
# Ends: failed

import mmap

held = [mmap.mmap(-1, 256 << 20) for _ in range(40)]
harm("mapped ten gigabytes")
