"""Matrix multiplication does many operations for each byte it moves.

That, and tiles that do not wait for each other, is what a GPU or a TPU lives on. The
chip below is illustrative: 100 operations in the time one byte arrives from memory.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BALANCE = 100  # parameter: 10 to 1000 operations per byte; no particular product


def shaped(*shape):
    """A float32 array that knows its size but holds a single number."""
    return np.broadcast_to(np.float32(0), shape)


def add(n):
    """Operations per byte of x + y: one addition for three numbers moved."""
    x, y = shaped(n), shaped(n)
    return np.broadcast(x, y).size / (x.nbytes + y.nbytes + shaped(n).nbytes)


def matmul(m, k, n):
    """Operations per byte of a product when each matrix is moved once."""
    a, b, out = shaped(m, k), shaped(k, n), shaped(m, n)
    multiplications = np.broadcast(a[:, :, None], b).size  # i, j, k each once
    return 2 * multiplications / (a.nbytes + b.nbytes + out.nbytes)


def blocked(a, b, tile, order):
    """a @ b by tiles of the output, in any order, with the bytes it loads and stores."""
    out, moved = np.empty_like(a), 0
    for place in order:
        i, j = (slice(k * tile, (k + 1) * tile) for k in divmod(place, len(a) // tile))
        rows, columns, part = a[i], b[:, j], out[i, j]
        part[:] = rows @ columns  # needs no other tile of the output
        moved += rows.nbytes + columns.nbytes + part.nbytes
    return out, moved


print("operations per byte, and the share of the peak the chip can reach")
work = {"adding two vectors": add(1024)}
work |= {f"1024x1024 times {n:4} vectors": matmul(1024, 1024, n) for n in (1, 8, 64, 1024)}
for name, intensity in work.items():
    print(f"  {name:28}{intensity:10.3f}{min(1, intensity / BALANCE):9.1%}")

edges = np.arange(1, 2049)
by_edge = np.array([matmul(n, n, n) for n in edges])
assert np.allclose(by_edge, edges / 6)  # n^3 operations on n^2 data: grows with n
crossing = edges[np.argmax(by_edge >= BALANCE)]

rng = np.random.default_rng(SEED + 4)
n = 128
a, b = rng.integers(-8, 9, size=(2, n, n)).astype(np.float32)  # whole: sums are exact
print(f"\na {n}x{n} product by tiles, its output tiles in shuffled order")
print(f"{'tile':>8}{'tiles':>8}{'bytes moved':>14}{'operations per byte':>22}")
exact = {}
for tile in (1, 8, 32, 128):
    order = rng.permutation((n // tile) ** 2)
    product, moved = blocked(a, b, tile, order)
    exact[tile] = np.array_equal(product, a @ b)
    print(f"{tile:8}{order.size:8}{moved:14}{2 * n**3 / moved:22.2f}")
assert all(exact.values())

print()
print(f"vector_add_intensity: {add(1024):.6g}")
print(f"matrix_vector_intensity: {matmul(1024, 1024, 1):.6g}")
print(f"matrix_matrix_intensity: {matmul(1024, 1024, 1024):.6g}")
print(f"edge_where_compute_limits: {crossing}")
print(f"shuffled_tilings_exact: {sum(exact.values())}")

reach = [min(1, intensity / BALANCE) for intensity in work.values()]
print("\nchart: share of the peak that the chip can reach, in percent")
print("  work: adding vectors, matrix x vector, x 8, x 64, x 1024 vectors")
print("  percent:", *(f"{100 * share:.3g}" for share in reach))
print("  fa: درصدی از اوج سرعت تراشه که می‌توان به آن رسید; کار")
print("  fa: جمع بردارها; ماتریس در بردار; در ۸ بردار; در ۶۴ بردار")
print("  fa: در ۱۰۲۴ بردار; درصد")
