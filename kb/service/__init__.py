"""The use cases, one module each.

Services own the transactions and combine store, index and the other packages.
"""
