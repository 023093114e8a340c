"""Change the modules and frames it was started from."""
# Ends: failed, ok

import gc

frame = sys._getframe()
while frame:
    for name in ("report", "supervise", "_watched", "_show", "os"):
        frame.f_globals.pop(name, None) if frame.f_globals is not globals() else None
    frame = frame.f_back
for each in gc.get_objects():
    if type(each).__name__ == "socket":
        tries("spoke by a socket of ours", lambda: each.send(b"ended 0 0 0 \n"))
sys.settrace(lambda *_: None)
sys.stdout.flush = sys.stderr.flush = lambda: 1 / 0
sys.modules.clear()
raise SystemExit(9)
