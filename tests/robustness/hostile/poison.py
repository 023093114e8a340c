"""Change what the next program finds: modules, builtins, the environment, the folder."""

import builtins

import numpy as np

builtins.print = None
np.ones = None
np.poisoned = True
os.environ["POISONED"] = "1"
os.umask(0)
try:
    open("poison", "w").close()
except OSError:
    pass
