"""What is kept: one file of SQLite. Beside the index this is the only place that speaks SQL.

``rows``    what it tells of what it keeps
``sqlite``  the file, and each kind of what it keeps
"""
