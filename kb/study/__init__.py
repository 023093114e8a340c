"""Studying: exercises, the rating of answers, and the schedule.

``schedule``   memory by FSRS-6 on study days, and intervals
``log``        the rows that determine all memory states, and their replay
``exercises``  the exercises of an entry: recall, find the fault, predict
``rating``     from an outcome to a rating of 1 to 4
"""
