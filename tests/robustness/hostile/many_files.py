"""Make twenty thousand files."""
# Ends: killed, failed
# Count: 15000

for number in range(20_000):
    open(f"file{number}", "w").close()
    if number % 1000 == 0:
        print("made", number, flush=True)
