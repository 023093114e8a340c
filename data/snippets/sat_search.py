"""Clauses of two literals need no backtracking; clauses of three do, as far as is known.

In 2-SAT a choice that meets no contradiction is never taken back, so n variables need at
most 2 n trials. A search for 3-SAT goes back most where solvable turns into unsolvable.
"""

import numpy as np


def random_clauses(rng, n, m, size):
    """m clauses of distinct variables: their indices, and +1 or -1 for the literals."""
    variables = rng.random((m, n)).argsort(axis=1)[:, :size]
    return variables, rng.choice([-1, 1], size=(m, size))


def propagate(values, clauses):
    """Set what clauses with one open literal force; None on a contradiction."""
    variables, signs = clauses
    while True:
        literals = values[variables] * signs  # +1 true, -1 false, 0 open
        unmet = literals.max(axis=1) < 1
        opened = (literals == 0).sum(axis=1)
        if (unmet & (opened == 0)).any():
            return None
        forced = unmet & (opened == 1)
        if not forced.any():
            return values
        place = forced[:, None] & (literals == 0)
        values = values.copy()
        values[variables[place]] = signs[place]  # two that disagree show in the next round


def solves(values, clauses):
    """Whether every clause has a true literal."""
    return (values[clauses[0]] * clauses[1] == 1).any(axis=1).all()


def backtrack(values, clauses):
    """Return a solution or None, and the trials made: the search tree's nodes (DPLL)."""
    values, trials = propagate(values, clauses), 1
    if values is None or solves(values, clauses):  # what is still open may be anything
        return values, trials
    choice = (values == 0).argmax()
    for value in (1, -1):
        child = values.copy()
        child[choice] = value
        found, more = backtrack(child, clauses)
        trials += more
        if found is not None:
            return found, trials
    return None, trials


def two_sat(n, clauses):
    """The same trials without a way back, which is enough for clauses of two literals."""
    values, trials = np.zeros(n, dtype=int), 0
    for choice in range(n):
        if values[choice]:
            continue
        for value in (1, -1):
            child = values.copy()
            child[choice] = value
            found, trials = propagate(child, clauses), trials + 1
            if found is not None:
                break
        else:
            return None, trials
        values = found
    return values, trials


def three_sat(n, ratio, runs=16):
    """Return the mean trials of random formulas, and the share that has a solution."""
    trials, solvable = [], 0
    for seed in range(runs):
        clauses = random_clauses(np.random.default_rng([n, seed]), n, round(ratio * n), 3)
        found, count = backtrack(np.zeros(n, dtype=int), clauses)
        assert found is None or solves(found, clauses)
        trials.append(count)
        solvable += found is not None
    return np.mean(trials), solvable / runs


most = 0  # trials per variable of 2-SAT, on formulas of as many clauses as variables
for n in (10, 50, 250):
    for seed in range(10):
        clauses = random_clauses(np.random.default_rng([n, seed, 2]), n, n, 2)
        found, count = two_sat(n, clauses)
        assert found is None or solves(found, clauses)
        if n == 10:
            assert (found is None) == (backtrack(np.zeros(n, dtype=int), clauses)[0] is None)
        most = max(most, count / n)
assert most <= 2

print("random 3-SAT of 30 variables: mean trials by clauses per variable")
by_ratio = {ratio: three_sat(30, ratio) for ratio in (2, 3, 4, 4.5, 5, 6, 8)}
for ratio, (trials, solvable) in by_ratio.items():
    print(f"{ratio:6g}{trials:8.1f}  {'#' * round(trials / 3):36}{solvable:5.0%} solvable")
sizes = (10, 20, 30, 40)
growth = [three_sat(n, 4.5)[0] for n in sizes]
print("\n4.5 clauses per variable")
for n, trials in zip(sizes, growth):
    print(f"{n:6} variables{trials:10.1f} trials")

print()
print(f"most_trials_per_variable_of_2_sat: {most:.4g}")
print(f"trials_of_3_sat_20_variables: {growth[1]:.4g}")
print(f"trials_of_3_sat_40_variables: {growth[3]:.4g}")
print(f"hardest_clauses_per_variable: {max(by_ratio, key=lambda r: by_ratio[r][0]):g}")
