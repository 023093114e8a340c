"""Export as static web pages without a server; only their search uses a script.

``pages``     the folder: the page of an entry in each language, the contents page, their media
``search``    the index of the pages, and the script that reads it
"""
