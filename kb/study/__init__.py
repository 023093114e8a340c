"""Studying: what is asked, how an answer is rated, and when it comes back.

``schedule``   memory by FSRS-6 on study days, and intervals
``log``        the rows that everything else follows from, and what is replayed from them
``exercises``  what is asked of an entry: recall, find the fault, predict
``rating``     from an outcome to a rating of 1 to 4
"""
