"""Twice the width is almost four times the weights and work; float16 loses many updates.

One training step of a small network, with its parameters, bytes and multiply-adds counted
in the arrays that are held and in the products that are made. How many weights float16
leaves as they were depends on the learning rate, which is assumed; 21 random networks of
width 256 take one step each.
"""

from collections import Counter

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BATCH, INPUTS, OUTPUTS, RATE, RUNS = 256, 64, 8, 1e-3, 200
count = Counter()


def multiply(left, right, phase):
    """left @ right, counting a multiply-add for every pair of factors."""
    count[phase] += left.shape[0] * left.shape[1] * right.shape[1]
    return left @ right


def forward(weights, x):
    """Input, hidden layers and output; all of them are held for the way back."""
    layers = [x]
    for w in weights[:-1]:
        layers.append(np.maximum(multiply(layers[-1], w, "forward"), 0))
    return [*layers, multiply(layers[-1], weights[-1], "forward")]


def backward(weights, layers, target):
    """The gradient of |output - target|^2 / 2, averaged over the batch, for each weight."""
    flow, found = (layers[-1] - target) / len(target), []
    for w, below in zip(weights[::-1], layers[-2::-1], strict=True):
        found.insert(0, multiply(below.T, flow, "backward"))
        if below is not layers[0]:  # nothing is learned below the input
            flow = multiply(flow, w.T, "backward") * (below > 0)
    return found


def step(width, rng):
    """One step of a network with two hidden layers; its weights, gradients and layers."""
    count.clear()
    sizes = np.lib.stride_tricks.sliding_window_view([INPUTS, width, width, OUTPUTS], 2)
    scaled = [rng.normal(size=size) * np.sqrt(2 / size[0]) for size in sizes]
    weights = [w.astype(np.float32) for w in scaled]
    x, target = (rng.normal(size=(BATCH, n)).astype(np.float32) for n in (INPUTS, OUTPUTS))
    layers = forward(weights, x)
    return weights, backward(weights, layers, target), layers


def held(arrays):
    return sum(a.nbytes for a in arrays)


def unmoved(weights, grads, dtype):
    """Share of the weights that are the same after the step as before it."""
    before = np.concatenate([w.ravel() for w in weights]).astype(dtype)
    change = np.concatenate([g.ravel() for g in grads]) * np.float32(RATE)
    return np.mean(before - change.astype(dtype) == before)


rng = np.random.default_rng(SEED)
print("one step, 256 rows, float32: KiB held, thousands of multiply-adds a row")
print(f"{'width':>5}{'parameters':>12}{'weights':>9}{'gradients':>11}{'Adam':>8}{'layers':>8}"
      f"{'forward':>9}{'backward':>10}")  # fmt: skip
parameters, work, held_bytes = {}, {}, {}
for width in (256, 512, 1024):
    weights, grads, layers = step(width, rng)
    moments = [np.zeros_like(w) for w in weights for _ in range(2)]  # Adam keeps two of each
    held_bytes[width] = [held(part) for part in (weights, grads, moments, layers)]
    parameters[width], work[width] = sum(w.size for w in weights), dict(count)
    kib = [n // 1024 for n in held_bytes[width]]
    thousands = [n / BATCH / 1000 for n in work[width].values()]
    print(f"{width:5}{parameters[width]:12}{kib[0]:9}{kib[1]:11}{kib[2]:8}{kib[3]:8}"
          f"{thousands[0]:9.0f}{thousands[1]:10.0f}")  # fmt: skip

hidden = layers[1].astype(np.float16)
with np.errstate(over="ignore"):
    infinite = np.isinf(np.square(hidden).sum(dtype=np.float16))

lost = {np.float32: [], np.float16: []}
for _ in range(RUNS):
    weights, grads, _ = step(256, rng)
    assert all(np.isfinite(g).all() for g in grads)
    for dtype, shares in lost.items():
        shares.append(unmoved(weights, grads, dtype))

print()
print(f"parameters_at_width_1024: {parameters[1024]}")
print(f"parameters_double_width: {parameters[1024] / parameters[512]:.3g}")
print(f"layer_bytes_double_width: {held_bytes[1024][3] / held_bytes[512][3]:.3g}")
print(f"bytes_held_for_a_parameter: {sum(held_bytes[1024][:3]) / parameters[1024]:g}")
print(f"backward_over_forward: {work[1024]['backward'] / work[1024]['forward']:.3g}")
for dtype, shares in lost.items():
    for name, share in zip(("p5", "median", "p95"), np.quantile(shares, (0.05, 0.5, 0.95))):
        print(f"unmoved_weights_{np.dtype(dtype).name}_{name}: {share:.2g}")
print(f"runs: {RUNS}")
print(f"largest_hidden_value: {float(hidden.max()):.1f}")
print(f"infinite_float16_sums_of_squares: {int(infinite)}")
