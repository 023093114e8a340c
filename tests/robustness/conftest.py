"""The hostile programs are run by the trials, shut in, and by nobody else: not to be imported."""

collect_ignore_glob = ["hostile/*"]
