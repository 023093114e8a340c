"""Quantization-aware training keeps float weights and only simulates the integers.

The forward pass rounds and clips. The backward pass takes rounding for the identity, since its
true derivative is zero. Where the weights are integers themselves, an update below half the
step between them rounds away: it takes a larger rate to move them, and they end worse.
"""

import numpy as np

STEPS, BATCH, RATE, LARGER = 400, 64, 1e-2, 5e-2


def integers(x, bits, limit=None):
    """The signed integers that stand for x, and the step between them."""
    top = 2 ** (bits - 1) - 1
    step = (np.abs(x).max() if limit is None else limit) / top
    return np.clip(np.rint(x / step), -top, top).astype(np.int8), step


def fake(x, bits, limit=None):
    """Fake quantization: the value of the nearest integer, still a float."""
    if bits is None:
        return x
    levels, step = integers(x, bits, limit)
    return levels * step


def predict(weights, bits=None):
    """What the two layers read, their weights as used, and the output."""
    first, second = (fake(w, bits) for w in weights)
    read = fake(x, bits)
    hidden = np.tanh(read @ first)
    coded = fake(hidden, bits, 1)  # tanh is never beyond 1
    return read, hidden, coded, second, coded @ second


def gradients(weights, bits, derivative):
    """Backpropagate with this derivative of the rounding: 1 is the straight-through one."""
    read, hidden, coded, second, output = predict(weights, bits)
    delta = (output - y) / output.size
    inner = delta @ second.T * derivative * (1 - hidden**2)
    return derivative * read.T @ inner, derivative * coded.T @ delta


def train(weights, bits=None, derivative=1.0, limits=(None, None), rate=RATE):
    """Train with Adam; with limits, the weights themselves stay on their integers' values."""
    weights = [
        w.copy() if limit is None else fake(w, bits, limit) for w, limit in zip(weights, limits)
    ]
    moments = [np.zeros((2, *w.shape)) for w in weights]
    for step in range(STEPS):
        found = gradients(weights, bits, derivative)
        for w, g, (mean, square), limit in zip(weights, found, moments, limits):
            mean += 0.1 * (g - mean)
            square += 0.01 * (g**2 - square)
            w -= rate * (1 - step / STEPS) * mean / (np.sqrt(square) + 1e-15)
            if limit:
                w[:] = fake(w, bits, limit)
    return weights


def loss(weights, bits=None):
    return ((predict(weights, bits)[-1] - y) ** 2).mean() / (y**2).mean()


def integer_output(weights, bits):
    """The same network in integers: int32 sums of int8 products, one factor for each layer."""
    (a, scale_a), (b, scale_b) = (integers(w, bits) for w in weights)
    read, scale = integers(x, bits)
    hidden = np.tanh(np.matmul(read, a, dtype=np.int32) * (scale * scale_a))
    coded, scale = integers(hidden, bits, 1)
    return np.matmul(coded, b, dtype=np.int32) * (scale * scale_b)


def changed(before, after, bits):
    """The share of the weights whose integer is another one."""
    pairs = [(integers(w, bits)[0] != integers(v, bits)[0]).ravel() for w, v in zip(before, after)]
    return np.concatenate(pairs).mean()


rng = np.random.default_rng(9)
start = [rng.normal(size=size) / np.sqrt(size[0]) for size in ((4, 16), (16, 2))]
x = rng.normal(size=(BATCH, 4))
y = np.tanh(x @ rng.normal(size=(4, 8)) / 2) @ rng.normal(size=(8, 2)) / 3

trained = train(start)
longer = train(trained)  # the same further steps, but without quantization
print(f"float: loss {loss(trained):.5f}, trained on {loss(longer):.5f}; quantized, relative loss:")
print(f"{'bits':>4}{'rounded':>11}{'trained on, rounded':>22}{'quantization-aware':>21}")
after, aware = {}, {}
for bits in (8, 6, 5, 4, 3):
    aware[bits] = train(trained, bits)
    after[bits] = loss(longer, bits)
    print(f"{bits:4}{loss(trained, bits):11.5f}{after[bits]:22.5f}{loss(aware[bits], bits):21.5f}")
    assert np.allclose(integer_output(aware[bits], bits), predict(aware[bits], bits)[-1])

BITS = 4
true_derivative = train(trained, BITS, derivative=0.0)
limits = [np.abs(w).max() for w in trained]
kept, pushed = (train(trained, BITS, limits=limits, rate=rate) for rate in (RATE, LARGER))
moved = {
    "float weights, straight through": changed(trained, aware[BITS], BITS),
    "float weights, true derivative": changed(trained, true_derivative, BITS),
    "integer weights, straight through": changed(trained, kept, BITS),
    "integer weights, a larger rate": changed(trained, pushed, BITS),
}
print(f"\nweights that moved by a step or more, {BITS} bits")
for name, share in moved.items():
    print(f"  {name:34}{share:7.1%}")
mismatch = np.abs(integer_output(aware[8], 8) - predict(aware[8], 8)[-1]).max()
assert min(moved.values()) == 0 < max(moved.values()) and loss(aware[BITS], BITS) < after[BITS]

print()
print(f"loss_rounded_after_training: {after[BITS]:.3g}")
print(f"loss_quantization_aware: {loss(aware[BITS], BITS):.3g}")
print(f"loss_with_integer_weights: {loss(kept, BITS):.3g}")
print(f"loss_with_integer_weights_at_larger_rate: {loss(pushed, BITS):.3g}")
print(f"smallest_half_step: {min(limits) / (2**BITS - 2):.3g}")
print(f"moved_with_float_weights: {moved['float weights, straight through']:.3g}")
print(f"moved_with_true_derivative: {moved['float weights, true derivative']:g}")
print(f"moved_with_integer_weights_at_larger_rate: {moved['integer weights, a larger rate']:.3g}")
print(f"moved_with_integer_weights: {moved['integer weights, straight through']:g}")
print(f"integer_against_fake_difference: {round(mismatch, 9):g}")
