"""Export as static web pages without a server; only their search uses a script.

``writing``   the folder: pages, what they show, and the files that they share
``pages``     the page of an entry in each language, and the one that lists all and is searched
``search``    the index of the pages, and the script that reads it
"""

from kb.formats.site.writing import write

__all__ = ["write"]
