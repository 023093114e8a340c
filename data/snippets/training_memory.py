"""Training memory depends on batch, input size, optimizer and number format too.

One architecture, five 1x1 convolutions, takes one real training step in each
setting. The bytes are those of the arrays that are alive together.
"""

from itertools import pairwise

import numpy as np

CHANNELS = (3, 32, 32, 32, 32, 10)


def nbytes(*arrays):
    return sum(array.nbytes for array in arrays)


def train(batch=4, side=16, dtype="f4", dropout=False, decay=0.0):
    """Take one step of Adam and return the bytes held for each purpose."""
    rng = np.random.default_rng(7)
    weights = [np.array(rng.normal(size=s) / s[0] ** 0.5, dtype) for s in pairwise(CHANNELS)]
    moments = [np.zeros((2, *weight.shape), dtype) for weight in weights]
    layers, masks = [rng.random((batch, side, side, CHANNELS[0])).astype(dtype)], []
    for weight in weights:
        layers.append(np.tanh(layers[-1] @ weight))
        if dropout:
            masks.append(rng.random(layers[-1].shape) < 0.5)
            layers[-1] *= masks[-1]

    gradients, delta = [], layers[-1] / (batch * side * side)
    for i in reversed(range(len(weights))):  # every layer's input is needed once more
        delta = delta * (1 - layers[i + 1] ** 2) * (masks[i] if dropout else 1)
        gradients.insert(0, np.tensordot(layers[i], delta, axes=([0, 1, 2], [0, 1, 2])))
        delta = delta @ weights[i].T
    for weight, gradient, (mean, square) in zip(weights, gradients, moments):
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient**2 - square)
        weight -= 0.001 * (mean / (np.sqrt(square) + 0.001) + decay * weight)
    return {
        "weights": nbytes(*weights),
        "gradients": nbytes(*gradients),
        "moments": nbytes(*moments),
        "activations": nbytes(*layers),
        "masks": nbytes(*masks),
    }, nbytes(*weights) + max(nbytes(*neighbours) for neighbours in pairwise(layers))


settings = {
    "start": {},
    "batch x4": {"batch": 16},
    "side x2": {"side": 32},
    "dropout": {"dropout": True},
    "decay": {"decay": 0.01},
    "float16": {"dtype": "f2"},
}
held = {name: train(**change)[0] for name, change in settings.items()}
total = {name: sum(row.values()) for name, row in held.items()}
start, (_, inference) = held["start"], train()
assert start["gradients"] == start["weights"] and start["moments"] == 2 * start["weights"]

print(f"{'bytes':8}" + "".join(f"{purpose:>12}" for purpose in start) + f"{'all':>9}")
for name, row in held.items():
    print(f"{name:8}" + "".join(f"{n:12}" for n in row.values()) + f"{total[name]:9}")
print(f"inference keeps no more than two layers at a time: {inference} bytes")

print()
for purpose in ("weights", "gradients", "moments", "activations"):
    print(f"{purpose}_bytes: {start[purpose]}")
for name in ("batch x4", "side x2"):
    ratio = held[name]["activations"] / start["activations"]
    print(f"activations_at_{name.replace(' ', '_')}: {ratio:.6g}")
print(f"dropout_mask_bytes: {held['dropout']['masks']}")
print(f"weight_decay_extra_bytes: {total['decay'] - total['start']}")
print(f"float16_over_float32: {total['float16'] / total['start']:.6g}")
print(f"training_over_inference: {total['start'] / inference:.4g}")
