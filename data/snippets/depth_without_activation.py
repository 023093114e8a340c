"""Without an activation function ten hidden layers are one affine map, and cannot learn XOR.

Random networks are run with and without ReLU; the best single affine map is then fitted to
their outputs, and what it leaves unexplained is measured. After that both kinds of network
are trained on XOR by gradient descent. Every figure is of all networks.
"""

from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
RUNS, WIDTH, ROWS = 200, 16, 400
LAYERS = 10  # parameter: 2 to 20 layers
STEPS, RATE, MOMENTUM = 350, 0.005, 0.9


def relu(z):
    return np.maximum(z, 0)


def identity(z):
    return z


def network(sizes, activation, rng):
    """Return weights and biases of RUNS networks; the first axis of each array is the run."""
    gain = 2 if activation is relu else 1  # so that values neither grow nor fade with depth
    return [
        (rng.normal(size=(RUNS, m, n)) * np.sqrt(gain / m), 0.1 * rng.normal(size=(RUNS, 1, n)))
        for m, n in pairwise(sizes)
    ]


def forward(layers, x, activation):
    """Return the values of every layer; the last one has no activation function."""
    values = [x]
    for w, b in layers[:-1]:
        values.append(activation(values[-1] @ w + b))
    w, b = layers[-1]
    return [*values, values[-1] @ w + b]


def unexplained(x, y):
    """Return the share of the variance of y that the best affine map of x leaves over."""
    columns = np.column_stack([x, np.ones(len(x))])
    rest = y - columns @ np.linalg.lstsq(columns, y)[0]
    return rest.var() / (y.var() or 1)


def trained(layers, x, y, activation):
    """Return each run's mean squared error after gradient descent with momentum."""
    speed = [(np.zeros_like(w), np.zeros_like(b)) for w, b in layers]
    for _ in range(STEPS):
        values = forward(layers, x, activation)
        delta = 2 * (values[-1] - y) / x.shape[1]
        for k in reversed(range(len(layers))):
            w, b = layers[k]
            steps = values[k].swapaxes(1, 2) @ delta, delta.sum(axis=1, keepdims=True)
            slope = values[k] > 0 if activation is relu else 1
            delta = delta @ w.swapaxes(1, 2) * slope
            speed[k] = tuple(
                MOMENTUM * v - RATE * np.clip(g, -1, 1) for v, g in zip(speed[k], steps)
            )
            layers[k] = tuple(p + v for p, v in zip((w, b), speed[k]))
    return ((forward(layers, x, activation)[-1] - y) ** 2).mean(axis=(1, 2))


def spread(values):
    return dict(zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))))


rng = np.random.default_rng(SEED)
x = rng.normal(size=(ROWS, 4))
corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float)
xor = np.array([[0], [1], [1], [0]], float)
kinds = {"without": identity, "with_relu": relu}

print("medians: share of variance beyond one affine map, and error on XOR")
print(f"{'hidden':>6}{'beyond, linear':>16}{'ReLU':>8}{'XOR, linear':>15}{'ReLU':>8}")
beyond, errors = {}, {}
deeper = {name: [] for name in kinds}
for depth in sorted({1, 3, LAYERS}):
    for name, activation in kinds.items():
        layers = network((4, *[WIDTH] * depth, 1), activation, rng)
        outputs = forward(layers, np.broadcast_to(x, (RUNS, *x.shape)), activation)[-1]
        beyond[name] = spread([unexplained(x, y) for y in outputs])
        deeper[name].append(beyond[name]["median"])
        layers = network((2, *[WIDTH] * depth, 1), activation, rng)
        errors[name] = spread(trained(layers, corners[None].repeat(RUNS, 0), xor, activation))
    print(f"{depth:6}{beyond['without']['median']:16.3f}{beyond['with_relu']['median']:8.3f}"
          f"{errors['without']['median']:15.3f}{errors['with_relu']['median']:8.3f}")  # fmt: skip

sizes = (4, *[WIDTH] * LAYERS, 1)
print()
print(f"weights_and_biases_of_the_layers: {sum((m + 1) * n for m, n in pairwise(sizes))}")
print(f"weights_and_biases_of_the_one_map: {sizes[0] + 1}")
for name in kinds:
    for which in ("p5", "median", "p95"):
        print(f"beyond_affine_{name}_{which}: {beyond[name][which]:.4f}")
for name in kinds:
    for which in ("p5", "median", "p95"):
        print(f"xor_error_{name}_{which}: {errors[name][which]:.4f}")

print("\nchart: share of the output that no single affine map explains")
print("  hidden layers:", *sorted({1, 3, LAYERS}))
for name, shares in zip(("without activation", "with ReLU"), deeper.values()):
    print(f"  {name}:", *(f"{share:.3f}" for share in shares))
print("  fa: سهمی از خروجی که هیچ نگاشت آفینی توضیح نمی‌دهد; لایهٔ پنهان")
print("  fa: بدون تابع فعال‌سازی; با ReLU")
