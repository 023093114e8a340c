"""Snippets: who is trusted, how they are run, and what their figures prove.

``trust``     which code may run unasked
``runner``    the parent's side: start, stream, stop, measure
``child``     the child's side, a program of its own: limits, then the snippet
``figures``   the ``name: value`` lines of an output
``evidence``  an annotation's evidence against what was measured
"""

from kb.evidence.figures import read_figures
from kb.evidence.judge import judge
from kb.evidence.runner import Limits, OnOutput, run_snippet
from kb.evidence.trust import Consent, check_trust

__all__ = ["Consent", "Limits", "OnOutput", "check_trust", "judge", "read_figures", "run_snippet"]
