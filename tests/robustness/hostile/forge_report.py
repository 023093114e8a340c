"""Write a report of its own wherever it can, then fail."""
# Ends: failed
# Code: 7

line = b"ended 0 1 1 \n"
for number in range(1024):
    for data in (line, b"refused x\n", b'{"status": 0}\n', b"\0\xff" * 100):
        try:
            os.write(number, data)
        except OSError:
            pass
for path in (f"/proc/{os.getppid()}/fd/{number}" for number in range(32)):
    tries(f"opened {path}", lambda: os.close(os.open(path, os.O_WRONLY)))
os._exit(7)
