"""The same batches reserve more memory shortest first: the allocator decides.

A caching allocator keeps what it got from the device and hands out the smallest free
piece that is large enough. Only the order of the batches differs between the runs.
"""

from itertools import pairwise

import numpy as np

ROUND, SEGMENT = 512, 2**20  # bytes; sizes are rounded up to these
WIDTHS, BATCH, CELL = (32, 64, 128, 128, 64, 32), 8, 2**18


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


def train(lengths):
    """Take a step for each length; draw the memory where the longest has gone forward."""
    memory = Allocator()
    for length in lengths:
        layers = [np.empty((BATCH, length, width), "f4") for width in WIDTHS]
        kept = [memory.allocate(layer.nbytes) for layer in layers]
        if length == max(lengths):
            memory.draw()
        for piece in reversed(kept):
            memory.free(piece)
    assert memory.live == 0
    return memory.peak, memory.reserved, len(memory.segments)


rng = np.random.default_rng(8)
lengths = np.sort(rng.integers(100, 1000, size=8))
orders = {
    "shortest_first": lengths,
    "shuffled": rng.permutation(lengths),
    "longest_first": lengths[::-1],
}
results = {}
print("segments when the longest batch has gone forward: █ in use, · cached")
for name, order in orders.items():
    print(f"{name.replace('_', ' ')}: {' '.join(map(str, order))}")
    results[name] = train([int(n) for n in order])
assert all(a[0] == b[0] for a, b in pairwise(results.values()))

print()
print(f"peak_live_bytes: {results['shuffled'][0]}")
for name, (_, reserved, _) in results.items():
    print(f"reserved_bytes_{name}: {reserved}")
for name, (peak, reserved, _) in results.items():
    print(f"reserved_over_live_{name}: {reserved / peak:.4g}")
