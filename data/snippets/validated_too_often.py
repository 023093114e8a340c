"""The best of many models looks good on the data that chose it, even if all of them guess.

Every model here tosses coins, so each is right half of the time. The more of them are tried,
the better the winner's validation accuracy; on a test set kept for the end it is a coin again.
"""

import numpy as np

ROWS, TRIALS, REPEATS = 200, (1, 10, 100, 1000), 20
rng = np.random.default_rng(10)

winner = {tried: [] for tried in TRIALS}
for _ in range(REPEATS):
    labels = rng.integers(0, 2, size=2 * ROWS, dtype=np.uint8)
    guesses = rng.integers(0, 2, size=(max(TRIALS), 2 * ROWS), dtype=np.uint8)
    right = (guesses == labels).reshape(-1, 2, ROWS).sum(axis=2)  # in validation, in test
    for tried in TRIALS:
        winner[tried].append(right[right[:tried, 0].argmax()])

print(f"{'tried':>6}{'validation':>12}{'test':>8}   winner on validation, and on test")
scores = {}
for tried in TRIALS:
    scores[tried] = np.sum(winner[tried], axis=0) / (REPEATS * ROWS)
    validation, test = scores[tried]
    bars = ["▒" * round(60 * score) for score in (validation, test)]
    print(f"{tried:6}{validation:12.3f}{test:8.3f}   {bars[0]}")
    print(f"{'':26}   {bars[1].replace('▒', '█')}")
    assert abs(test - 0.5) < 0.03
assert (np.diff([scores[tried][0] for tried in TRIALS]) > 0).all()

# Accuracy alone: with one positive in a hundred, a model that never says yes looks excellent.
positive = np.arange(10_000) % 100 == 0
never, keen = np.zeros_like(positive), positive | (rng.random(positive.size) < 0.05)
print()
print(f"{'':16}{'accuracy':>9}{'recall':>8}{'balanced':>10}")
table = {}
for name, says_yes in (("never yes", never), ("finds them all", keen)):
    recall = np.mean(says_yes[positive])
    balanced = (recall + np.mean(~says_yes[~positive])) / 2
    table[name] = np.mean(says_yes == positive), recall, balanced
    print(f"{name:16}" + "".join(f"{v:{w}.3f}" for v, w in zip(table[name], (9, 8, 10))))
assert table["never yes"][0] > table["finds them all"][0]

print()
print(f"validation_accuracy_of_the_best_of_1000: {scores[1000][0]:.4g}")
print(f"test_accuracy_of_the_best_of_1000: {scores[1000][1]:.4g}")
print(f"accuracy_of_never_yes: {table['never yes'][0]:.4g}")
print(f"recall_of_never_yes: {table['never yes'][1]:.4g}")
print(f"accuracy_of_finding_them_all: {table['finds them all'][0]:.4g}")
