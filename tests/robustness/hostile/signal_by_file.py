"""Have the kernel signal the owner of a file."""

import fcntl

reading, writing = os.pipe()
tries("named an owner", lambda: fcntl.fcntl(reading, fcntl.F_SETOWN, T["owner"]))
tries("chose a signal", lambda: fcntl.fcntl(reading, 10, 10))
fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
os.write(writing, b"x")
