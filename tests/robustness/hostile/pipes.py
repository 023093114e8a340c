"""Hold kernel memory in pipes and events."""
# Ends: failed, ok

import fcntl

held = [os.pipe() for _ in range(1000)]
for _, end in held:
    fcntl.fcntl(end, 1031, 1 << 20)
harm("holds a thousand pipes")
