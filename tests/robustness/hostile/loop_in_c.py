"""Keep busy where Python takes no signal."""
# Ends: timeout
# Seconds: 0.7

import re

re.match(r"(a+)+$", "a" * 60 + "b")
