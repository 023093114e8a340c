"""Loop, deaf to every signal that can be ignored."""
# Ends: timeout
# Seconds: 0.7

import signal

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
while True:
    pass
