"""Notebooks of Jupyter, in its format 4.5: texts as cells of Markdown, programs as cells of code.

Ours say what the Markdown export says, cell by cell, its marks included: so they come back as
that does. Of other people's, cells of text are read as a document and cells of code are programs.
"""
