"""Sleep beyond the time there is."""
# Ends: timeout
# Seconds: 0.7

import time

while True:
    time.sleep(100)
