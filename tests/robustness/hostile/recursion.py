"""Recur in C until the stack ends."""
# Ends: killed, failed

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr(self)


repr(Deep())
