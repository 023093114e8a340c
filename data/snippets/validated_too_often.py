"""The best of many models looks good on the data that chose it, even if all of them guess.

Every model here tosses coins, so each is right half of the time. The more of them are tried,
the better the winner's validation accuracy; on a test set kept for the end it is a coin again.
Below, a fitted model shows how little accuracy tells where one example in a hundred is positive.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
TRIALS, RUNS = (1, 10, 100, 1000), 200
ROWS = 200  # parameter: 50 to 1000 rows
EXAMPLES, RARE, APART, NEWTON = 10_000, 100, 1.5, 12  # one example in RARE is positive
assert EXAMPLES >= RARE > 1, "some examples are positive, and some are not"


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.4g}")


winner = {tried: [] for tried in TRIALS}
for seed in range(RUNS):
    rng = np.random.default_rng(SEED + seed)
    labels = rng.integers(0, 2, size=2 * ROWS, dtype=np.uint8)
    guesses = rng.integers(0, 2, size=(max(TRIALS), 2 * ROWS), dtype=np.uint8)
    right = (guesses == labels).reshape(-1, 2, ROWS).mean(axis=2)  # in validation, in test
    for tried in TRIALS:
        winner[tried].append(right[right[:tried, 0].argmax()])

print(f"{'tried':>6}{'validation':>12}{'test':>8}   winner on validation, and on test")
for tried in TRIALS:
    validation, test = np.median(winner[tried], axis=0)
    bars = ["▒" * round(60 * score) for score in (validation, test)]
    print(f"{tried:6}{validation:12.3f}{test:8.3f}   {bars[0]}")
    print(f"{'':26}   {bars[1].replace('▒', '█')}")


def examples(rng, positive):
    """Two features that are larger by APART in the positives, and a column of ones."""
    features = rng.normal(size=(positive.size, 2)) + APART * positive[:, None]
    return np.column_stack([features, np.ones(positive.size)])


def fit(x, positive):
    """Logistic regression by Newton's method, with a little ridge."""
    w = np.zeros(x.shape[1])
    for _ in range(NEWTON):
        p = 0.5 + 0.5 * np.tanh(x @ w / 2)
        curvature = x.T @ (x * (p * (1 - p))[:, None]) + 1e-3 * np.eye(len(w))
        w -= np.linalg.solve(curvature, x.T @ (p - positive) + 1e-3 * w)
    return w


positive = np.arange(EXAMPLES) % RARE == 0
table = {"never yes": [], "yes if p > 1/2": [], "yes if p is above the share": []}
for seed in range(RUNS):
    rng = np.random.default_rng(SEED + seed)
    w = fit(examples(rng, positive), positive)
    score = examples(rng, positive) @ w  # fresh examples
    share = np.log(positive.mean() / (1 - positive.mean()))  # as log odds, like the score
    for name, bar in zip(table, (np.inf, 0, share)):
        yes = score > bar
        recall = np.mean(yes[positive])
        balanced = (recall + np.mean(~yes[~positive])) / 2
        table[name].append((np.mean(yes == positive), recall, balanced))

print(f"\none positive in {RARE}; a fitted model on fresh examples")
print(f"{'':28}{'accuracy':>9}{'recall':>8}{'balanced':>10}")
for name, runs in table.items():
    print(f"{name:28}{{:9.3f}}{{:8.3f}}{{:10.3f}}".format(*np.median(runs, axis=0)))

print(f"\n{RUNS} runs each")
most = max(TRIALS)
tell("validation_accuracy_of_the_best", [validation for validation, _ in winner[most]])
tell("test_accuracy_of_the_best", [test for _, test in winner[most]])
for name, runs in zip(("at_one_half", "at_the_share"), list(table.values())[1:]):
    tell(f"accuracy_{name}", [accuracy for accuracy, *_ in runs])
    tell(f"recall_{name}", [recall for _, recall, _ in runs])

print("\nchart: accuracy of the winner among models that toss coins")
print("  models tried (log):", *TRIALS)
for name, column in (("where it was chosen", 0), ("on a fresh test set", 1)):
    middle = (np.median(winner[tried], axis=0)[column] for tried in TRIALS)
    print(f"  {name}:", *(f"{value:.3f}" for value in middle))
print("  fa: درستی برنده میان مدل‌هایی که سکه می‌اندازند; مدل‌های آزموده‌شده")
print("  fa: روی دادهٔ گزینش; روی دادهٔ آزمون جدا")
