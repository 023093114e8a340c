"""Dynamic programming finds the cheapest order of a matrix chain in O(N^3).

A chain of N matrices has N + 1 sizes: matrix i is sizes[i] x sizes[i + 1]. The last
multiplication splits the chain in two, and both halves must be cheapest themselves.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000


def plan(sizes):
    """Return the cost of every stretch i..j, where it splits, and the splits examined."""
    n = len(sizes) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=np.intp)
    examined = 0
    for length in range(1, n):  # short stretches first: the long ones are made of them
        for i, j in zip(range(n), range(length, n)):
            last = sizes[i] * sizes[i + 1 : j + 1] * sizes[j + 1]
            totals = cost[i, i:j] + cost[i + 1 : j + 1, j] + last
            examined += totals.size
            split[i, j] = i + totals.argmin()
            cost[i, j] = totals.min()
    return cost, split, examined


def recompute(sizes):
    """The cheapest cost without a table, and the calls made: every stretch over and over."""
    if len(sizes) == 2:
        return 0, 1
    splits = [
        (recompute(sizes[: k + 1]), recompute(sizes[k:]), sizes[0] * sizes[k] * sizes[-1])
        for k in range(1, len(sizes) - 1)
    ]
    cost = min(left[0] + right[0] + last for left, right, last in splits)
    return cost, 1 + sum(left[1] + right[1] for left, right, _ in splits)


def brackets(split, i, j):
    """Read the order back out of the table of splits."""
    if i == j:
        return f"A{i + 1}"
    k = split[i, j]
    return f"({brackets(split, i, k)} {brackets(split, k + 1, j)})"


def every_cost(sizes):
    """The cost of each way to set the brackets, one entry a way."""
    if len(sizes) == 2:
        return np.zeros(1, dtype=np.int64)
    return np.concatenate([
        np.add.outer(every_cost(sizes[: k + 1]), every_cost(sizes[k:])).ravel()
        + sizes[0] * sizes[k] * sizes[-1]
        for k in range(1, len(sizes) - 1)
    ])  # fmt: skip


textbook = np.array([30, 35, 15, 5, 10, 20, 25])  # the example of Cormen et al., 4th edition, 14.2
cost, split, _ = plan(textbook)
assert cost[0, -1] == every_cost(textbook).min() == 15125
print("sizes", *textbook)
print("best ", brackets(split, 0, len(textbook) - 2))

rng = np.random.default_rng(SEED + 1)
print(f"\n{'':3}{'':8}{'no table':>10}{'a table':>9}")
heads = f"{'N':>3}{'ways':>8}{'calls':>10}{'splits':>9}"
print(heads + f"{'best':>10}{'left to right':>15}{'worst':>10}")
counts = {}
for n in (2, 4, 6, 8, 10):
    sizes = rng.integers(1, 200, n + 1)
    cost, _, examined = plan(sizes)
    ways = every_cost(sizes)
    again, calls = recompute(sizes)
    in_order = sizes[0] * (sizes[1:-1] * sizes[2:]).sum()
    assert cost[0, -1] == again == ways.min() <= in_order <= ways.max()
    assert examined == n * (n * n - 1) // 6
    assert calls == 3 ** (n - 1)
    counts[n] = calls, ways.size, examined
    row = f"{n:3}{ways.size:8}{calls:10}{examined:9}"
    print(row + f"{ways.min():10}{in_order:15}{ways.max():10}")

*_, examined_100 = plan(rng.integers(1, 200, 101))
print()
# A vector at the end: from the right no product of two matrices is formed, at a price.
vector = [3, 1, 3, 2, 1]
from_right = np.dot(vector[:-2], vector[1:-1]) * vector[-1]
print(f"vector_chain_from_the_right: {from_right}")
print(f"vector_chain_best: {every_cost(vector).min()}")
# From the right each entry but the vector's is used once; any order costs more than half of it.
pairs = np.array([1, 100] * 10 + [1])
from_right = np.dot(pairs[:-2], pairs[1:-1]) * pairs[-1]
print(f"vector_from_right_over_best: {from_right / plan(pairs)[0][0, -1]:.4g}")
print(f"textbook_ways: {every_cost(textbook).size}")
print(f"textbook_distinct_costs: {np.unique(every_cost(textbook)).size}")
print(f"textbook_chain_multiplications: {every_cost(textbook).min()}")
print(f"ways_to_bracket_10: {ways.size}")
print(f"calls_without_table_10: {calls}")
print(f"splits_examined_10: {examined}")
print(f"splits_examined_100: {examined_100}")
print(f"worst_over_best_10: {ways.max() / ways.min():.4g}")
print(f"left_to_right_over_best_10: {in_order / ways.min():.4g}")

print("\nchart: work to find the cheapest order of a chain")
print("  matrices:", *counts)
names = "calls without a table", "ways", "splits with a table"
for name, values in zip(names, zip(*counts.values())):
    print(f"  {name} (log):", *values)
print("  fa: کار لازم برای یافتن ارزان‌ترین ترتیب; ماتریس‌ها")
print("  fa: فراخوانی بدون جدول; راه‌های ممکن; تقسیم با جدول")
