"""Our texts as safe HTML, and foreign HTML as our texts.

Writing: every tag is ours, everything else is text.

``rendering``  a text → its blocks in HTML, with what is marked in it and its formulas
``telling``    what is told of annotations and programs beside texts

Reading: text and structure are kept, nothing that runs or loads something.

``reading``    HTML → a text; ``writer`` the line and the blocks that grow meanwhile
``scanning``   texts, tags and formulas, in one pass
``joining``    what stands in a line; ``quoting`` text that is not taken for Markdown
"""
