"""A model that nobody watches decays as the world turns; watched, it goes back to training.

A linear classifier is trained once. The rule that makes the labels turns a little each month;
one copy is left alone, the other is retrained when last month's labels show that it slipped.
"""

import numpy as np

MONTHS, REQUESTS, TURN, ALARM = 12, 4000, np.radians(8), 0.9
rng = np.random.default_rng(8)


def month(t):
    """Return the requests of a month and their labels, of which 2 % are mistaken."""
    x = rng.normal(size=(REQUESTS, 2))
    angle = t * TURN
    labels = np.sign(x @ np.array([np.cos(angle), np.sin(angle)]))
    return x, labels * np.where(rng.random(REQUESTS) < 0.02, -1, 1)


def fit(x, labels):
    """Return the weights that least squares gives for labels of -1 and 1."""
    return np.linalg.solve(x.T @ x, x.T @ labels)


def accuracy(weights, x, labels):
    return np.mean(np.sign(x @ weights) == labels)


frozen = watched = fit(*month(0))
left_alone, kept, retrained = [], [], []
for t in range(1, MONTHS + 1):
    x, labels = month(t)
    left_alone.append(accuracy(frozen, x, labels))
    kept.append(accuracy(watched, x, labels))  # known only when the labels have come in
    retrained.append(kept[-1] < ALARM)
    if retrained[-1]:
        watched = fit(x, labels)
assert left_alone[-1] < 0.6 and min(kept) > 0.8

print(f"{'month':>5}  {'left alone':32}  {'watched':28}")
for t, (alone, well, again) in enumerate(zip(left_alone, kept, retrained), 1):
    bars = [f"{'█' * round(20 * value):20} {value:.3f}" for value in (alone, well)]
    print(f"{t:5}  {bars[0]:32}  {bars[1]}{' ↻' if again else ''}")

print()
print(f"first_month_accuracy: {left_alone[0]:.4g}")
print(f"last_month_accuracy_left_alone: {left_alone[-1]:.4g}")
print(f"last_month_accuracy_watched: {kept[-1]:.4g}")
print(f"worst_accuracy_watched: {min(kept):.4g}")
print(f"retrainings: {sum(retrained)}")
