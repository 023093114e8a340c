"""A course as static pages that need no server and no script, but for the search in them.

``writing``   the folder: pages, what they show, and the files that they share
``pages``     the page of an entry in each language, and the one that lists all and is searched
``search``    the index of the pages, and the script that reads it
"""

from kb.formats.site.writing import write

__all__ = ["write"]
