"""A training step takes about 6 operations per weight and example, and memory for 4 × the weights.

The operations of a dense network's products are counted, forward and back, and the bytes that
are held until the update. The bytes moved are shared by the batch: a small one is slow work.
"""

from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WIDTHS = (256, 512, 512, 512, 64)
rng = np.random.default_rng(SEED + 12)
count = {}


def product(phase, a, b):
    """Return a @ b and count its multiplications, additions and bytes read and written."""
    result = a @ b
    operations, moved = count.get(phase, (0, 0))
    operations += 2 * a.shape[0] * a.shape[1] * b.shape[1]
    count[phase] = operations, moved + a.nbytes + b.nbytes + result.nbytes
    return result


def training_step(batch):
    """Make a training step with Adam's two moments; return the bytes held, by what they hold."""
    count.clear()
    weights = [rng.standard_normal(pair, dtype=np.float32) / 32 for pair in pairwise(WIDTHS)]
    moments = [np.zeros_like(w) for w in weights for _ in range(2)]  # mean and mean square
    kept = [rng.standard_normal((batch, WIDTHS[0]), dtype=np.float32)]
    for w in weights:
        kept.append(np.maximum(product("forward", kept[-1], w), 0))
    back, grads = kept[-1] / batch, []
    for layer in reversed(range(len(weights))):
        back = back * (kept[layer + 1] > 0)
        grads.append(product("backward", kept[layer].T, back))  # for the weights
        if layer:  # the data need no gradient
            back = product("backward", back, weights[layer].T)  # for the layer below
    held = {"weights": weights, "gradients": grads, "moments": moments, "activations": kept[1:]}
    return {name: sum(array.nbytes for array in arrays) for name, arrays in held.items()}


rows = {}
print(f"{'batch':>6}{'operations':>14}{'bytes moved':>13}{'op/byte':>9}{'bytes held':>12}")
for batch in (1, 8, 64, 512):
    held = training_step(batch)
    operations, moved = (sum(column) for column in zip(*count.values()))
    per_weight = operations / batch / (held["weights"] / 4)
    ratio = count["backward"][0] / count["forward"][0]
    rows[batch] = held, operations / moved, per_weight, ratio
    print(f"{batch:6}{operations:14,}{moved:13,}{operations / moved:9.2f}", end="")
    print(f"{sum(held.values()):12,}")

print(f"\nheld at the update, batch {batch}")
most = max(held.values())
for name, size in held.items():
    print(f"{name:12}{size:11,} {'█' * round(40 * size / most)}")
assert len({row[2] for row in rows.values()}) == 1, "work grows with the batch exactly"
first, every = WIDTHS[0] * WIDTHS[1], sum(a * b for a, b in pairwise(WIDTHS))
assert np.isclose(per_weight, 6 - 2 * first / every), "6, but no gradient of the data: 2 less there"

weights = held["weights"]
print()
print(f"operations_per_weight_and_example: {per_weight:.4g}")
print(f"backward_over_forward: {ratio:.4g}")
print(f"operations_per_byte_batch_1: {rows[1][1]:.3g}")
print(f"operations_per_byte_batch_512: {rows[512][1]:.3g}")
print(
    f"held_over_weights_without_activations: {(sum(held.values()) - held['activations']) / weights:g}"
)
print(f"held_over_weights_batch_1: {sum(rows[1][0].values()) / weights:.4g}")
print(f"held_over_weights_batch_512: {sum(held.values()) / weights:.4g}")
