"""What tells two versions of the analyzer apart, without loading either."""

from __future__ import annotations

import unicodedata

import Stemmer

_VERSION = 4
FINGERPRINT = f"{_VERSION}/snowball {Stemmer.version()}/unicode {unicodedata.unidata_version}"
"""Changes whenever the same text could give other terms; an index remembers its own."""
