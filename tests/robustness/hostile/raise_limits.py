"""Raise the limits."""

import resource

for kind in (
    resource.RLIMIT_AS,
    resource.RLIMIT_CPU,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_CORE,
):
    tries(f"raised {kind}", lambda: resource.setrlimit(kind, (1 << 50, 1 << 50)))
    soft, hard = resource.getrlimit(kind)
    tries(
        f"raised {kind} of its parent", lambda: resource.prlimit(os.getppid(), kind, (hard, hard))
    )
