"""Keep busy in many threads."""
# Ends: timeout, killed
# Seconds: 0.7

import threading


def busy():
    while True:
        sum(range(1000))


for _ in range(8):
    threading.Thread(target=busy).start()
busy()
