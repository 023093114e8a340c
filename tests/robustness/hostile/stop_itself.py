"""Stop, so as never to end."""
# Ends: timeout
# Seconds: 0.7

import signal

os.kill(os.getpid(), signal.SIGSTOP)
