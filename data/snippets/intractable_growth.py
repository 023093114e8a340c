"""An intractable problem is one whose work outgrows every faster machine.

A shortest round trip by brute force tries (n - 1)! tours; Held and Karp's dynamic
programme needs about n^2 2^n steps: far fewer, exponential still. A near answer is cheap.
"""

from itertools import count, permutations
from math import factorial

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DRAWS = 200  # random maps on which the near answer is compared with the best
CITIES = 12  # parameter: 6 to 12 cities


def brute_force(distance):
    """Return the shortest length and the number of tours examined."""
    n = len(distance)
    tours = np.array([(0, *rest, 0) for rest in permutations(range(1, n))])
    return distance[tours[:, :-1], tours[:, 1:]].sum(axis=1).min(), len(tours)


def held_karp(distance):
    """Return the shortest length, of each map, and the number of transitions examined a map."""
    *maps, n, _ = distance.shape
    cities = np.arange(1, n)
    best = np.full((*maps, 1 << n, n), np.inf)  # best[..., visited, last], city 0 always first
    best[..., 1 | 1 << cities, cities] = distance[..., 0, 1:]
    examined = 0
    for visited in range(3, 1 << n, 2):
        inside = cities[visited >> cities & 1 == 1]
        outside = cities[visited >> cities & 1 == 0]
        steps = distance[..., inside[:, None], outside]
        arrivals = best[..., visited, inside][..., None] + steps
        best[..., visited | 1 << outside, outside] = arrivals.min(axis=-2)
        examined += inside.size * outside.size
    return (best[..., -1, 1:] + distance[..., 1:, 0]).min(axis=-1), examined


def two_opt(distance):
    """Untangle a tour by reversing stretches of it while one of them helps."""
    tour = np.arange(len(distance))
    while True:
        after = np.roll(tour, -1)
        edges = distance[tour, after]
        change = distance[tour[:, None], tour] + distance[after[:, None], after]
        change -= edges[:, None] + edges  # [i, j]: edges i and j swapped for two others
        np.fill_diagonal(change, 0)
        i, j = sorted(np.unravel_index(change.argmin(), change.shape))
        if change[i, j] > -1e-12:
            return edges.sum()
        tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]


WORK = {
    "(n-1)!": lambda n: factorial(n - 1),
    "Held-Karp": lambda n: (n - 1) * (n - 2) * 2**n // 8,
    "n^3": lambda n: n**3,
}
rng = np.random.default_rng(SEED + 5)
points = rng.random((16, 2))
distance = np.linalg.norm(points[:, None] - points, axis=-1)
for n in range(4, 10):  # the formulas are the counts of real runs
    forced, tours = brute_force(distance[:n, :n])
    planned, steps = held_karp(distance[:n, :n])
    assert np.isclose(forced, planned)
    assert (tours, steps) == (WORK["(n-1)!"](n), WORK["Held-Karp"](n))

print(f"{'':18}" + "".join(f"{name:>18}" for name in WORK))
for n in (5, 10, 15, 20):
    print(f"steps for n = {n:<4}" + "".join(f"{f(n):18}" for f in WORK.values()))
reach = np.array([
    [next(n for n in count(3) if work(n + 1) > budget) for work in WORK.values()]
    for budget in (10**9, 10**12)
])  # fmt: skip
for budget, sizes in zip(("10^9", "10^12"), reach):
    print(f"largest n in {budget:5}" + "".join(f"{n:18}" for n in sizes))

first_beyond = points[: reach[1, 0] + 1]  # small as it is, its (n - 1)! tours are too many
assert 2 <= CITIES <= 16, "a tour has two cities, and the table of the best 2^CITIES rows"
places = rng.random((DRAWS, CITIES, 2))
maps = np.linalg.norm(places[:, :, None] - places[:, None], axis=-1)
over_optimum = np.array([two_opt(each) for each in maps]) / held_karp(maps)[0]
assert (over_optimum > 1 - 1e-12).all()
optimal = np.isclose(over_optimum, 1).sum()
print(f"\n{CITIES} cities: 2-opt finds the shortest tour on {optimal} of {DRAWS} random maps\n")
print(f"brute_force_tours_n9: {tours}")
print(f"held_karp_transitions_n9: {steps}")
for name, gain in zip(("brute_force", "held_karp", "cubic"), reach[1] - reach[0]):
    print(f"cities_gained_by_1000x_{name}: {gain}")
print(f"cities_in_1e12_steps_brute_force: {reach[1, 0]}")
print(f"cities_in_1e12_steps_cubic: {reach[1, 2]}")
print(f"input_bytes_beyond_1e12_steps: {first_beyond.nbytes}")
print(f"two_opt_over_optimum_p5: {np.quantile(over_optimum, 0.05):.6g}")
print(f"two_opt_over_optimum_median: {np.median(over_optimum):.6g}")
print(f"two_opt_over_optimum_p95: {np.quantile(over_optimum, 0.95):.6g}")

print("\nchart: steps of three algorithms, by the size of the input")
print("  n:", *range(4, 21, 4))
for name, work in WORK.items():
    print(f"  {name} (log):", *(f"{work(n):.3g}" for n in range(4, 21, 4)))
print("  fa: گام‌های سه الگوریتم، بسته به اندازهٔ ورودی; اندازه")
print("  fa: همهٔ ترتیب‌ها; هلد-کارپ; مکعبی")
