"""Epsilon keeps batch norm from dividing by zero; it adds no noise.

An example's output varies with the other rows of its batch, with eps and without. Eps caps
the factor 1 / sqrt(variance + eps), and is not negligible where the variance is as small.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
EPS = 1e-5
SEEDS = 200
ROWS = 32  # parameter: 4 to 512 rows


def batch_norm(x, eps=EPS):
    """Normalise each feature (column) over the batch (rows); x may hold several batches."""
    return (x - x.mean(axis=-2, keepdims=True)) / np.sqrt(x.var(axis=-2, keepdims=True) + eps)


def with_variance(x, variance):
    """Shift and scale a batch so that its features have exactly this variance."""
    return (x - x.mean(axis=0)) / x.std(axis=0) * np.sqrt(variance)


def company_stds(seed):
    """Spread of one example's output as the other rows change, with eps and without."""
    rng = np.random.default_rng(SEED + seed)
    example, companions = rng.normal(size=(1, 4)), rng.normal(size=(200, ROWS - 1, 4))
    batches = np.empty((200, ROWS, 4))
    batches[:, :1], batches[:, 1:] = example, companions
    return [batch_norm(batches, eps)[:, 0].std(axis=0).mean() for eps in (EPS, 0)]


rng = np.random.default_rng(SEED + 3)
batch = rng.normal(size=(ROWS, 4))

# Batch norm does regularise, but by the company an example keeps: the other rows.
stds = np.array([company_stds(seed) for seed in range(SEEDS)])
noise, difference = stds[:, 0], np.abs(stds[:, 0] / stds[:, 1] - 1).max()

print("std of the normalised output, which would be 1 if eps were negligible")
print(f"{'variance':>10}{'eps=1e-3':>12}{'eps=1e-5':>12}{'eps=1e-8':>12}")
epsilons = np.array([1e-3, 1e-5, 1e-8])
outputs = {}
for variance in (1e0, 1e-3, 1e-5, 1e-8):
    x = with_variance(batch, variance)
    stds = [batch_norm(x, eps).std(axis=0).mean() for eps in epsilons]
    print(f"{variance:10.0e}" + "".join(f"{std:12.4f}" for std in stds))
    assert np.allclose(stds, np.sqrt(variance / (variance + epsilons)))
    outputs[variance] = stds

constant = np.full((ROWS, 1), 3.0)  # a dead feature: every row the same
with np.errstate(invalid="ignore"):
    nans = np.isnan(batch_norm(constant, eps=0)).sum()
assert nans == ROWS and not batch_norm(constant).any()

cap_inside = 1 / np.sqrt(constant.var() + EPS)
cap_outside = 1 / (np.sqrt(constant.var()) + EPS)
assert np.isclose(cap_outside, cap_inside**2)  # outside the root, eps acts as eps^2
tiny = with_variance(batch, 1e-20)
factor = batch_norm(tiny).std() / tiny.std()
assert np.isclose(factor, cap_inside)
output_std = batch_norm(with_variance(batch, 1e-5)).std(axis=0).mean()

print()
print(f"noise_std_p5: {np.quantile(noise, 0.05):.6g}")
print(f"noise_std_median: {np.median(noise):.3g}")
print(f"noise_std_p95: {np.quantile(noise, 0.95):.6g}")
print(f"largest_difference_without_epsilon: {difference:.2g}")
print(f"output_std_at_variance_1e_5: {output_std:.6g}")
print(f"nans_without_epsilon: {nans}")
print(f"normalization_factor_at_tiny_variance: {factor:.6g}")
print(f"factor_with_eps_outside_the_root: {cap_outside:.6g}")
print(f"float16_eps_1e_8: {float(np.float16(1e-8)):g}")

print("\nchart: std of the normalised output; without eps it would be 1")
print("  variance of the input (log):", *sorted(outputs))
for eps, stds in zip(epsilons, zip(*(outputs[variance] for variance in sorted(outputs)))):
    print(f"  eps = {eps:g}:", *(f"{std:.3f}" for std in stds))
print("  fa: انحراف معیار خروجیِ نرمال‌شده؛ بدون اپسیلون ۱ می‌شد; واریانس ورودی")
print("  " + "; ".join(["fa: اپسیلون 0.001", "اپسیلون 10⁻⁵", "اپسیلون 10⁻⁸"]))
