"""What a reader does with a knowledge base, one module for each.

Services own the transactions: they combine the store, the index and the rooms.
"""
