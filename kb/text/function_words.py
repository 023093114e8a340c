"""Words that hold a sentence together and say nothing of what it is about.

They are indexed like any others, and found where nothing else is asked for; beside other
words they count for little. That they are common cannot be counted: in abstracts of
articles, what and how are rare. The lists are short on purpose; none has a word that is
also a term of some field (بیش, over, no).
"""

from __future__ import annotations

_ENGLISH = """
a an the and or but if of to in on at by for from with as into than then that this these those
it its is are was were be been being am do does did have has had having can could should would
will shall may might must what which who whom whose when where why how there here so such i you
he she we they me him her us them my your his our their also
dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt havent hasnt hadnt
whats wheres whos hows im ive id youre theyre
"""
_PERSIAN = """
و در به از که را با برای این ان انها اینها است بود شد هست هستند بودند شدند شده بوده باشد باشند
کرد کند کنند کرده کردند میکند میکنند میشود میشوند شود شوند دارد دارند داشت داشته داشتند دهد داد
چه چیست چیستند چرا چگونه چطور کدام کدامند کجا کجاست ایا تا یا اما ولی نیز هم هر خود او ما شما من
تو ایشان یعنی باید میتوان میتواند بودن شدن کردن
"""

_WORDS = frozenset(_ENGLISH.split()) | frozenset(_PERSIAN.split())


def is_function_word(folded: str) -> bool:
    """Say whether a folded, unstemmed word tells nothing by itself.

    >>> is_function_word("the"), is_function_word("چیست"), is_function_word("داده")
    (True, True, False)
    """
    return folded in _WORDS
