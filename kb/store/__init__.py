"""The store: a port, and an engine behind it in a folder of its own.

``port``    what any engine must keep and give back
``sqlite``  one file of SQLite; beside the index, the only place that speaks SQL
"""
