"""Our texts as safe HTML, and foreign HTML as our texts.

Writing: every tag is ours, everything else is text.

``rendering``  a text → its blocks in HTML, with marked words and formulas
``telling``    annotations and programs beside texts

Reading: text and structure are kept; whatever runs or loads something is dropped.

``reading``    HTML → a text; ``writer`` the current line and its blocks
``scanning``   texts, tags and formulas, in one pass; ``quoting`` words as literal Markdown
"""
