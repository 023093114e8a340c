"""Means of parts merge into the mean of all when each part brings its count.

The merged mean needs no sum that could overflow and one pass over the data. Without exact
addition the last digits still depend on the order in which the numbers are added.
"""

import math

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
NUMBERS = 100_000  # the last part is shorter
PART = 4096  # parameter: 512 to 32_768 numbers
ORDERED, ORDERS = 1000, 200  # that many numbers, added in that many orders
DRAWS = 100  # 200 would take longer than the 5 s a program may
TRILLIONTH = 1e-12
assert min(NUMBERS, PART, ORDERED, ORDERS, DRAWS) > 0, "something in every part"


def merge(left, right):
    """Two pairs of (count, mean) as one: a weighted mean, written without their sum."""
    (n, mean), (m, other) = left, right
    return n + m, mean + (other - mean) * (m / (n + m))


def merged(parts):
    """The mean of numbers that come in parts, of which only the count and mean are kept."""
    state = (0, 0.0)
    for part in parts:
        state = merge(state, (len(part), part.mean(dtype=np.float64)))
    return state[1]


def mean_of_means(parts):
    """What is wrong for unequal parts: every part weighs the same."""
    return np.mean([part.mean(dtype=np.float64) for part in parts])


def updated(x):
    """The mean after every number in the precision of x: mean += (x - mean) / count."""
    mean = x[0]
    for count, value in enumerate(x[1:], start=2):
        mean = mean + (value - mean) / x.dtype.type(count)
    return mean


def exact_mean(x):
    """The mean that fsum gives; it reads the numbers faster from x.data than from x itself."""
    return math.fsum(x.data) / len(x)


def error(mean, exact):
    """Relative to the exact mean."""
    return abs(float(mean) / exact - 1)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all draws."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


def one_draw(rng):
    """What parts, a running update and other orders make of random numbers."""
    x = rng.exponential(size=NUMBERS).astype(np.float32)
    exact = exact_mean(x)
    rising = np.sort(x)  # now the short last part is unlike the others
    split = [np.split(numbers, range(PART, NUMBERS, PART)) for numbers in (x, rising)]
    near_limit = rng.uniform(1e38, 3.4e38, size=1000).astype(np.float32)
    table = np.tile(rng.normal(size=ORDERED), (ORDERS, 1))
    table = rng.permuted(table, axis=1)  # the same numbers, each row another order
    return {
        "error_of_merged_means": error(merged(split[1]), exact),
        "error_of_the_mean_of_means_shuffled": error(mean_of_means(split[0]), exact),
        "error_of_the_mean_of_means_rising": error(mean_of_means(split[1]), exact),
        "error_of_the_updated_mean": error(updated(near_limit), exact_mean(near_limit)),
        "distinct_running_sums": len(set(np.add.accumulate(table, axis=1)[:, -1])),
        "distinct_exact_sums": len({math.fsum(row.data) for row in table}),
    }


draws = [one_draw(np.random.default_rng(SEED + seed)) for seed in range(DRAWS)]
result = {name: [draw[name] for draw in draws] for name in draws[0]}
assert max(result["distinct_exact_sums"]) == 1, "fsum does not depend on the order"

near_limit = np.full(1000, 3e38, dtype=np.float32)
with np.errstate(over="ignore"):
    overflowed = np.isinf(np.add.accumulate(near_limit)).sum()

print(f"{DRAWS} draws of {NUMBERS} numbers in parts of {PART} and a shorter last one;")
print(f"and of {ORDERED} numbers, added in {ORDERS} orders\n")
close = sum(error < TRILLIONTH for error in result.pop("error_of_merged_means"))
print(f"draws: {DRAWS}")
print(f"merged_means_right_to_a_trillionth: {close}")
print(f"prefix_sums_that_overflow: {overflowed}")
for name, values in result.items():
    tell(name, values)
