"""Notes in Markdown, and the cards and questions that their authors wrote in them.

A file is a note unless its author wrote cards or a list of questions. `matter` gives
back its bytes and has what it says of itself, `outline` its lines. `forms` is the table of the
forms of cards, `lists` finds lists of questions, and `reading` decides and makes entries.
"""
