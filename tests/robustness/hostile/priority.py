"""Take the machine from others: priorities, processors, locked memory."""

call("setpriority", 0, 0, -5)
call("setpriority", 0, T["owner"], os.getpriority(0, 0))
call("setpriority", 0, os.getppid(), 19)
tries("nice", lambda: os.nice(1))
tries("chose a processor for its parent", lambda: os.sched_setaffinity(os.getppid(), {0}))
tries("became idle", lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)))
call("mlockall", 1)
call("ioprio_set", 1, 0, 0)
