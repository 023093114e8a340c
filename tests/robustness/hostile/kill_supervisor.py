"""End the process above, and live on."""

import signal
import time

above = os.getppid()
tries("killed the process above", lambda: os.kill(above, signal.SIGKILL))
time.sleep(0.3)
if os.getppid() != above:
    harm("outlived the process above")
    open(T["mark"] + "alive", "w").close()
