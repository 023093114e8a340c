"""The brackets of a matrix chain decide its peak memory, and the cheapest need not be the leanest.

The inputs take the same bytes in every order. What differs is the products on the way:
each lives until it is multiplied on. Bytes are read off the arrays that are alive; of two
factors that are products themselves, the left one is made first.
"""

from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000


def trees(first, last):
    """Every way to bracket the matrices first..last, as nested pairs of their indices."""
    if first == last:
        return [first]
    return [
        (left, right)
        for k in range(first, last)
        for left in trees(first, k)
        for right in trees(k + 1, last)
    ]


def written(tree):
    """The brackets as one writes them: A(BC)."""
    if isinstance(tree, int):
        return "ABCDEFGH"[tree]
    return "".join(written(t) if isinstance(t, int) else f"({written(t)})" for t in tree)


class Run:
    """Multiply a chain as its tree says, counting multiplications and the bytes alive."""

    def __init__(self, matrices, tree):
        self.matrices, self.multiplications = matrices, 0
        self.alive = self.peak = self.inputs = sum(m.nbytes for m in matrices)
        self.result = self.product(tree)

    def product(self, tree):
        if isinstance(tree, int):
            return self.matrices[tree]
        left, right = map(self.product, tree)
        out = left @ right
        self.multiplications += np.broadcast(left[:, :, None], right).size
        self.alive += out.nbytes
        self.peak = max(self.peak, self.alive)  # operands and product are alive at once
        # The inputs belong to the caller; only products on the way can be let go.
        self.alive -= sum(m.nbytes for m, t in zip((left, right), tree) if isinstance(t, tuple))
        return out


def every_run(sizes):
    """Run all bracketings of a random float32 chain and print what each takes."""
    rng = np.random.default_rng(SEED + 4)
    chain = [rng.normal(size=s).astype(np.float32) for s in pairwise(sizes)]
    runs = {written(t): Run(chain, t) for t in trees(0, len(chain) - 1)}
    first = next(iter(runs.values()))
    scale = np.abs(first.result).max()
    assert all(np.allclose(r.result, first.result, atol=1e-4 * scale) for r in runs.values())
    print(f"sizes {'-'.join(map(str, sizes))}, inputs {first.inputs} bytes")
    print(f"  {'order':12}{'multiplications':>16}{'peak bytes':>12}{'beyond inputs':>15}")
    for order, run in runs.items():
        beyond = run.peak - run.inputs
        print(f"  {order:12}{run.multiplications:16}{run.peak:12}{beyond:15}")
    return runs


three = every_run((100, 5, 200, 20))
four = every_run((5, 20, 200, 20, 20))

cheapest = min(four.values(), key=lambda run: run.multiplications)
leanest = min(four.values(), key=lambda run: run.peak)
assert cheapest.peak > leanest.peak and cheapest.multiplications < leanest.multiplications

print()
print(f"input_bytes: {three['(AB)C'].inputs}")
print(f"left_first_peak_bytes: {three['(AB)C'].peak}")
print(f"right_first_peak_bytes: {three['A(BC)'].peak}")
print(f"cheapest_multiplications: {cheapest.multiplications}")
print(f"cheapest_bytes_beyond_inputs: {cheapest.peak - cheapest.inputs}")
print(f"leanest_multiplications: {leanest.multiplications}")
print(f"leanest_bytes_beyond_inputs: {leanest.peak - leanest.inputs}")
