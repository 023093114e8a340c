"""Knapsack's table doubles with every bit of the capacity: it is not polynomial.

n items and a capacity W take n W cells, but W is written in only log W bits. Rounding the
values bounds the table instead, for a share of the optimum that can be chosen beforehand.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DRAWS = 200
ITEMS = 40  # parameter: 10 to 60 items
SHARE = 0.1  # of the best value, which rounding may cost


def by_weight(values, weights, capacity):
    """Return the best total value and the cells filled: one per item and capacity."""
    best, cells = np.zeros(capacity + 1), 0
    for value, weight in zip(values, weights):
        best[weight:] = np.maximum(best[weight:], best[: capacity + 1 - weight] + value)
        cells += best.size  # the right side was read whole before it was written
    return best[-1], cells


def by_value(values, weights, capacity, share):
    """Return at least 1 - share of the best value, and the cells filled.

    Values are cut down to whole multiples of a unit, and lightest[v] is the least weight
    that reaches v units. Each of n items loses less than a unit, share times the largest
    value over n, and the best is worth at least that: the item fits, or it is left out first.
    """
    fits = weights <= capacity
    values, weights = values[fits], weights[fits]
    unit = share * values.max() / len(values)
    units = (values // unit).astype(int)
    lightest, cells = np.full(units.sum() + 1, np.inf), 0
    lightest[0] = 0
    taken = np.zeros((len(values), lightest.size), dtype=bool)
    for item, (gain, weight) in enumerate(zip(units, weights)):
        lighter = lightest[: lightest.size - gain] + weight
        taken[item, gain:] = lighter < lightest[gain:]
        lightest[gain:] = np.minimum(lightest[gain:], lighter)
        cells += lightest.size
    at, chosen = np.flatnonzero(lightest <= capacity)[-1], []
    for item in reversed(range(len(values))):
        if taken[item, at]:
            chosen.append(item)
            at -= units[item]
    assert at == 0 and weights[chosen].sum() <= capacity
    return values[chosen].sum(), cells


def greedy(values, weights, capacity):
    """Take the items by value per weight while they fit."""
    total = 0
    for item in np.argsort(-values / weights, kind="stable"):
        if weights[item] <= capacity:
            total, capacity = total + values[item], capacity - weights[item]
    return total


def brute_force(values, weights, capacity):
    """Try every subset: 2^n of them."""
    chosen = np.arange(1 << len(values))[:, None] >> np.arange(len(values)) & 1
    return (chosen @ values)[chosen @ weights <= capacity].max(), len(chosen)


rng = np.random.default_rng(SEED + 5)
shapes = rng.uniform(0.02, 0.2, size=(DRAWS, ITEMS))  # weights as shares of the capacity
worth = np.rint(5000 * (shapes + 0.05)).astype(int)  # about what they weigh: hard
shape, values = shapes[0], worth[0]
few = slice(None, 12)
weights = np.ceil(shape * 100).astype(int)
forced, subsets = brute_force(values[few], weights[few], 50)
assert forced == by_weight(values[few], weights[few], 50)[0]
assert forced * 0.9 <= by_value(values[few], weights[few], 50, 0.1)[0] <= forced

# What does not fit must not set the unit: 1000 would, and the 1 that fits would count for 0.
assert by_value(np.array([1000, 1]), np.array([11, 1]), 10, 0.1)[0] == 1

print(f"{ITEMS} items: the table by weight, of the same items weighed ever finer")
print(f"{'bits of W':>12}{'cells':>12}")
cells = {}
for bits in range(8, 19, 2):
    capacity = 2**bits - 1
    weights = np.ceil(shape * capacity).astype(int)
    best, cells[bits] = by_weight(values, weights, capacity)
    print(f"{capacity.bit_length():12}{cells[bits]:12}")

print(f"\nthe table by rounded value, W of {bits} bits")
print(f"{'at least':>12}{'cells':>12}{'reached':>12}")
for share in (0.5, 0.3, 0.1, 0.03):
    near, rounded = by_value(values, weights, capacity, share)
    assert 1 - share <= near / best <= 1
    print(f"{1 - share:12.0%}{rounded:12}{near / best:12.2%}")

# Cut to units of share / n of the largest, n values have at most n / share units each.
most = ITEMS * (int(ITEMS * ITEMS / SHARE) + 1)
_, equal = by_value(np.full(ITEMS, 1000), np.full(ITEMS, 10), 200, SHARE)
needed, reached = np.empty((2, DRAWS))
capacity = 2**12 - 1
for draw, (shape, values) in enumerate(zip(shapes, worth)):
    weights = np.ceil(shape * capacity).astype(int)
    near, needed[draw] = by_value(values, weights, capacity, SHARE)
    reached[draw] = near / by_weight(values, weights, capacity)[0]
assert (reached >= 1 - SHARE).all() and max(equal, *needed) <= most

small, big = np.array([2, 1000]), np.array([1, 1000])  # greedy prefers the first: 2 per weight
print()
print(f"cells_per_further_bit: {(cells[18] / cells[8]) ** 0.1:.4g}")
print(f"cells_for_8_bits: {cells[8]}")
print(f"cells_for_18_bits: {cells[18]}")
for name, drawn in (("cells_for_share", needed), ("share_reached", reached)):
    print(f"{name}_p5: {np.quantile(drawn, 0.05):.6g}")
    print(f"{name}_median: {np.median(drawn):.10g}")
    print(f"{name}_p95: {np.quantile(drawn, 0.95):.6g}")
print(f"cells_for_share_equal_values: {equal}")
print(f"greedy_share_at_worst: {greedy(small, big, 1000) / by_weight(small, big, 1000)[0]:g}")
print(f"subsets_of_12_items: {subsets}")

print("\nchart: cells of the table for the same items, weighed ever finer")
print("  bits of the capacity:", *cells)
print("  cells (log):", *cells.values())
print("  fa: خانه‌های جدول برای همان کالاها، با توزین دقیق‌تر")
print("  fa: بیت‌های ظرفیت; خانه‌ها")
