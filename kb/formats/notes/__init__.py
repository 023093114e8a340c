"""Markdown notes, and the cards and questions written in them.

A file is a note unless its author wrote cards or a list of questions. `matter` restores its bytes
and has its metadata, `outline` its lines. `forms` is the table of card forms, `lists` finds lists
of questions, `key` their answer keys, and `reading` decides and makes entries.
"""
