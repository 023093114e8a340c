"""Markdown parsed into blocks; every character knows its position in the source.

``document``  the records: blocks with their prefixes, prose with styles; addresses of links
``parser``    markdown-it, configured to record the position of each piece of a line
``inline``    a line's pieces with their styles, and the tags that have an equivalent
``reader``    a text → its blocks
``drawing``   a block → lines for a width or to be read aloud, with our signs after its words
"""
