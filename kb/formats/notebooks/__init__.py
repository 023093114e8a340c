"""Jupyter notebooks in format 4.5: texts as Markdown cells, programs as code cells.

Exported ones contain the Markdown export cell by cell, with its marks, so they import again in
the same way. In foreign ones, text cells are read as a document and code cells are programs.
"""
