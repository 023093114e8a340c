"""Print without end."""
# Ends: killed

while True:
    print("x" * 4000)
