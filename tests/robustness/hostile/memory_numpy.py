"""Take ten gigabytes by numpy, touched."""
# Ends: failed

import numpy as np

np.ones(10 << 27)
harm("took ten gigabytes")
