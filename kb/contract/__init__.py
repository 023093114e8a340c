"""The JSON of the public contract (``schema_version`` 1): every record declared once, both ways.

``codec``    values: texts, numbers, lists, texts by language
``shape``    a record as an object: its keys in order, each with its codec
``entry``    entries with all that belongs to them, and source documents
``results``  what searches and lists find
``reports``  what came of runs, verifications, imports, checks
``document`` JSON as text, written and read

Reading is strict: what is missing, of another kind or unknown is a `BadData` that says where
it stands, and names the nearest key or value there is.
"""
