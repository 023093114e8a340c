"""Depth folds: ten hidden layers of two ReLUs bend a line more often than a thousand side by side.

Pieces of a function on [0, 1] are counted where its slope changes, in exact binary fractions.
A folding network is made by hand; random ones of the same depth bend far less.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
GRID = np.arange(2**14 + 1) / 2**14  # every fold below lies on this grid, without rounding
RUNS = 200
LAYERS = 10  # parameter: 2 to 14 layers
assert 1 <= LAYERS <= 14, "the folds of more layers do not lie on the grid"


def relu(z):
    return np.maximum(z, 0)


def fold(x):
    """One hidden layer of two ReLUs: up from 0 to 1 and down again, exactly."""
    return 2 * relu(x) - 4 * relu(x - 0.5)


def pieces(y):
    """Count the straight pieces of values on the grid."""
    return int(np.count_nonzero(np.diff(np.diff(y)))) + 1


def one_layer(units, rng):
    """A single hidden layer whose units each bend the line at a place of their own."""
    knots = rng.choice(np.arange(1, GRID.size - 1), units, replace=False) / 2**14
    weights = rng.choice([-1, 1], units)  # no slope change is zero, so no bend is lost
    return sum(w * relu(GRID - knot) for w, knot in zip(weights, knots))


def random_deep(layers, width, rng):
    """Count the pieces along the grid of a random network, by which of its units are active."""
    values, active = GRID[:, None], []
    for _ in range(layers):
        w = rng.normal(size=(values.shape[1], width)) * np.sqrt(2 / values.shape[1])
        values = relu(values @ w + 0.1 * rng.normal(size=width))
        active.append(values > 0)
    return int(np.diff(np.hstack(active), axis=0).any(axis=1).sum()) + 1


rng = np.random.default_rng(SEED + 11)
y, deep, wide = GRID, [], []
print(f"{'layers':>6}{'units':>7}{'pieces folded':>15}{'pieces in one layer':>21}")
for layers in range(1, LAYERS + 1):
    y = fold(y)
    deep.append(pieces(y))
    wide.append(pieces(one_layer(2 * layers, rng)))
    print(f"{layers:6}{2 * layers:7}{deep[-1]:15}{wide[-1]:21}")
assert deep == [2**layers for layers in range(1, LAYERS + 1)]
same = pieces(one_layer(deep[-1] - 1, rng))  # as many pieces take a unit for every bend
assert same == deep[-1]

random_pieces = [random_deep(LAYERS, 2, rng) for _ in range(RUNS)]

print()
print("three layers, eight pieces")
curve = fold(fold(fold(GRID)))[:: 2**8]
for low in (0.75, 0.5, 0.25, 0):
    print("  " + "".join(" ▂▄▆█"[int(np.clip((v - low) * 16, 0, 4))] for v in curve))

print()
print(f"pieces_of_ten_layers: {deep[-1]}")
print(f"units_of_ten_layers: {2 * LAYERS}")
print(f"pieces_of_one_layer_with_as_many_units: {wide[-1]}")
print(f"units_one_layer_needs: {deep[-1] - 1}")
for name, value in zip(("p5", "median", "p95"), np.quantile(random_pieces, (0.05, 0.5, 0.95))):
    print(f"pieces_of_a_random_network_{name}: {value:.0f}")

print("\nchart: straight pieces of the function, by the number of layers")
print("  hidden layers of two units:", *range(1, LAYERS + 1))
print("  folded, layer on layer (log):", *deep)
print("  all units in one layer (log):", *wide)
print("  fa: تکه‌های خطی تابع، بسته به تعداد لایه‌ها; لایهٔ دوواحدی")
print("  fa: تاخورده، لایه روی لایه; همهٔ واحدها در یک لایه")
