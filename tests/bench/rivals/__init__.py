"""The engines danesh is measured beside, one module each, in their best documented settings.

Each has ``make(documents, lang)``, or gives it, and stems by ``lang`` where the engine can.
Where a language writes no spaces its own n-grams are taken, and asked for by any of them.
"""
