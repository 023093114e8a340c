"""Filled from corner to corner, the table of a matrix chain is built on cells not yet filled.

Cell (i, j) needs the cells to its left and below it, as far as the diagonal. Short
stretches first works, and so do rows upwards and columns upwards. What looks most natural,
from the upper-left corner on, does not: then the result depends on what happens to stand in
the empty cells.
"""

import numpy as np

SIZES = np.array([30, 35, 15, 5, 10, 20, 25])  # the example of Cormen et al., 4th edition, 14.2
N = len(SIZES) - 1

ORDERS = {  # each a sorting key for the cells above the diagonal
    "growing length": lambda i, j: (j - i, i),
    "rows upwards": lambda i, j: (-i, j),
    "columns upwards": lambda i, j: (j, -i),
    "rows downwards": lambda i, j: (i, j),
    "corner to corner": lambda i, j: (i + j, i),
}


def fill(cells, empty):
    """Fill the table in this order; return it and how many empty cells each one read."""
    cost = np.full((N, N), empty, dtype=float)
    np.fill_diagonal(cost, 0)
    filled = np.eye(N, dtype=bool)
    blind = np.zeros((N, N), dtype=int)
    for i, j in cells:
        last = SIZES[i] * SIZES[i + 1 : j + 1] * SIZES[j + 1]
        cost[i, j] = (cost[i, i:j] + cost[i + 1 : j + 1, j] + last).min()
        blind[i, j] = (~filled[i, i:j]).sum() + (~filled[i + 1 : j + 1, j]).sum()
        filled[i, j] = True
    return cost, blind


def every_cost(sizes):
    """The cost of each way to set the brackets, one entry a way."""
    if len(sizes) == 2:
        return np.zeros(1, dtype=np.int64)
    return np.concatenate([
        np.add.outer(every_cost(sizes[: k + 1]), every_cost(sizes[k:])).ravel()
        + sizes[0] * sizes[k] * sizes[-1]
        for k in range(1, len(sizes) - 1)
    ])  # fmt: skip


def picture(cells, blind):
    """Lines with the step at which each cell is filled; ! where it read an empty one."""
    step = {cell: at for at, cell in enumerate(cells, 1)}
    for i in range(N):
        marks = (f"{step[i, j]}{'! '[not blind[i, j]]}" if j > i else "· " for j in range(N))
        yield "".join(f"{mark:>5}" for mark in marks)


ways = every_cost(SIZES)
in_order = SIZES[0] * (SIZES[1:-1] * SIZES[2:]).sum()
above = list(zip(*np.triu_indices(N, 1)))
results = {}
print(f"{'order of filling':20}{'empty cells read':>17}{'result, empty = inf':>21}{'= 0':>8}")
for name, key in ORDERS.items():
    cells = sorted(above, key=lambda cell: key(*cell))
    (high, blind), (low, _) = fill(cells, np.inf), fill(cells, 0)
    results[name] = cells, blind, int(high[0, -1]), int(low[0, -1])
    print(f"{name:20}{blind.sum():17}{high[0, -1]:21.0f}{low[0, -1]:8.0f}")
    sound = not blind.any()
    assert sound == (high[0, -1] == low[0, -1] == ways.min())
    # Unsound, it is the cost of left to right, or less than any way can cost.
    assert sound or (high[0, -1] == in_order and low[0, -1] < ways.min())

print("\nstep at which each cell is filled; ! it read a cell still empty")
names = "growing length", "corner to corner"
print("".join(f"{name:^34}" for name in names))
for lines in zip(*(picture(*results[name][:2]) for name in names)):
    print("    ".join(lines))

_, good_blind, good, _ = results["growing length"]
_, bad_blind, bad_infinite, bad_zero = results["corner to corner"]
print()
print(f"cheapest_of_all_ways: {ways.min()}")
print(f"left_to_right: {in_order}")
print(f"growing_length_result: {good}")
print(f"growing_length_empty_cells_read: {good_blind.sum()}")
print(f"corner_to_corner_empty_cells_read: {bad_blind.sum()}")
print(f"corner_to_corner_result_infinite: {bad_infinite}")
print(f"corner_to_corner_result_zero: {bad_zero}")
