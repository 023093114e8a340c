"""Markdown read into blocks whose every character knows its place in the source.

``document``  the records: blocks, what stands before them, prose with styles
``masking``   what of a text is not Markdown's to read: formulas, addresses, products
``parser``    markdown-it, set up to say where each piece of a line stands
``inline``    a line's pieces with their styles; ``html`` the tags that have an equivalent
``reader``    a text → its blocks; ``ahead`` all those of an entry
``drawing``   a block → lines for a width; ``tables`` those of a table
``signs``     signs of ours behind words of a block
``words``     a block → lines to be read aloud, with words in place of signs
"""
