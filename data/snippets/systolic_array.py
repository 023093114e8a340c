"""A systolic array reads each operand once and hands it on from cell to cell.

The weights stay in the cells, activations move right, sums move down. What such an array
saves in reads it loses again on small batches and on sizes that do not fill its edge.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
EDGE = 128  # parameter: 8 to 512 cells along an edge
DRAWS = 60  # random products; 200 would take longer than the 5 s a program may
ROWS = 64  # of activations in each


def bfloat16(x):
    """Round to the nearest number with an 8-bit significand, ties to even."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    bits = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return (bits & np.uint32(0xFFFF0000)).view(np.float32)


def systolic(a, w, rounded=lambda sums: sums):
    """a @ w tick by tick: the product, the reads, and which cells were busy at each tick."""
    (m, k), n = a.shape, w.shape[1]
    held, sums, full = np.zeros_like(w), np.zeros_like(w), np.zeros(w.shape, dtype=bool)
    out, busy, row, column = np.empty((m, n), dtype=w.dtype), [], np.arange(k), np.arange(n)
    reads = w.size  # each cell is given its weight once
    for tick in range(m + k + n - 2):
        held[:, 1:], full[:, 1:] = held[:, :-1].copy(), full[:, :-1].copy()
        source = tick - row  # row k of the array starts k ticks later
        full[:, 0] = (0 <= source) & (source < m)
        held[:, 0] = np.where(full[:, 0], a[source.clip(0, m - 1), row], 0)
        reads += full[:, 0].sum()
        sums[1:] = sums[:-1].copy()
        sums[0] = 0
        sums = rounded(sums + held * w)
        done = tick - (k - 1) - column  # the row of the product that leaves below
        ready = (0 <= done) & (done < m)
        out[done[ready], column[ready]] = sums[-1, ready]
        busy.append(full.copy())
    return out, reads, np.array(busy)


def added_up(a, w, rounded):
    """The product alone, as the array adds it up: one row of cells after the other."""
    sums = np.zeros((len(a), w.shape[1]), dtype=w.dtype)
    for k in range(len(w)):
        sums = rounded(sums + a[:, k, None] * w[k])
    return sums


def tiled(a, w, edge):
    """a @ w on an array of a given edge, padded with zeros; and its multiply-add slots."""
    (m, k), n, slots = a.shape, w.shape[1], 0
    k_pad, n_pad = -k % edge, -n % edge
    a, w = np.pad(a, ((0, 0), (0, k_pad))), np.pad(w, ((0, k_pad), (0, n_pad)))
    out = np.zeros((m, n + n_pad), dtype=w.dtype)
    for i in range(0, k, edge):
        for j in range(0, n, edge):
            tile, _, busy = systolic(a[:, i : i + edge], w[i : i + edge, j : j + edge])
            out[:, j : j + edge] += tile
            slots += busy.sum()
    return out[:, :n], slots


rng = np.random.default_rng(SEED + 4)
product, _, busy = systolic(*rng.integers(-9, 10, size=(2, 8, 8)))
moments = (0, 3, 7, 11, 18)
print("cells at work in an 8x8 array that multiplies 8 rows of activations")
print(" ".join(f"{f'tick {tick}':12}" for tick in moments).rstrip())
for line in range(8):
    drawn = ("".join(np.where(busy[tick, line], "#", ".")) for tick in moments)
    print(" ".join(f"{cells:12}" for cells in drawn).rstrip())

w = rng.integers(-128, 128, size=(EDGE, EDGE))
print(f"\n{EDGE}x{EDGE} cells: rows, reads per multiply-add (otherwise 2), cells at work")
per_add, at_work, useful = {}, {}, {}
for m in (1, 16, 128, 1024):
    a = rng.integers(-128, 128, size=(m, EDGE))
    product, reads, busy = systolic(a, w)
    assert np.array_equal(product, a @ w)  # whole numbers, as the first TPU took: exact
    assert busy.sum() == m * w.size
    per_add[m], at_work[m] = reads / busy.sum(), busy.mean()
    print(f"{m:6}{per_add[m]:12.5f}{at_work[m]:10.1%}")

for size in (EDGE, EDGE + 1):
    a, w = rng.integers(-128, 128, size=(32, size)), rng.integers(-128, 128, size=(size, size))
    product, slots = tiled(a, w, EDGE)
    assert np.array_equal(product, a @ w)
    useful[size] = 32 * w.size / slots

errors = {"float32": [], "bfloat16": []}
for _ in range(DRAWS):
    a, w = bfloat16(rng.random((ROWS, EDGE))), bfloat16(rng.random((EDGE, EDGE)))
    exact = np.einsum("ik,kj->ij", a.astype(float), w.astype(float))
    for rounded, kept in zip((np.float32, bfloat16), errors.values()):
        kept.append(np.abs(added_up(a, w, rounded) / exact - 1).max())
assert np.array_equal(added_up(a, w, bfloat16), systolic(a, w, bfloat16)[0])
assert max(errors["float32"]) < min(errors["bfloat16"])

print()
print(f"reads_per_multiply_add_of_1_row: {per_add[1]:.6g}")
print(f"reads_per_multiply_add_of_1024_rows: {per_add[1024]:.6g}")
print(f"cells_at_work_for_1_row: {at_work[1]:.6g}")
print(f"cells_at_work_for_1024_rows: {at_work[1024]:.6g}")
print(f"useful_share_at_edge_128: {useful[EDGE]:.6g}")
print(f"useful_share_at_edge_129: {useful[EDGE + 1]:.6g}")
for name, values in errors.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"error_of_{name}_sums_{which}: {value:.2g}")

print("\nchart: share of the cells at work, by the rows that pass through")
print("  rows (log):", *at_work)
print("  cells at work:", *(f"{share:.3f}" for share in at_work.values()))
print("  fa: سهم خانه‌های مشغول، بسته به تعداد سطرهایی که می‌گذرند")
print("  fa: سطرها; خانه‌های مشغول")
