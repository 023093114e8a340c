"""Words that hold a sentence together and say nothing of what it is about.

They are indexed like any others, and found where nothing else is asked for; beside other
words they count for little. That they are common cannot be counted: in abstracts of
articles, what and how are rare. The lists stand in the languages' profiles and are short on
purpose; none has a word that is also a term of some field (بیش, over, no).
"""

from __future__ import annotations

from kb.text.languages import function_words


def is_function_word(folded: str) -> bool:
    """Say whether a folded, unstemmed word tells nothing by itself.

    >>> is_function_word("the"), is_function_word("چیست"), is_function_word("داده")
    (True, True, False)
    """
    return folded in function_words()
