"""A course as static pages that need no server and no script, but for the search in them.

``writing``   the folder: pages, what they show, and the files that they share
``faces``     the languages that pages speak, and what an entry shows in each
``contents``  the page that lists all entries, and is searched
``pages``     the page of an entry
``frame``     what stands around every page: its head, with what it may load, and the ways on
``files``     the images and sounds that entries show
``search``    the index of the pages, and the script that reads it
"""

from kb.exchange.site.writing import write

__all__ = ["write"]
