"""A faster matrix unit speeds up only the work that memory does not hold back.

Operations and bytes are counted as the arrays pass by. The chip is illustrative: in the
time of one byte from memory 10 operations, or 160 if a matrix unit does the product.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
PLAIN, MATRIX = 10, 160  # operations per byte-time; no particular product
WIDTH = 1024  # parameter: 64 to 8192 rows and columns


class Counted(np.ndarray):
    """An array that notes the operations and the bytes of whatever is done to it."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        given = [np.asarray(x) for x in inputs]
        out = getattr(ufunc, method)(*given, **options)
        product = ufunc is np.matmul
        work = 2 * out.size * given[0].shape[-1] if product else max(x.size for x in [*given, out])
        log.append((product, work, sum(x.nbytes for x in [*given, out])))
        return out.view(Counted)


def normalise(x):
    """Layer norm, each step of it a pass of its own through memory."""
    x = x - np.add.reduce(x, axis=1, keepdims=True) / np.float32(WIDTH)
    return x / np.sqrt(np.add.reduce(x * x, axis=1, keepdims=True) / np.float32(WIDTH))


def block(x, w, v):
    """A residual block of two layers, as transformers stack them."""
    return x + np.maximum(normalise(x) @ w, np.float32(0)) @ v


def run(kernel, *arrays):
    """Return (is a product, operations, bytes) of every step of a kernel."""
    log.clear()
    kernel(*arrays)
    return np.array(log).T


def speedup(steps):
    """How many times faster the chip with a matrix unit is, by the roofline bound."""
    product, work, moved = steps
    plain = np.maximum(work / PLAIN, moved)  # the slower of computing and moving
    fast = np.maximum(work / np.where(product, MATRIX, PLAIN), moved)
    return plain.sum() / fast.sum()


def intensity(steps):
    return steps[1].sum() / steps[2].sum()


def draw(points, rows=10, columns=66):
    """Both roofs over log2 of the intensity, and where the kernels stand below them."""
    x = np.linspace(-4, 9, columns)
    grid = np.full((rows, columns), " ")
    for mark, peak in (("-", PLAIN), ("=", MATRIX)):
        height = np.minimum(x, np.log2(peak))  # below its peak a chip does what memory feeds
        row = np.round((height + 4) / (np.log2(MATRIX) + 4) * (rows - 1)).astype(int)
        grid[row, np.arange(columns)] = np.where(height < x, mark, "/")
        for name, at in points.items():
            place = np.abs(x - np.log2(at)).argmin()
            grid[row[place], place] = name
    return "\n".join("  " + "".join(line).rstrip() for line in grid[::-1])


log = []
rng = np.random.default_rng(SEED + 4)
x, w, v = (rng.normal(size=(1024, WIDTH)).astype(np.float32).view(Counted) for _ in "xwv")
w, v = w / np.float32(32), v / np.float32(32)  # keep the values of order one
kernels = {
    "a": ("adding", run(np.add, x, x)),
    "n": ("layer norm", run(normalise, x)),
    "1": ("weights times 1 vector", run(np.matmul, x[:1], w)),
    "8": ("weights times 8 vectors", run(np.matmul, x[:8], w)),
    "m": ("weights times 1024 vectors", run(np.matmul, x, w)),
}
gain = {mark: speedup(steps) for mark, (_, steps) in kernels.items()}
print(draw({mark: intensity(steps) for mark, (_, steps) in kernels.items()}))
print("  operations per byte, 1/16 to 512, twice as many every 5 columns")
print(f"\n{'':32}{'operations per byte':>20}{'speedup':>10}")
for mark, (name, steps) in kernels.items():
    print(f"{mark}  {name:29}{intensity(steps):20.3f}{gain[mark]:10.2f}")
blocks = {tokens: run(block, x[:tokens], w, v) for tokens in (1, 64, 1024)}
for tokens, steps in blocks.items():
    name = f"block of layers, rows: {tokens}"
    print(f"   {name:29}{intensity(steps):20.3f}{speedup(steps):10.2f}")
assert gain["a"] == gain["1"] == 1 and gain["m"] == MATRIX / PLAIN

print()
print(f"speedup_of_adding: {gain['a']:g}")
print(f"speedup_of_layer_norm: {gain['n']:g}")
print(f"speedup_of_matrix_times_vector: {gain['1']:g}")
print(f"speedup_of_matrix_times_matrix: {gain['m']:g}")
print(f"speedup_of_a_block_of_1: {speedup(blocks[1]):.4g}")
print(f"speedup_of_a_block_of_1024: {speedup(blocks[1024]):.4g}")
