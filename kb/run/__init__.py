"""Snippets: who is trusted, how they are run, and what their figures prove.

``trust``     which code may run unasked
``runner``    the parent's side: start, stream, stop, measure
``child``     the child's side, a program of its own: limits, then the snippet
``figures``   the ``name: value`` lines of an output
``evidence``  an annotation's evidence against what was measured
"""

from kb.run.evidence import judge
from kb.run.figures import read_figures
from kb.run.runner import Limits, OnOutput, run_snippet
from kb.run.trust import Consent, check_trust

__all__ = ["Consent", "Limits", "OnOutput", "check_trust", "judge", "read_figures", "run_snippet"]
