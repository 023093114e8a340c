"""On pure noise a leaking split reports a good model, and a clean one reports a coin toss.

The labels are random, so no model can do better than 0.5. What the model part reports depends
on the data part: on whether the test rows were looked at, and on whether copies cross the split.
"""

import numpy as np

ROWS, FEATURES, KEPT, FOLDS, DATASETS = 50, 1000, 20, 5, 20


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
    """Count the test rows whose nearest training row has their label."""
    distances = ((x[test][:, None] - x[train]) ** 2).sum(axis=-1)
    return np.sum(labels[train][distances.argmin(axis=1)] == labels[test])


rng = np.random.default_rng(4)
leaking = clean = across = within = 0
for _ in range(DATASETS):
    x = rng.normal(size=(ROWS, FEATURES))
    labels = rng.permutation(np.repeat([-1, 1], ROWS // 2))
    chosen_on_all = strongest(x, labels)  # the leak: test rows took part in the choice
    for test in rng.permutation(ROWS).reshape(FOLDS, -1):
        train = np.setdiff1d(np.arange(ROWS), test)
        leaking += hits(x[:, chosen_on_all], labels, train, test)
        clean += hits(x[:, strongest(x[train], labels[train])], labels, train, test)

    # 50 people with four nearly equal rows each: one label, drawn at random, for a person
    person = np.repeat(np.arange(ROWS), 4)
    rows = rng.normal(size=(ROWS, 5))[person] + 0.1 * rng.normal(size=(person.size, 5))
    order = rng.permutation(person.size)
    across += nearest_hits(rows, labels[person], order[40:], order[:40])
    apart = np.isin(person, rng.permutation(ROWS)[:10])  # whole people go to the test
    within += nearest_hits(rows, labels[person], np.flatnonzero(~apart), np.flatnonzero(apart))

scores = {
    "features_chosen_before_the_split": leaking / (DATASETS * ROWS),
    "features_chosen_in_each_fold": clean / (DATASETS * ROWS),
    "rows_of_a_person_on_both_sides": across / (DATASETS * 40),
    "people_on_one_side_only": within / (DATASETS * 40),
}
assert min(leaking / ROWS, across / 40) > 0.8 * DATASETS
assert all(0.4 < scores[name] < 0.6 for name in list(scores)[1::2])

for name, score in scores.items():
    print(f"{name.replace('_', ' '):34}{'█' * round(30 * score)}")
print(f"{'what random labels allow':34}{'█' * 15}")
print()
for name, score in scores.items():
    print(f"{name}: {score:.4g}")
