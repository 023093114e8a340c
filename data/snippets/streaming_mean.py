"""Means of parts merge into the mean of all when each part brings its count.

The merged mean needs no sum that could overflow and one pass over the data. Without exact
addition the last digits still depend on the order in which the parts arrive.
"""

import math

import numpy as np


def merge(left, right):
    """Two pairs of (count, mean) as one: a weighted mean, written without their sum."""
    (n, mean), (m, other) = left, right
    return n + m, mean + (other - mean) * (m / (n + m))


def streamed(chunks):
    """The mean of numbers that come in chunks, of which only the count and mean are kept."""
    state = (0, 0.0)
    for chunk in chunks:
        state = merge(state, (len(chunk), chunk.mean(dtype=np.float64)))
    return state[1]


def updated(x):
    """The mean after every number in the precision of x: mean += (x - mean) / count."""
    mean = x[0]
    for count, value in enumerate(x[1:], start=2):
        mean = mean + (value - mean) / x.dtype.type(count)
    return mean


rng = np.random.default_rng(11)
# Sorted, so that the short last chunk is unlike the others.
x = np.sort(rng.exponential(size=1_000_000).astype(np.float32))
mean = math.fsum(x) / len(x)

chunks = np.split(x, np.arange(4096, len(x), 4096))  # the last one is short
of_means = np.mean([chunk.mean(dtype=np.float64) for chunk in chunks])
error_merged, error_of_means = (abs(m / mean - 1) for m in (streamed(chunks), of_means))
assert error_merged < 1e-12 < 1e-4 < error_of_means
print(f"{len(chunks)} chunks, of {len(chunks[0])} numbers each and {len(chunks[-1])} in the last")
print(f"mean of all {mean:.8f}, merged {streamed(chunks):.8f}, mean of means {of_means:.8f}")

near_limit = np.full(1000, 3e38, dtype=np.float32)
with np.errstate(over="ignore"):
    overflowed = np.isinf(np.add.accumulate(near_limit)).sum()
assert updated(near_limit) == near_limit[0] and math.isfinite(streamed([near_limit]))

halves = np.full(10_000, 1.5, dtype=np.float16)
stuck = np.add.accumulate(halves)[-1] / np.float64(len(halves))

# The same thousand numbers in two hundred orders, each order a column.
table = rng.permuted(np.repeat(rng.normal(size=(1000, 1)), 200, axis=1), axis=0)
running = np.add.accumulate(table)[-1]
exact = [math.fsum(column) for column in table.T]
print(f"\n200 orders of the same numbers: {len(set(running))} running sums, {len(set(exact))} fsum")
assert len(set(exact)) == 1 < len(set(running))

print()
print(f"error_of_merged_means: {error_merged:.1g}")
print(f"error_of_the_mean_of_means: {error_of_means:.3g}")
print(f"prefix_sums_that_overflow: {overflowed}")
print(f"updated_mean_over_true_mean: {updated(near_limit) / near_limit[0]:g}")
print(f"float16_mean_of_ten_thousand_1_5: {stuck:.6g}")
print(f"distinct_running_sums: {len(set(running))}")
print(f"distinct_exact_sums: {len(set(exact))}")
