"""Display logic shared by terminal, browser and exports.

``annotated``  annotations: where their words are, in the order a reader needs them
``markdown``   a text's blocks, and their lines
``titles``     a question in a line, and the first sentence of a text
``claims``     the figures that annotations rest on, by the program that measures them
"""
