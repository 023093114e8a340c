"""A feature made by hand lets a linear model solve what raw inputs keep from it.

Three tasks, each learned by least squares from raw inputs, then with one thing known about the
task put in as a feature. On XOR, four hidden ReLUs make a feature that works as well.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000

rng = np.random.default_rng(SEED + 9)


def accuracy(features, labels):
    """Fit labels of -1 and 1 on the first half and return the accuracy on the second."""
    half = len(labels) // 2
    features = np.column_stack([features, np.ones(len(labels))])
    weights, *_ = np.linalg.lstsq(features[:half], labels[:half])
    return np.mean(np.sign(features[half:] @ weights) == labels[half:])


def relu(z):
    return np.maximum(z, 0)


x = rng.uniform(-1, 1, size=(4000, 2))
xor = np.sign(x[:, 0] * x[:, 1])
ring = np.where((x**2).sum(axis=1) < 0.6, 1, -1)
hour = rng.uniform(0, 24, size=4000)
day = np.where((hour > 6) & (hour < 18), 1, -1)

# |a| = relu(a) + relu(-a), and |x1 + x2| - |x1 - x2| has the sign of x1 x2: a learnable feature
hidden = relu(x @ np.array([[1, -1, 1, -1], [1, -1, -1, 1]]))
by_relu = hidden @ np.array([1, 1, -1, -1])
assert (np.sign(by_relu) == xor).all()

clock = 2 * np.pi * hour / 24
tasks = {
    "xor": (xor, x, x[:, 0] * x[:, 1], "x1 x2"),
    "ring": (ring, x, (x**2).sum(axis=1), "x1^2 + x2^2"),
    "day": (day, hour, np.column_stack([np.sin(clock), np.cos(clock)]), "sin, cos of the hour"),
}

print(f"{'task':8}{'majority':>9}{'raw':>8}{'feature':>9}  feature")
results = {}
for name, (labels, raw, feature, words) in tasks.items():
    majority = max(np.mean(labels == 1), np.mean(labels == -1))
    results[name] = accuracy(raw, labels), accuracy(feature, labels)
    print(f"{name:8}{majority:9.3f}{results[name][0]:8.3f}{results[name][1]:9.3f}  {words}")
    assert results[name][0] < 0.8 < 0.95 < results[name][1]

print()
print("x1 x2 > 0 (█) cannot be cut off by any one line")
grid = np.linspace(-1, 1, 9)[:, None] * -np.linspace(-1, 1, 24)
for line in grid[grid.any(axis=1)]:
    print("  " + "".join("█" if value > 0 else "·" for value in line))

print()
for name, (raw, feature) in results.items():
    print(f"{name}_accuracy_raw: {raw:.3g}")
    print(f"{name}_accuracy_with_feature: {feature:.3g}")
print(f"xor_accuracy_with_four_relus: {accuracy(by_relu, xor):.3g}")

print("\nchart: accuracy of a linear model")
print("  task: sign of a product, inside a ring, day or night")
for name, values in zip(("raw inputs", "with the feature"), zip(*results.values())):
    print(f"  {name}:", *(f"{value:.2f}" for value in values))
print("  fa: درستی مدل خطی; مسئله; علامت حاصل‌ضرب; درون حلقه; روز یا شب")
print("  fa: ورودی خام; با ویژگی دست‌ساز")
