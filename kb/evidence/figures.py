"""The figures that a program prints: lines of the form ``name: value``.

Kept apart from the judge, so that starting a program loads neither layout nor analysis.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

_FIGURE = re.compile(
    r"^([a-z_][a-z0-9_]*): ([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)[ \t\r]*$",
    re.MULTILINE | re.IGNORECASE | re.ASCII,
)


def read_figures(output: str) -> Mapping[str, float]:
    """Return the figures by name; the last one counts if a name is repeated.

    >>> read_figures("table: 3 rows\\nvalues_held: 2272\\nerror: 1.5e-07\\n")
    {'values_held': 2272.0, 'error': 1.5e-07}
    """
    found = {name: float(value) for name, value in _FIGURE.findall(output)}
    return {name: value for name, value in found.items() if math.isfinite(value)}
