"""In half precision a matrix chain loses digits and overflows: it gets less stable, not more.

The same random chains are multiplied with every operation rounded to float16, float32 or
float64. Scaling by powers of two cures the range, wider sums cure part of the rounding.
"""

from itertools import accumulate

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
DRAWS = 60  # chains, and not 200, which would take longer than the 5 s a program may
LENGTH = 64  # factors of a chain, each WIDTH x WIDTH
WIDTH = 32  # parameter: 8 to 64 rows and columns
STEPS = (2, 4, 8, 16)  # numbers of factors whose error is measured
SHOWN = 8  # the one of them whose figures are printed at the end


def multiply(left, right, sums=None):
    """left @ right, added up strictly one product after the other in the type of sums.

    Written out because @ is free to add up in a wider type and in any order; that does not
    matter in float64, by which the others are measured.
    """
    if left.dtype == np.float64:
        return left @ right
    a, b = left.astype(sums or left.dtype), right.astype(sums or left.dtype)
    total = np.zeros_like(a)
    for k in range(a.shape[-1]):
        total += a[..., k, None] * b[..., k, None, :]
    return total.astype(left.dtype)


def scaled(matrix):
    """Divide by a power of two, which rounds nothing, until the largest entry is below 1."""
    _, exponent = np.frexp(np.abs(matrix).max(axis=(-2, -1), keepdims=True))
    return np.ldexp(matrix, -exponent), exponent


def scaled_products(matrices, sums=None):
    """Every partial product: a matrix with entries below 1 and the exponent taken out of it."""
    totals = [scaled(matrices[0])]
    for matrix in matrices[1:]:
        total, taken = totals[-1]
        total, exponent = scaled(multiply(total, matrix, sums))
        totals.append((total, taken + exponent))
    return totals


def error(total, exact):
    """Relative error in the Frobenius norm, draw by draw; both are (matrix, exponent)."""
    (matrix, taken), (true, true_taken) = total, exact
    matrix = np.ldexp(matrix.astype(float), taken - true_taken)
    return np.linalg.norm(matrix - true, axis=(1, 2)) / np.linalg.norm(true, axis=(1, 2))


def lost_after(matrices, lost):
    """How many factors each draw's first lost partial product has, infinity if none is."""
    first = np.full(matrices.shape[1], np.inf)
    for n, total in enumerate(accumulate(matrices, multiply), 1):
        first[lost(total) & np.isinf(first)] = n
        if np.isfinite(first).all():
            break
    return first


def overflown(total):
    return ~np.isfinite(total).all(axis=(1, 2))


def all_zero(total):
    return ~total.any(axis=(1, 2))


def spread(values):
    """The median of the draws and, in brackets, the least and the most."""
    middle, low, high = np.median(values), np.min(values), np.max(values)
    return f"{middle:.2g} ({low:.2g}-{high:.2g})" if np.isfinite(middle) else "-"


rng = np.random.default_rng(SEED + 9)
draws = rng.normal(size=(max(LENGTH, SHOWN, *STEPS), DRAWS, WIDTH, WIDTH)).astype(np.float16)
chains = {t: draws.astype(t) for t in (np.float16, np.float32, np.float64)}
overflow, underflow = {}, {}
with np.errstate(over="ignore", invalid="ignore", under="ignore"):
    for dtype, chain in chains.items():  # the entries are exact in all three
        overflow[dtype] = lost_after(chain[:LENGTH], overflown)
        underflow[dtype] = lost_after(chain[:LENGTH] / dtype(256), all_zero)

errors = {}
print(f"entries ~ N(0, 1), width {WIDTH}, {DRAWS} chains: median relative error")
print(f"{'factors':>8}{'float16':>10}{'16, sums in 32':>16}{'float32':>10}")
ways = (np.float64, None), (np.float16, None), (np.float16, np.float32), (np.float32, None)
exact, *rounded = (
    scaled_products(chains[dtype][: max(SHOWN, *STEPS)], sums) for dtype, sums in ways
)
for n in sorted({*STEPS, SHOWN}):
    errors[n] = [error(totals[n - 1], exact[n - 1]) for totals in rounded]
    half, mixed, single = np.median(errors[n], axis=1)
    print(f"{n:8}{half:10.1e}{mixed:16.1e}{single:10.1e}")

print("\nunscaled, the factor at which it is lost: median (range), - never")
print(f"{'':8}{'bytes':>7}{'rounding':>10}{'largest':>10}{'overflow':>15}{'all zero':>15}")
for dtype, chain in chains.items():
    info = np.finfo(dtype)
    row = f"{info.dtype!s:8}{chain[0, 0].nbytes:7}{info.eps / 2:10.1e}{info.max:10.1e}"
    print(row + "".join(f"{spread(lost[dtype]):>15}" for lost in (overflow, underflow)))

half, mixed, single = errors[SHOWN]
assert np.median(half) >= np.median(mixed) >= np.median(single)
assert (overflow[np.float16] <= overflow[np.float32]).all()
figures = {
    "float16_error": half,
    "float16_error_with_float32_sums": mixed,
    "float32_error": single,
    "float16_overflows_at_factor": overflow[np.float16],
    "float32_overflows_at_factor": overflow[np.float32],
}
if single.all():  # a product of two numbers is exact in float32
    figures["float16_error_over_float32"] = half / single
print(f"\ndraws: {DRAWS}")
for name, values in figures.items():
    print(f"{name}_p5: {np.quantile(values, 0.05):.6g}")
    print(f"{name}_median: {np.median(values):.3g}")
    print(f"{name}_p95: {np.quantile(values, 0.95):.6g}")
print(f"float16_bytes_over_float32: {draws.nbytes / chains[np.float32].nbytes:g}")

print("\nchart: relative error of a product, by the number of factors")
print("  factors (log):", *errors)
names = "float16", "float16, float32 sums", "float32"
for name, values in zip(names, zip(*errors.values())):
    print(f"  {name} (log):", *(f"{np.median(value):.2g}" for value in values))
print("  fa: خطای نسبی حاصل‌ضرب، بسته به تعداد عامل‌ها; عامل‌ها")
print("  fa: float16; float16 با جمع در float32; float32")
