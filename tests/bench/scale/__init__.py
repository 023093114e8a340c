"""This project and its rivals side by side, as the base grows.

``python -m tests.bench.scale --data DIR`` prints the tables. Every engine keeps its index in
files and answers in a process of its own; rivals are given the terms that `kb.text` makes.
"""
