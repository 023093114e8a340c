"""Export as static web pages without a server; only their search uses a script.

``writing``   the folder: pages, their media and shared files
``pages``     the page of an entry in each language, and the contents page with the search
``search``    the index of the pages, and the script that reads it
"""
