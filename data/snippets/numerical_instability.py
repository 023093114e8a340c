"""Overflow, underflow, cancellation and ill-conditioning ruin a computation.

Each stands beside its cure: a shift by the maximum, a logarithm taken before the exponential,
two passes, a little damping. More bits only move the place where it breaks.
"""

from fractions import Fraction

import numpy as np


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
    return table[:, -1]


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

print("\nvariance of 10000 numbers near an offset: relative error")
print(f"{'offset':>10}{'E[x^2]-E[x]^2':>16}{'E[(x-mean)^2]':>16}")
noise = np.random.default_rng(2).normal(size=10_000)
for offset in (1e0, 1e4, 1e6, 1e8):
    x = offset + noise
    errors = [abs(v / noise.var() - 1) for v in (one_pass_variance(x), x.var())]
    print(f"{offset:10.0e}{errors[0]:16.1e}{errors[1]:16.0e}")
assert errors[0] > 0.1 and errors[1] < 1e-6

# With fractions no step rounds: what moves is the solution of the system itself.
print("\nthe Hilbert system of the solution 1, ..., 1; right side in float64")
print(f"{'n':>10}{'condition':>16}{'exact answer':>16}{'+ 1e-10 I':>16}")
for n in (4, 8, 12):
    hilbert = np.array([[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)])
    right = np.array([Fraction(float(b)) for b in hilbert.sum(axis=1)])
    damped = hilbert + np.diag([Fraction(1, 10**10)] * n)
    moved, kept = (float(np.abs(solve(m, right) - 1).max()) for m in (hilbert, damped))
    plain = hilbert.astype(float)
    print(f"{n:10}{np.linalg.cond(plain):16.0e}{moved:16.1e}{kept:16.1e}")
assert kept < 1e-3 < moved
noise = np.random.default_rng(3).normal(size=plain.shape) * 1e-6
noise = noise + noise.T
shift = np.abs(np.linalg.eigvalsh(plain + noise) - np.linalg.eigvalsh(plain)).max()
shift_over_noise = shift / np.linalg.norm(noise, 2)
assert shift_over_noise <= 1  # Weyl: a symmetric matrix's eigenvalues move no further

print()
print(f"naive_softmax_losses_lost: {np.sum(~np.isfinite(list(naive.values())))}")
print(f"fused_softmax_losses_lost: {np.sum(~np.isfinite(list(fused.values())))}")
print(f"fused_loss_of_1000_999_998: {fused['1000, 999, 998', np.float64]:.6g}")
for t, at in largest.items():
    print(f"largest_whole_exponent_{t.__name__}: {at}")
print(f"one_pass_variance_error: {errors[0]:.3g}")
print(f"hilbert_12_exact_change: {moved:.3g}")
print(f"hilbert_12_exact_change_damped: {kept:.3g}")
print(f"eigenvalue_shift_over_noise: {shift_over_noise:.3g}")
