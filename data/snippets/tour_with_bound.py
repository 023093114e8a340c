"""A tour can be proved to be near the shortest without searching all the tours.

A tree through all cities but one, with two edges to that one, is no longer than any tour.
Cities that such a tree visits other than twice get a price; the bound rises to the tour.
"""

from math import lgamma, log

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DRAWS = 60  # random maps; 200 would take longer than the 5 s a program may
CITIES, STARTS, ROUNDS = 150, 10, 60  # of a map, tours begun, prices tried


def one_trees(distance):
    """Return, for each map, the shortest tree plus two edges of city 0: its length and degrees."""
    maps, n, _ = distance.shape
    each = np.arange(maps)
    degree, length = np.zeros((maps, n), dtype=int), np.zeros(maps)
    near, parent = distance[:, 1].copy(), np.ones((maps, n), dtype=int)
    near[:, :2] = np.inf  # city 0 stays outside, city 1 is the root
    for _ in range(n - 2):  # Prim: each step needs the one before
        city = near.argmin(axis=1)
        length += near[each, city]
        degree[each, city] += 1
        degree[each, parent[each, city]] += 1
        way = distance[each, city]
        closer = (way < near) & (near < np.inf)
        near = np.where(closer, way, near)
        parent = np.where(closer, city[:, None], parent)
        near[each, city] = np.inf
    ends = 1 + np.argsort(distance[:, 0, 1:], axis=1, kind="stable")[:, :2]
    degree[each[:, None], ends] += 1
    degree[:, 0] = 2
    return length + distance[each[:, None], 0, ends].sum(axis=1), degree


def lower_bounds(distance, tour):
    """Held and Karp's bounds: a price on each city shifts every tour by the same amount."""
    prices, best = np.zeros(distance.shape[:2]), np.zeros(len(distance))
    for step in np.linspace(1, 0.02, ROUNDS):
        length, degree = one_trees(distance + prices[:, :, None] + prices[:, None])
        bound = length - 2 * prices.sum(axis=1)
        best = np.maximum(best, bound)
        excess = degree - 2  # none: the tree is a tour, the shortest
        stride = step * (tour - bound) / np.maximum((excess**2).sum(axis=1), 1)
        prices += stride[:, None] * excess
    return best


def nearest_neighbour(distance, start):
    """Return the tour that always goes on to the nearest city not yet visited."""
    tour, left = [start], np.ones(len(distance), dtype=bool)
    for _ in range(len(distance) - 1):
        left[tour[-1]] = False
        tour.append(np.where(left, distance[tour[-1]], np.inf).argmin())
    return np.array(tour)


def two_opt(distance, tour):
    """Reverse stretches of a tour while one of them shortens it; count the pairs weighed."""
    tour, weighed = np.append(tour, tour[0]), 0  # the end is the start
    way = distance[np.ix_(tour, tour)]  # in the order of the tour
    while True:
        edges = way.diagonal(1)
        change = way[:-1, :-1] + way[1:, 1:]
        change -= edges[:, None] + edges  # [i, j]: edges i and j swapped for two others
        np.fill_diagonal(change, 0)
        weighed += change.size
        i, j = sorted(np.unravel_index(change.argmin(), change.shape))
        if change[i, j] > -1e-9:
            return tour[:-1], edges.sum(), weighed
        stretch = slice(i + 1, j + 1)
        tour[stretch] = tour[stretch][::-1]
        way[stretch] = way[stretch][::-1]
        way[:, stretch] = way[:, stretch][:, ::-1]


def draw(places, tour, rows=17, columns=66):
    """The tour in characters: cities as o, the way between them as dots."""
    grid = np.full((rows, columns), " ")
    scaled = places * (columns - 1, rows - 1)
    share = np.linspace(0, 1, 50)[:, None, None]
    way = (1 - share) * scaled[tour] + share * scaled[np.roll(tour, -1)]
    for mark, spots in ((".", way.reshape(-1, 2)), ("o", scaled)):
        column, row = np.rint(spots).astype(int).T
        grid[row, column] = mark
    return "\n".join("  " + "".join(line).rstrip() for line in grid)


def distances(places):
    """Return the straight distance of every city to every other."""
    return np.linalg.norm(places[..., :, None, :] - places[..., None, :, :], axis=-1)


assert CITIES >= 3, "the tree needs two edges of city 0 besides its own"
angles = np.sort(np.random.default_rng(SEED + 1).random(CITIES)) * 2 * np.pi
ring = distances(np.column_stack([np.cos(angles), np.sin(angles)]))  # a special case
around = ring[np.arange(CITIES), np.roll(np.arange(CITIES), -1)].sum()

places = np.random.default_rng(SEED + 5).random((DRAWS, CITIES, 2))
maps = distances(places)
starts = np.unique(np.linspace(0, CITIES - 1, STARTS).astype(int))
tours = [[two_opt(each, nearest_neighbour(each, s)) for s in starts] for each in maps]
best = [min(found, key=lambda one: one[1]) for found in tours]
length = np.array([found[1] for found in best])
weighed = sum(one[2] for one in tours[0])
ring_bound, *bound = lower_bounds(np.array([ring, *maps]), np.array([around, *length]))
excess = length / bound
assert all(np.array_equal(np.sort(found[0]), np.arange(CITIES)) for found in best)
assert (excess > 1 - 1e-9).all() and ring_bound <= around * (1 + 1e-9)

print(draw(places[0], best[0][0]))
tens = (lgamma(CITIES) - log(2)) / log(10)
print(
    f"\n{CITIES} cities have about 10^{tens:.0f} tours; weighed were {weighed:.1e} pairs of edges"
)
print(f"shortest tour found {length[0]:.3f}; none is shorter than {bound[0]:.3f}")

print(f"\nmaps drawn: {DRAWS}")
print(f"tour_over_lower_bound_p5: {np.quantile(excess, 0.05):.6g}")
print(f"tour_over_lower_bound_median: {np.median(excess):.4g}")
print(f"tour_over_lower_bound_p95: {np.quantile(excess, 0.95):.6g}")
print(f"ring_tour_over_lower_bound: {around / ring_bound:.4g}")
print(f"pairs_weighed: {weighed}")
