"""A tour can be proved to be near the shortest without searching all the tours.

A tree through all cities but one, with two edges to that one, is no longer than any tour.
Cities that such a tree visits other than twice get a price; the bound rises to the tour.
"""

from math import lgamma, log

import numpy as np

CITIES = 150


def one_tree(distance):
    """Return the length and each city's edges of the shortest tree plus two edges of city 0."""
    n = len(distance)
    degree, length = np.zeros(n, dtype=int), 0.0
    near, parent = distance[1].copy(), np.ones(n, dtype=int)
    near[:2] = np.inf  # city 0 stays outside, city 1 is the root
    for _ in range(n - 2):  # Prim: each step needs the one before
        city = near.argmin()
        length += near[city]
        degree[[city, parent[city]]] += 1
        closer = (distance[city] < near) & (near < np.inf)
        near[closer], parent[closer] = distance[city, closer], city
        near[city] = np.inf
    ends = 1 + np.argsort(distance[0, 1:], kind="stable")[:2]
    degree[ends] += 1
    degree[0] = 2
    return length + distance[0, ends].sum(), degree


def lower_bound(distance, tour, rounds=60):
    """Held and Karp's bound: a price on each city shifts every tour by the same amount."""
    prices, best = np.zeros(len(distance)), 0.0
    for step in np.linspace(1, 0.02, rounds):
        length, degree = one_tree(distance + prices[:, None] + prices)
        bound = length - 2 * prices.sum()
        best = max(best, bound)
        excess = degree - 2
        if not excess.any():
            break  # the tree is a tour: the shortest
        prices += step * (tour - bound) / (excess @ excess) * excess
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
    tour, weighed = tour.copy(), 0
    while True:
        after = np.roll(tour, -1)
        edges = distance[tour, after]
        change = distance[np.ix_(tour, tour)] + distance[np.ix_(after, after)]
        change -= edges[:, None] + edges  # [i, j]: edges i and j swapped for two others
        np.fill_diagonal(change, 0)
        weighed += change.size
        i, j = sorted(np.unravel_index(change.argmin(), change.shape))
        if change[i, j] > -1e-9:
            return tour, edges.sum(), weighed
        tour[i + 1 : j + 1] = tour[i + 1 : j + 1][::-1]


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
    return np.linalg.norm(places[:, None] - places, axis=-1)


angles = np.sort(np.random.default_rng(1).random(CITIES)) * 2 * np.pi
ring = distances(np.column_stack([np.cos(angles), np.sin(angles)]))  # a special case
around = ring[np.arange(CITIES), np.roll(np.arange(CITIES), -1)].sum()
ring_bound = lower_bound(ring, around)

places = np.random.default_rng(5).random((CITIES, 2))
distance = distances(places)
starts = range(0, CITIES, 15)
tours = [two_opt(distance, nearest_neighbour(distance, start)) for start in starts]
tour, length, _ = min(tours, key=lambda found: found[1])
weighed = sum(found[2] for found in tours)
bound = lower_bound(distance, length)
assert np.array_equal(np.sort(tour), np.arange(CITIES))
assert bound <= length and ring_bound <= around * (1 + 1e-9)

print(draw(places, tour))
tens = (lgamma(CITIES) - log(2)) / log(10)
print(
    f"\n{CITIES} cities have about 10^{tens:.0f} tours; weighed were {weighed:.1e} pairs of edges"
)
print(f"shortest tour found {length:.3f}; none is shorter than {bound:.3f}")

print()
print(f"tour_over_lower_bound: {length / bound:.4g}")
print(f"ring_tour_over_lower_bound: {around / ring_bound:.4g}")
print(f"pairs_weighed: {weighed}")
