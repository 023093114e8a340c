"""Fill the disk with files of the largest size."""
# Ends: killed, failed
# Most: 256

written = 0
for number in range(200):
    with open(f"file{number}", "wb", buffering=0) as file:
        for _ in range(15):
            written += file.write(b"x" * (1 << 20))
            print("written", written >> 20, flush=True)
