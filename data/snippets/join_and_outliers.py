"""A join, a sentinel and a z-score can each spoil the data without any error message.

Two synthetic tables are joined by key, missing values are treated as numbers and as missing,
and planted anomalies are looked for by the z-score and by the median absolute deviation (MAD).
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DRAWS = 200  # of the readings with planted anomalies
rng = np.random.default_rng(SEED + 5)


def join(keys, others):
    """Return row numbers of both tables for every pair of equal keys (an inner join)."""
    order = np.argsort(others, kind="stable")
    low, high = (np.searchsorted(others[order], keys, side) for side in ("left", "right"))
    left = np.repeat(np.arange(keys.size), high - low)
    offsets = np.arange(left.size) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    return left, order[np.repeat(low, high - low) + offsets]


def z_scores(x):
    return (x - x.mean()) / x.std()


def mad_scores(x):
    """Return distances from the median; 1.4826 makes MAD the deviation of a normal sample."""
    distance = x - np.median(x)
    return distance / (1.4826 * np.median(np.abs(distance)))


# Orders and customers: 5 customers stand twice in their table, 8 are missing from it.
customers = np.concatenate([np.arange(92), np.arange(5)])
orders, cents = rng.integers(0, 100, size=1000), rng.integers(100, 10_000, size=1000)
left, right = join(orders, customers)
assert (orders[left] == customers[right]).all()
lost = cents[~np.isin(orders, customers)].sum()
doubled = cents[np.isin(orders, np.arange(5))].sum()
assert cents[left].sum() == cents.sum() - lost + doubled

# A sensor writes -999 where it measured nothing.
trend = 20 + 5 * np.sin(np.arange(300) / 40)
values = trend + rng.normal(size=300)
values[rng.choice(300, 15, replace=False)] = -999
measured = values[values != -999]


# Thirty of three hundred readings are off by 20: they widen the deviation that judges them.
def hunt(seed):
    """Draw readings with planted anomalies; return both and what each rule finds."""
    rng = np.random.default_rng(SEED + seed)
    noise = rng.normal(size=300)
    planted = rng.choice(300, 30, replace=False)
    noise[planted] += 20
    found_z = np.flatnonzero(np.abs(z_scores(noise)) > 3)
    return noise, planted, found_z, np.flatnonzero(np.abs(mad_scores(noise)) > 3.5)


hunts = [hunt(seed) for seed in range(DRAWS)]
by_z = [np.isin(planted, found).sum() for _, planted, found, _ in hunts]
by_mad = [np.isin(planted, found).sum() for _, planted, _, found in hunts]
alarms = [np.sum(~np.isin(found, planted)) for _, planted, _, found in hunts]
assert np.min(by_mad) == 30 > np.max(by_z)
few = np.append(rng.normal(size=9), 1e6)  # of n values none is over sqrt(n - 1) deviations off
assert np.abs(z_scores(few)).max() < 3 + 1e-9
noise, planted, found_z, found_mad = hunts[0]

columns = 60  # of five readings each
height = np.abs(noise).reshape(columns, -1).max(axis=1)
print("largest of every five readings, and what each rule marks")
for floor in (16, 8, 2):
    print(f"{floor:>7} " + "".join("█" if top > floor else " " for top in height))
for name, found in (("z-score", found_z), ("MAD", found_mad)):
    marked = np.isin(np.arange(noise.size), found).reshape(columns, -1).any(axis=1)
    print(f"{name:>7} " + "".join("^" if mark else " " for mark in marked))

print()
print(f"rows_before_join: {orders.size}")
print(f"rows_after_join: {left.size}")
print(f"orders_lost_by_join: {np.sum(~np.isin(orders, customers))}")
print(f"orders_doubled_by_join: {np.sum(np.isin(orders, np.arange(5)))}")
print(f"mean_with_sentinels: {values.mean():.4g}")
print(f"mean_of_measured: {measured.mean():.4g}")
print(f"draws: {DRAWS}")
print(f"planted_anomalies: {planted.size}")
for name, found in (("found_by_z_score", by_z), ("found_by_mad", by_mad)):
    print(f"{name}_p5: {np.quantile(found, 0.05):.6g}")
    print(f"{name}_median: {np.median(found):g}")
    print(f"{name}_p95: {np.quantile(found, 0.95):.6g}")
print(f"false_alarms_of_mad_p95: {np.quantile(alarms, 0.95):.6g}")
print(f"z_score_of_a_million_among_ten: {np.abs(z_scores(few)).max():.4g}")
