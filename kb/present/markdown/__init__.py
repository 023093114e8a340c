"""Markdown parsed into blocks; every character knows its position in the source.

``document``  the records: blocks, what stands before them, prose with styles
``parser``    markdown-it, set up to say where each piece of a line stands
``inline``    a line's pieces with their styles, and the tags that have an equivalent
``reader``    a text → its blocks
``drawing``   a block → lines for a width
``signs``     signs of ours behind words of a block
``words``     a block → lines to be read aloud, with words in place of signs
"""
