"""On pure noise a leaking split reports a good model, and a clean one reports a coin toss.

The labels are random, so no model can do better than 0.5. What the model part reports depends
on the data part: on whether the test rows were looked at, and on whether copies cross the split.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
ROWS, KEPT, FOLDS, DATASETS = 50, 20, 5, 200
FEATURES = 1000  # parameter: 100 to 2000 features
PEOPLE, COPIES, SPREAD, TEST_PEOPLE = 50, 4, 0.1, 10
assert 1 < FOLDS <= ROWS // 2, "each fold should have rows of both labels"
assert 0 < TEST_PEOPLE < PEOPLE, "people are needed on both sides"


def strongest(x, labels):
    """Return the columns that go with the labels most."""
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    return np.argsort(-np.abs(labels @ x))[:KEPT]


def hits(x, labels, train, test):
    """Count the test rows that lie nearer to the training mean of their own class."""
    centres = np.stack([x[train][labels[train] == c].mean(axis=0) for c in (-1, 1)])
    distances = ((x[test][:, None] - centres) ** 2).sum(axis=-1)
    return np.sum(np.where(distances.argmin(axis=1), 1, -1) == labels[test])


def nearest_hits(x, labels, train, test):
    """Return the share of test rows whose nearest training row has their label."""
    lengths = (x[train] ** 2).sum(axis=1)
    distances = lengths - 2 * x[test] @ x[train].T  # but for a constant of each test row
    return np.mean(labels[train][distances.argmin(axis=1)] == labels[test])


def cross_validated(rng):
    """Accuracy with features chosen on all rows, and with features chosen in each fold."""
    x = rng.normal(size=(ROWS, FEATURES))
    labels = rng.permutation(np.where(np.arange(ROWS) % 2, 1, -1))
    by_label = np.argsort(labels, kind="stable")
    folds = [by_label[first::FOLDS] for first in range(FOLDS)]  # with equal shares of labels
    assert sorted(np.concatenate(folds)) == list(range(ROWS)), "each row is tested once"
    chosen_on_all = strongest(x, labels)  # the leak: test rows took part in the choice
    leaking = clean = 0
    for test in folds:
        train = np.setdiff1d(np.arange(ROWS), test)
        leaking += hits(x[:, chosen_on_all], labels, train, test)
        clean += hits(x[:, strongest(x[train], labels[train])], labels, train, test)
    return leaking / ROWS, clean / ROWS


def with_copies(rng):
    """Accuracy when rows are split, and when people are: each has nearly equal rows."""
    person = np.repeat(np.arange(PEOPLE), COPIES)
    labels = rng.choice([-1, 1], size=PEOPLE)[person]
    rows = rng.normal(size=(PEOPLE, 5))[person] + SPREAD * rng.normal(size=(len(person), 5))
    order = rng.permutation(len(person))
    across = nearest_hits(rows, labels, *np.split(order, [-TEST_PEOPLE * COPIES]))
    apart = np.isin(person, rng.permutation(PEOPLE)[:TEST_PEOPLE])  # whole people
    within = nearest_hits(rows, labels, np.flatnonzero(~apart), np.flatnonzero(apart))
    return across, within


rng = np.random.default_rng(SEED + 4)
runs = np.array([cross_validated(rng) + with_copies(rng) for _ in range(DATASETS)])
names = (
    "features_chosen_before_the_split",
    "features_chosen_in_each_fold",
    "rows_of_a_person_on_both_sides",
    "people_on_one_side_only",
)
scores = dict(zip(names, runs.T))

for name, score in scores.items():
    print(f"{name.replace('_', ' '):34}{'█' * round(30 * np.median(score))}")
print(f"{'what random labels allow':34}{'█' * 15}")
print(f"\n5th percentile, median and 95th of {DATASETS} data sets")
for name, score in scores.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(score, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.4g}")

print("\nchart: accuracy on labels that are pure noise; a guess reaches 0.5")
print("  split: features chosen on all rows, features chosen in each fold,")
print("  split: a person's rows on both sides, people on one side only")
print("  accuracy:", *(f"{np.median(score):.2f}" for score in scores.values()))
print("  fa: درستی روی برچسب‌های تصادفی؛ حدس به ۰٫۵ می‌رسد; تقسیم")
print("  fa: گزینش ویژگی با همهٔ سطرها; گزینش در هر نوبت")
print("  fa: یک نفر در هر دو سو; هر نفر در یک سو; درستی")
