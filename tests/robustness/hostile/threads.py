"""Start two thousand threads with small stacks."""
# Ends: killed, failed
# Count: 1000

import threading
import time

threading.stack_size(64 << 10)
for number in range(2000):
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    if number % 100 == 0:
        print("made", number, flush=True)
harm("started two thousand threads")
