"""A model that nobody watches decays as the world turns; watched, it goes back to training.

A linear classifier is trained once. The rule that makes the labels turns by an assumed angle
each month; one copy is left alone, the other is retrained when last month's labels show that
it slipped. The first of the years is drawn, the figures are of all of them.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
MONTHS, TURN, ALARM, RUNS = 12, np.radians(8), 0.9, 200
REQUESTS = 2000  # parameter: 500 to 10_000 requests a month


def month(t, rng):
    """Return the requests of a month and their labels, of which 2 % are mistaken."""
    x = rng.normal(size=(REQUESTS, 2))
    angle = t * TURN
    labels = np.sign(x @ np.array([np.cos(angle), np.sin(angle)]))
    return x, labels * np.where(rng.random(REQUESTS) < 0.02, -1, 1)


def fit(x, labels):
    """Return the weights that least squares gives for labels of -1 and 1."""
    return np.linalg.lstsq(x, labels)[0]


def accuracy(weights, x, labels):
    return np.mean(np.sign(x @ weights) == labels)


def year(rng):
    """Return month by month both accuracies and whether the watched copy was retrained."""
    frozen = watched = fit(*month(0, rng))
    left_alone, kept, retrained = [], [], []
    for t in range(1, MONTHS + 1):
        x, labels = month(t, rng)
        left_alone.append(accuracy(frozen, x, labels))
        kept.append(accuracy(watched, x, labels))  # known only when the labels have come in
        retrained.append(kept[-1] < ALARM)
        if retrained[-1]:
            watched = fit(x, labels)
    return left_alone, kept, retrained


years = [year(np.random.default_rng(SEED + seed)) for seed in range(RUNS)]

print(f"{'month':>5}  {'left alone':32}  {'watched':28}")
for t, (alone, well, again) in enumerate(zip(*years[0]), 1):
    bars = [f"{'█' * round(20 * value):20} {value:.3f}" for value in (alone, well)]
    print(f"{t:5}  {bars[0]:32}  {bars[1]}{' ↻' if again else ''}")

figures = {
    "first_month_accuracy": [alone[0] for alone, _, _ in years],
    "last_month_accuracy_left_alone": [alone[-1] for alone, _, _ in years],
    "last_month_accuracy_watched": [kept[-1] for _, kept, _ in years],
    "worst_accuracy_watched": [min(kept) for _, kept, _ in years],
    "retrainings": [sum(retrained) for _, _, retrained in years],
}
print()
for name, values in figures.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.3g}")

alone, watched, _ = years[0]
print("\nchart: accuracy month by month, while the world turns")
print("  month:", *range(1, MONTHS + 1))
print("  untouched:", *(f"{value:.2f}" for value in alone))
print("  watched:", *(f"{value:.2f}" for value in watched))
print("  fa: درستی ماه‌به‌ماه، در دنیایی که تغییر می‌کند")
print("  fa: ماه; مدل رهاشده; مدل پایش‌شده")
