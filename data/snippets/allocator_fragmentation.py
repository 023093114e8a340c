"""The same batches reserve more memory shortest first: the allocator decides.

A model of a caching allocator: it keeps what it got from the device and hands out the
smallest free piece that is large enough. Only the order of the batches differs between
the runs, over all draws of eight lengths; of the first draw the segments are drawn.
Real allocators also keep pools by size and can grow a segment.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
ROUND, SEGMENT = 512, 2**20  # bytes; sizes are rounded up to these
WIDTHS, BATCH, CELL = (32, 64, 128, 128, 64, 32), 8, 2**18
DRAWS, STEPS = 200, 8


class Allocator:
    """Segments got from the device, each cut into [size, is it in use] from left to right."""

    def __init__(self):
        self.segments, self.live, self.peak = [], 0, 0

    def allocate(self, size):
        """Return a piece that is large enough: a cached one, else one of a new segment."""
        size = -(-size // ROUND) * ROUND
        free = [(piece[0], n) for n, pieces in enumerate(self.segments) for piece in pieces
                if not piece[1] and piece[0] >= size]  # fmt: skip
        if not free:
            self.segments.append([[-(-size // SEGMENT) * SEGMENT, False]])
            free = [(self.segments[-1][0][0], len(self.segments) - 1)]
        whole, n = min(free)
        pieces = self.segments[n]
        at = pieces.index([whole, False])
        used = [size, True]
        pieces[at : at + 1] = [used, [whole - size, False]] if whole > size else [used]
        self.live += size
        self.peak = max(self.peak, self.live)
        return used

    def free(self, used):
        """Give a piece back and join free neighbours; no segment returns to the device."""
        used[1] = False
        self.live -= used[0]
        for pieces in self.segments:
            for at in reversed(range(len(pieces) - 1)):
                if not pieces[at][1] and not pieces[at + 1][1]:
                    pieces[at : at + 2] = [[pieces[at][0] + pieces[at + 1][0], False]]

    @property
    def reserved(self):
        return sum(size for pieces in self.segments for size, _ in pieces)

    def draw(self):
        """Draw every segment, a cell for each quarter of a megabyte, and wrap the lines."""
        lines = [""]
        for pieces in self.segments:
            ends = np.round(np.cumsum([0] + [size for size, _ in pieces]) / CELL).astype(int)
            cells = zip(np.diff(ends), (used for _, used in pieces))
            drawn = "[" + "".join("·█"[used] * int(n) for n, used in cells) + "]"
            if len(lines[-1]) + len(drawn) > 70:
                lines.append("")
            lines[-1] += drawn
        print("\n".join("  " + line for line in lines))


def train(lengths, draw):
    """Take a step for each length and return the peak of live bytes and the bytes reserved."""
    memory = Allocator()
    for length in lengths:
        kept = [memory.allocate(4 * BATCH * length * width) for width in WIDTHS]  # float32
        if draw and length == max(lengths):
            memory.draw()
        for piece in reversed(kept):
            memory.free(piece)
    assert memory.live == 0
    return memory.peak, memory.reserved


rng = np.random.default_rng(SEED + 8)
print("segments when the longest batch has gone forward: █ in use, · cached")
ratios = {"shortest_first": [], "shuffled": [], "longest_first": []}
for number in range(DRAWS):
    lengths = np.sort(rng.integers(100, 1000, size=STEPS)).tolist()
    orders = lengths, rng.permutation(lengths).tolist(), lengths[::-1]
    peaks = set()
    for name, order in zip(ratios, orders):
        if number == 0:
            print(f"{name.replace('_', ' ')}: {' '.join(map(str, order))}")
        peak, reserved = train(order, draw=number == 0)
        ratios[name].append(reserved / peak)
        peaks.add(peak)
    assert len(peaks) == 1, "the same batches need the same live bytes in any order"

print()
for name, values in ratios.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"reserved_over_live_{name}_{which}: {value:.4g}")
worse = np.greater(ratios["shortest_first"], ratios["longest_first"]).sum()
print(f"draws: {DRAWS}")
print(f"draws_with_more_reserved_shortest_first: {worse}")

print("\nchart: memory reserved, in multiples of what is in use")
print(f"  batches: {', '.join(ratios).replace('_', ' ')}")
print("  reserved:", *(f"{np.median(values):.3g}" for values in ratios.values()))
print("  fa: حافظهٔ گرفته‌شده، چند برابر حافظهٔ به‌کاررفته")
print("  fa: دسته‌ها; از کوتاه به بلند; درهم; از بلند به کوتاه; گرفته‌شده")
