"""Clauses of two literals need no backtracking; clauses of three do, as far as is known.

In 2-SAT a choice that meets no contradiction is never taken back, so n variables need at
most 2 n trials. A search for 3-SAT goes back most where solvable turns into unsolvable.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
# Drawn for each size and number of clauses: 200 would take longer than the 5 s a program may.
FORMULAS = 60
CLAUSES_OF_2, CLAUSES_OF_3 = 1, 4.5  # per variable: where solvable turns into unsolvable


def random_clauses(rng, n, m, size):
    """m clauses of distinct variables: their indices, and +1 or -1 for the literals."""
    variables = rng.random((m, n)).argsort(axis=1)[:, :size]
    signs = rng.choice([-1, 1], size=(m, size))
    return variables.T.copy(), signs.T.copy()  # a column for each clause


def propagate(values, clauses):
    """Set what clauses with one open literal force; None on a contradiction."""
    variables, signs = clauses
    all_false = -len(variables)
    while True:
        literals = values[variables] * signs  # +1 true, -1 false, 0 open
        sums = literals.sum(axis=0)
        lowest = sums.min()
        if lowest == all_false:
            return None
        if lowest > all_false + 1:
            return values
        place = (sums == all_false + 1) & (literals == 0)  # all others of the clause are false
        values = values.copy()
        values[variables[place]] = signs[place]  # two that disagree show in the next round


def solves(values, clauses):
    """Whether every clause has a true literal."""
    return (values[clauses[0]] * clauses[1] == 1).any(axis=0).all()


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


def two_sat_trials(n):
    """Return the trials of random formulas, CLAUSES_OF_2 clauses per variable."""
    trials = []
    for seed in range(FORMULAS):
        rng = np.random.default_rng([n, SEED + seed, 2])
        clauses = random_clauses(rng, n, round(CLAUSES_OF_2 * n), 2)
        found, count = two_sat(n, clauses)
        assert found is None or solves(found, clauses)
        assert count <= 2 * n
        if n <= 10:
            assert (found is None) == (backtrack(np.zeros(n, dtype=int), clauses)[0] is None)
        trials.append(count)
    return np.array(trials)


def three_sat_trials(n, ratio):
    """Return the trials of random formulas, and the share that has a solution."""
    trials, solvable = [], 0
    for seed in range(FORMULAS):
        clauses = random_clauses(np.random.default_rng([n, SEED + seed]), n, round(ratio * n), 3)
        found, count = backtrack(np.zeros(n, dtype=int), clauses)
        assert found is None or solves(found, clauses)
        trials.append(count)
        solvable += found is not None
    return np.array(trials), solvable / FORMULAS


def spread(values):
    """The median, and in brackets the range."""
    return f"{np.median(values):g} ({values.min()} to {values.max()})"


print(f"Median trials of {FORMULAS} random formulas (range)")
print(f"\n2-SAT, clauses per variable: {CLAUSES_OF_2:g}")
easy = {n: two_sat_trials(n) for n in (10, 50, 250)}
for n, trials in easy.items():
    print(f"{n:6} variables   {spread(trials)}")

print(f"\n3-SAT, clauses per variable: {CLAUSES_OF_3:g}")
hard = {n: three_sat_trials(n, CLAUSES_OF_3) for n in (10, 20, 30, 40)}
for n, (trials, _) in hard.items():
    print(f"{n:6} variables   {spread(trials)}")

print("\n3-SAT of 20 variables, by clauses per variable")
by_ratio = {CLAUSES_OF_3: hard[20]}
by_ratio |= {r: three_sat_trials(20, r) for r in (2, 3, 4, 5, 6, 8) if r != CLAUSES_OF_3}
for ratio, (trials, solvable) in sorted(by_ratio.items()):
    print(f"{ratio:6g}   {spread(trials):16}{solvable:8.0%} solvable")

print()
for name, trials in (
    ("2_sat_250_variables", easy[250]),
    ("3_sat_20_variables", hard[20][0]),
    ("3_sat_40_variables", hard[40][0]),
):
    print(f"trials_of_{name}_p5: {np.quantile(trials, 0.05):.6g}")
    print(f"trials_of_{name}_median: {np.median(trials):g}")
    print(f"trials_of_{name}_p95: {np.quantile(trials, 0.95):.6g}")

print("\nchart: trials until a formula is decided, by its variables")
print("  variables:", *hard)
easy = [two_sat_trials(n) for n in hard]
print("  clauses of three (log):", *(f"{np.median(n):g}" for n, _ in hard.values()))
print("  clauses of two (log):", *(f"{np.median(n):g}" for n in easy))
print("  fa: تعداد آزمایش تا تعیین صدق‌پذیری فرمول، بسته به تعداد متغیر; متغیر")
print("  fa: بندهای سه‌تایی; بندهای دوتایی")
