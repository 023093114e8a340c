"""Loop without end."""
# Ends: timeout
# Seconds: 0.7

while True:
    pass
