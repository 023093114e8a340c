"""Our texts as safe HTML, for all formats that hold any, and HTML of others as our texts.

Written: every tag is ours, all else is text.

``rendering``  a text → its blocks in HTML, with what is marked in it and its formulas
``telling``    what is told of annotations and programs beside texts

Read: what a text says and how it is arranged; nothing of what runs or loads something.

``reading``    HTML → a text; ``writer`` the line and the blocks that grow meanwhile
``scanning``   texts, tags and formulas, in one pass
``joining``    what stands in a line; ``quoting`` text that is not taken for Markdown
"""
