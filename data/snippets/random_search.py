"""Where one hyperparameter matters most, random trials find what a grid of equal cost misses.

A grid of 4 by 4 tries four values of the parameter that matters, sixteen random trials sixteen.
The best place is moved about 4000 times, and the times that each search comes near are counted.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
SIDE, NEAR = 4, 0.9
PLACES = 4000  # parameter: 1000 to 20_000 places
TRIALS = SIDE**2
assert 0 < NEAR < 1, "the best possible score is 1"
rng = np.random.default_rng(SEED + 12)
side = (np.arange(SIDE) + 1 / 2) / SIDE
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(TRIALS, 2)


def score(points, best, width):
    """Return a bump of height 1; `width` says how far off each parameter may be."""
    return np.exp(-((((points - best) / width) ** 2).sum(axis=-1)))


def found(points, best, width):
    """Return how often the best of the trials comes near the best possible."""
    return np.mean(score(points, best[:, None], width).max(axis=1) > NEAR)


best = rng.uniform(size=(PLACES, 2))
trials = rng.uniform(size=(PLACES, TRIALS, 2))  # a new random search every time
shares = {}
print(f"{'allowed error of a, of b':28}{'grid':>7}{'random':>8}")
for width in ((0.1, 10), (0.1, 1), (0.3, 0.3)):
    shares[width] = found(grid, best, width), found(trials, best, width)
    print(f"{width!s:28}" + "{:7.3f}{:8.3f}".format(*shares[width]))

print()
print(f"the {TRIALS} trials of each, and below them the values of a that they try")
for name, points in (("grid", grid), ("random", trials[0])):
    canvas = np.full((8, 48), "·")
    canvas[(points[:, 1] * 8).astype(int), (points[:, 0] * 48).astype(int)] = "█"
    print(name)
    print("\n".join("  " + "".join(line) for line in canvas))
    print("  " + "".join("^" if mark else " " for mark in (canvas == "█").any(axis=0)))

print()
print(f"values_of_a_in_grid: {np.unique(grid[:, 0]).size}")
print(f"values_of_a_in_random: {np.unique(trials[0][:, 0]).size}")
print(f"found_by_grid: {shares[0.1, 10][0]:.4g}")
print(f"found_by_random: {shares[0.1, 10][1]:.4g}")
print(f"found_by_grid_when_both_matter: {shares[0.3, 0.3][0]:.4g}")
print(f"found_by_random_when_both_matter: {shares[0.3, 0.3][1]:.4g}")

print("\nchart: how often the best of 16 trials comes near the optimum")
print("  what matters: one parameter, one more than the other, both alike")
for name, values in zip(("grid", "random"), zip(*shares.values())):
    print(f"  {name}:", *(f"{value:.2f}" for value in values))
print("  fa: سهم دفعه‌هایی که بهترینِ ۱۶ آزمایش نزدیک بهینه است; پارامتر مهم")
print("  fa: یکی; یکی بیش از دیگری; هر دو یکسان; شبکه‌ای; تصادفی")
