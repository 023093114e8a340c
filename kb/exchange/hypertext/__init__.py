"""Our texts as safe HTML, for all formats that hold any: every tag is ours, all else is text.

``rendering``  a text → its blocks in HTML; ``prose`` what stands in the lines of a block
``lists``      which lists and quotations a block stands in
``marking``    the words of a text that something is said of
``formulas``   the TeX of a formula, and how a reader without TeX sees it
``escaping``   text that no browser takes for markup
"""
