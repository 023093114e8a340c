"""Our texts as safe HTML, for all formats that hold any, and HTML of others as our texts.

Written: every tag is ours, all else is text.

``rendering``  a text → its blocks in HTML; ``prose`` what stands in the lines of a block
``lists``      which lists and quotations a block stands in
``marking``    the words of a text that something is said of
``formulas``   the TeX of a formula, and how a reader without TeX sees it
``escaping``   text that no browser takes for markup

Read: what a text says and how it is arranged; nothing of what runs or loads something.

``reading``    HTML → a text; ``writer`` the line and the blocks that grow meanwhile
``scanning``   texts, tags and formulas, in one pass
``blocks``     what stands in what; ``pieces`` and ``joining`` what stands in a line
``quoting``    text that is not taken for Markdown; ``tex`` formulas by their marks
"""
