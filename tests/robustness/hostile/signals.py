"""Signal whoever can be named."""

import signal

for pid in (os.getppid(), T["owner"], 1, -T["owner"]):
    tries(f"signalled {pid}", lambda: os.kill(pid, 0))
tries("sent a signal to the owner", lambda: os.kill(T["owner"], signal.SIGUSR1))
call("tkill", T["owner"], 0)
call("tgkill", T["owner"], T["owner"], 0)
tries("signalled everyone", lambda: os.kill(-1, 0))
tries("queued a signal", lambda: checked("rt_sigqueueinfo", T["owner"], 10, bytes(128)))
