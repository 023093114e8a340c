"""Overflow, cancellation, ill-conditioning and long products ruin a computation.

Each failure stands beside its cure: shift, two passes, a little damping, orthogonal
layers. Fewer bits are no cure: the last figure compares float16 with float32.
"""

import numpy as np


def softmax(scores):
    """Softmax as the textbook writes it."""
    powers = np.exp(scores)
    return powers / powers.sum()


def one_pass_variance(x):
    """E[x^2] - E[x]^2: a small difference of two large numbers."""
    return (x**2).mean() - x.mean() ** 2


def depth_100_norm(jacobians):
    """The norm of a gradient that passed through every one of the Jacobians."""
    gradient = np.ones(jacobians.shape[-1]) / np.sqrt(jacobians.shape[-1])
    for jacobian in jacobians:
        gradient = jacobian @ gradient
    return np.linalg.norm(gradient)


rng = np.random.default_rng(2)

scores = np.array([1000.0, 999.0, 998.0])
with np.errstate(over="ignore", invalid="ignore"):
    naive = softmax(scores)
    naive_logsumexp = np.log(np.exp(scores).sum())
shifted = softmax(scores - scores.max())  # softmax does not change under a shift
logsumexp = scores.max() + np.log(np.exp(scores - scores.max()).sum())
assert np.isinf(naive_logsumexp) and np.isclose(shifted.sum(), 1)
print("softmax of 1000, 999, 998:", naive, "shifted:", shifted.round(3))

print("\nvariance of 10000 numbers near an offset: relative error")
print(f"{'offset':>10}{'E[x^2]-E[x]^2':>16}{'E[(x-mean)^2]':>16}")
noise = rng.normal(size=10_000)
for offset in (1e0, 1e4, 1e6, 1e8):
    x = offset + noise
    errors = [abs(v / noise.var() - 1) for v in (one_pass_variance(x), x.var())]
    print(f"{offset:10.0e}{errors[0]:16.1e}{errors[1]:16.1e}")
assert errors[0] > 0.1 and errors[1] < 1e-6

print("\nsolving the Hilbert system whose solution is all ones")
print(f"{'n':>10}{'condition':>16}{'error':>16}{'+ 1e-10 I':>16}")
for n in (4, 8, 12):
    hilbert = 1 / (1 + np.add.outer(np.arange(n), np.arange(n)))
    condition = np.linalg.cond(hilbert)
    solutions = [
        np.linalg.solve(hilbert + damping * np.eye(n), hilbert.sum(axis=1))
        for damping in (0, 1e-10)
    ]
    solve_error, damped_error = np.abs(np.subtract(solutions, 1)).max(axis=1)
    print(f"{n:10}{condition:16.1e}{solve_error:16.1e}{damped_error:16.1e}")
assert damped_error < 1e-3 < solve_error

layers = rng.normal(size=(100, 64, 64)) / 8  # 1 / sqrt(width) keeps the expected norm
vanishing, exploding = depth_100_norm(0.8 * layers), depth_100_norm(1.2 * layers)
kept = depth_100_norm(np.linalg.qr(layers).Q)  # orthogonal matrices keep every norm
assert vanishing < 1e-6 and exploding > 1e6 and np.isclose(kept, 1)

x, y = rng.random((2, 100, 1000))
truth = (x * y).sum(axis=1)
half, single = (
    np.abs((x.astype(t) * y.astype(t)).sum(axis=1) / truth - 1).mean() for t in ("f2", "f4")
)
print()
print(f"naive_softmax_nans: {np.isnan(naive).sum()}")
print(f"stable_logsumexp: {logsumexp:.8g}")
print(f"one_pass_variance_error: {errors[0]:.3g}")
print(f"hilbert_12_error: {solve_error:.2g}")
print(f"hilbert_12_error_damped: {damped_error:.2g}")
print(f"gradient_norm_gain_0_8: {vanishing:.3g}")
print(f"gradient_norm_gain_1_2: {exploding:.3g}")
print(f"gradient_norm_orthogonal: {kept:.6g}")
print(f"float16_error_over_float32_error: {half / single:.3g}")
