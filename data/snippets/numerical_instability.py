"""Overflow, underflow, cancellation and ill-conditioning ruin a computation.

Each stands beside its cure: a shift by the maximum, a logarithm taken before the exponential,
two passes, a little damping (for a smooth solution). More bits only move the place where it
breaks.
"""

from fractions import Fraction

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DAMPING = Fraction(1, 10**10)  # added to the diagonal of an ill-conditioned matrix
NOISE, SEEDS = 1e-6, 200  # a random symmetric change of that matrix; draws of it and of signs
CORNER = 1e-12  # a change of a matrix whose eigenvectors are nearly dependent
assert DAMPING > 0 and NOISE > 0 and CORNER > 0 and SEEDS > 0, "a change is not zero"


def softmax(scores):
    """Softmax as the textbook writes it."""
    powers = np.exp(scores)
    return powers / powers.sum()


def log_softmax(scores):
    """The logarithm of softmax, with no exponential above 1 and no logarithm below 0."""
    shifted = scores - scores.max()
    return shifted - np.log(np.exp(shifted).sum())


def one_pass_variance(x):
    """E[x^2] - E[x]^2: a small difference of two large numbers."""
    total, squares = np.add.accumulate([x, x**2], axis=1)[:, -1] / len(x)
    return squares - total**2


def solve(matrix, right):
    """Gauss-Jordan elimination with pivots, in the arithmetic of what is passed in."""
    table = np.column_stack([matrix, right])
    for k in range(len(table)):
        pivot = k + np.abs(table[k:, k]).argmax()
        table[[k, pivot]] = table[[pivot, k]]
        table[k] = table[k] / table[k, k]
        others = np.arange(len(table)) != k
        table[others] = table[others] - table[others, k, None] * table[k]
    return table[:, len(table) :].reshape(right.shape)


scores = {"1000, 999, 998": [1000, 999, 998], "0, -200": [0, -200], "0, -1000": [0, -1000]}
print("cross-entropy of the last class: log(softmax) and log_softmax")
print(f"{'scores':>16}" + "".join(f"{t:>18}" for t in ("float16", "float32", "float64")))
naive, fused = {}, {}
for name, values in scores.items():
    for t in (np.float16, np.float32, np.float64):
        with np.errstate(all="ignore"):
            naive[name, t] = -np.log(softmax(np.array(values, dtype=t)))[-1]
        fused[name, t] = -log_softmax(np.array(values, dtype=t))[-1]
    cells = (f"{naive[key]:8.4g}, {fused[key]:8.4g}" for key in fused if key[0] == name)
    print(f"{name:>16}" + "".join(cells))
assert np.isfinite(list(fused.values())).all()
largest = {}
for t in (np.float16, np.float32, np.float64):
    with np.errstate(over="ignore"):
        largest[t] = np.isfinite(np.exp(np.arange(1000).astype(t))).sum() - 1

print("\nvariance of 10000 even steps near an offset: relative error")
print(f"{'offset':>10}{'E[x^2]-E[x]^2':>16}{'E[(x-mean)^2]':>16}")
spread = np.linspace(-1, 1, 10_000)
for offset in (1e0, 1e4, 1e6, 1e8):
    x = offset + spread
    errors = [abs(v / spread.var() - 1) for v in (one_pass_variance(x), x.var())]
    print(f"{offset:10.0e}{errors[0]:16.1e}{errors[1]:16.0e}")
assert errors[0] > 0.1 and errors[1] < 1e-6

# With fractions no step rounds: what moves is the solution of the system itself.
print("\nthe Hilbert system of the solution 1, ..., 1: change of the exact")
print("solution when the right side is rounded to float64; error by damping")
print(f"{'n':>6}{'condition':>14}{'as it is':>14}{'damped':>14}{'bias':>14}")
for n in (4, 8, 12):
    hilbert = np.array([[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)])
    right = hilbert.sum(axis=1)
    rounded = np.array([Fraction(float(b)) for b in right])
    damped = hilbert + np.diag([Fraction(DAMPING)] * n)
    (plain_answer, moved), (damped_answer, kept) = (
        (solve(m, right), solve(m, rounded)) for m in (hilbert, damped)
    )
    moved, kept, bias = (
        float(np.abs(away).max())
        for away in (moved - plain_answer, kept - damped_answer, damped_answer - 1)
    )
    plain = hilbert.astype(float)
    print(f"{n:6}{np.linalg.cond(plain):14.0e}{moved:14.1e}{kept:14.1e}{bias:14.1e}")
assert (plain_answer == 1).all() and kept < moved

# That solution is smooth. One of random signs has a share in every direction that is damped.
signs = [np.random.default_rng(SEED + seed).choice([-1, 1], n) for seed in range(SEEDS)]
signs = np.array(signs).T * Fraction(1)  # a column a draw
rounded = np.array([[Fraction(float(b)) for b in row] for row in hilbert @ signs])
rough = {
    "change": np.abs(solve(hilbert, rounded) - signs).max(axis=0).astype(float),
    "bias": np.abs(solve(damped, hilbert @ signs) - signs).max(axis=0).astype(float),
}

# Hard to invert is not sensitive eigenvalues: these hardly move, in the Hilbert matrix.
shift_over_noise = []
for seed in range(SEEDS):
    noise = np.random.default_rng(SEED + seed).normal(size=plain.shape) * NOISE
    noise = noise + noise.T
    shift = np.abs(np.linalg.eigvalsh(plain + noise) - np.linalg.eigvalsh(plain)).max()
    shift_over_noise.append(shift / np.linalg.norm(noise, 2))
assert max(shift_over_noise) < 1 + 1e-6, "Weyl: no further than the norm, if above rounding"
# And these move far, though this matrix is easy to invert.
bent = np.eye(12) + np.eye(12, k=1)
condition = np.linalg.cond(bent)
bent[-1, 0] = CORNER
bent_shift = np.abs(np.linalg.eigvals(bent) - 1).max()

print()
print(f"naive_softmax_losses_lost: {np.sum(~np.isfinite(list(naive.values())))}")
print(f"fused_softmax_losses_lost: {np.sum(~np.isfinite(list(fused.values())))}")
print(f"fused_loss_of_1000_999_998: {fused['1000, 999, 998', np.float64]:.6g}")
for t, at in largest.items():
    print(f"largest_whole_exponent_{t.__name__}: {at}")
print(f"one_pass_variance_error: {errors[0]:.3g}")
print(f"hilbert_12_exact_change: {moved:.3g}")
print(f"hilbert_12_exact_change_damped: {kept:.3g}")
print(f"hilbert_12_bias_of_damping: {bias:.3g}")
for name, values in {
    "random_signs_exact_change": rough["change"],
    "random_signs_bias_of_damping": rough["bias"],
    "random_signs_bias_over_change": rough["bias"] / rough["change"],
    "eigenvalue_shift_over_noise": shift_over_noise,
}.items():
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")
print(f"condition_of_the_bent_matrix: {condition:.3g}")
print(f"eigenvalue_shift_of_the_bent_matrix: {bent_shift:.2g}")
