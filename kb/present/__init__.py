"""Display logic shared by terminal, browser and exports.

``anchors``    the positions of annotations in a text: the only code that finds a quote
``annotated``  annotations in the order a reader needs them, and texts with their words marked
``markdown``   a text's blocks, and their lines
``sentences``  the first sentence of a text
``claims``     the figures that annotations rest on, by the program that measures them
"""
