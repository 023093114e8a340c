"""Question lists, cards and notes in Markdown, or in text that has lost its marks.

A parser makes blocks of the text (`parser`), some of which only wrap others (`unfold`). What
each heading is follows from the others of its depth (`outline`); any other block is shown to
the styles of writing in turn (`styles`), and what stands below a question is gathered
(`draft`) and divided into its rest and its answer (`dividing`). What belongs to no entry is
listed with its line and the reason (`leftover`). danesh's own export is read by `own`.
"""

from __future__ import annotations

from kb.exchange.questions.reading import read

__all__ = ["read"]
