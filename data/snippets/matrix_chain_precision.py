"""In half precision a matrix chain loses digits and overflows: it gets less stable, not more.

The same random chain is multiplied with every operation rounded to float16, float32 or
float64. Scaling by powers of two cures the range, wider sums cure part of the rounding.
"""

from itertools import accumulate

import numpy as np

WIDTH, LENGTH = 32, 64


def multiply(left, right, sums=None):
    """left @ right, added up strictly one product after the other in the type of sums.

    Written out because @ is free to add up in a wider type and in any order.
    """
    dtype = left.dtype
    products = np.multiply(left[:, :, None], right, dtype=sums or dtype)
    return np.add.accumulate(products, axis=1)[:, -1].astype(dtype)


def scaled(matrix):
    """Divide by a power of two, which rounds nothing, until the largest entry is below 1."""
    _, exponent = np.frexp(np.abs(matrix).max())
    return np.ldexp(matrix, -exponent), int(exponent)


def scaled_product(matrices, sums=None):
    """The product as a matrix with entries below 1 and the exponent taken out of it."""
    total, taken = scaled(matrices[0])
    for matrix in matrices[1:]:
        total, exponent = scaled(multiply(total, matrix, sums))
        taken += exponent
    return total, taken


def error(total, exact):
    """Relative error in the Frobenius norm; both are (matrix, exponent)."""
    (matrix, taken), (true, true_taken) = total, exact
    matrix = np.ldexp(matrix.astype(float), taken - true_taken)
    return np.linalg.norm(matrix - true) / np.linalg.norm(true)


def lost_after(matrices, lost):
    """How many factors there are in the first partial product that is lost, 0 if none is."""
    partial = accumulate(matrices, multiply)
    return next((n for n, total in enumerate(partial, 1) if lost(total)), 0)


rng = np.random.default_rng(9)
exact_chain = rng.normal(size=(LENGTH, WIDTH, WIDTH)).astype(np.float16).astype(float)
chains = {t: exact_chain.astype(t) for t in (np.float16, np.float32, np.float64)}
overflow, underflow = {}, {}
with np.errstate(over="ignore", invalid="ignore"):
    for dtype, chain in chains.items():  # the entries are exact in all three
        overflow[dtype] = lost_after(chain, lambda total: not np.isfinite(total).all())
        underflow[dtype] = lost_after(chain / dtype(256), lambda total: not total.any())

errors = {}
print(f"entries ~ N(0, 1), width {WIDTH}: relative error of the scaled product")
print(f"{'factors':>8}{'float16':>10}{'16, sums in 32':>16}{'float32':>10}")
for n in (2, 4, 8, 16):
    exact = scaled_product(chains[np.float64][:n])
    errors[n] = [
        error(scaled_product(chains[dtype][:n], sums), exact)
        for dtype, sums in ((np.float16, None), (np.float16, np.float32), (np.float32, None))
    ]
    half, mixed, single = errors[n]
    assert half > mixed > 500 * single
    print(f"{n:8}{half:10.1e}{mixed:16.1e}{single:10.1e}")

print(f"\nunscaled, the factor (of {LENGTH}) at which the product is lost (- never)")
print(f"{'':10}{'bytes':>8}{'rounding':>10}{'largest':>10}{'overflow':>10}{'all zero':>10}")
for dtype, chain in chains.items():
    info = np.finfo(dtype)
    row = f"{info.dtype!s:10}{chain[0].nbytes:8}{info.eps / 2:10.1e}{info.max:10.1e}"
    print(row + "".join(f"{lost[dtype] or '-':>10}" for lost in (overflow, underflow)))
assert np.isfinite(scaled_product(chains[np.float16])[0]).all()  # all of it, once scaled

half, mixed, single = errors[8]
print()
print(f"float16_error: {half:.2g}")
print(f"float16_error_with_float32_sums: {mixed:.2g}")
print(f"float32_error: {single:.2g}")
print(f"float16_error_over_float32: {half / single:.2g}")
print(f"float16_overflows_at_factor: {overflow[np.float16]}")
print(f"float32_overflows_at_factor: {overflow[np.float32]}")
print(f"float16_bytes_over_float32: {chains[np.float16].nbytes / chains[np.float32].nbytes:g}")
