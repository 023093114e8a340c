"""Look for what an earlier program left: state, files, code, memory of others."""

import gc

import numpy as np

if hasattr(np, "poisoned") or "POISONED" in os.environ or os.path.exists("poison"):
    harm("an earlier program left something")
if len(os.listdir(".")) != 1:
    harm("the folder is not fresh")
texts = (each for each in gc.get_objects() if isinstance(each, dict))
if any("np.poisoned" in str(value)[:200] for each in texts for value in [each.get("code")]):
    harm("an earlier program's code is there")
