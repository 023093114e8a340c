"""Training memory depends on batch, input size, optimizer and number format too.

One architecture, five 1x1 convolutions, takes one real training step in each
setting. The bytes are those of the arrays that are alive together.
"""

from itertools import pairwise

import numpy as np

CHANNELS = (3, 32, 32, 32, 32, 10)
MOMENTS = {"sgd": 0, "momentum": 1, "adam": 2}


def nbytes(*arrays):
    return sum(array.nbytes for array in arrays)


def forward(weights, x, masks):
    """Return the input and every layer's output: going back needs them all once more."""
    layers = [x]
    for i, weight in enumerate(weights):
        layers.append(np.tanh(layers[-1] @ weight))
        if masks:
            layers[-1] *= masks[i]  # dropout's usual 1 / (1 - p) would keep nothing more
    return layers


def backward(weights, layers, masks):
    """Return the gradient of each weight; none has the batch among its axes."""
    gradients, delta = [], layers[-1] / layers[-1][..., 0].size
    for i in reversed(range(len(weights))):
        delta = delta * (1 - layers[i + 1] ** 2) * (masks[i] if masks else 1)
        gradients.insert(0, np.tensordot(layers[i], delta, axes=([0, 1, 2], [0, 1, 2])))
        delta = delta @ weights[i].T
    return gradients


def update(masters, gradients, moments, decay):
    """Change the weights in place; decay is one more term, not one more array kept."""
    for weight, gradient, kept in zip(masters, gradients, moments):
        step = gradient.astype(weight.dtype)
        if len(kept) > 1:
            kept[1] += 0.001 * (step**2 - kept[1])
        if len(kept) > 0:
            kept[0] += 0.1 * (step - kept[0])
            step = kept[0] / (np.sqrt(kept[1]) + 0.001) if len(kept) > 1 else kept[0]
        weight -= 0.001 * (step + decay * weight)


def train(
    batch=4, side=16, dtype="f4", master=None, optimizer="adam", dropout=0, decay=0, flip=False
):
    """Take one step and return the bytes held for each purpose."""
    rng = np.random.default_rng(7)
    masters = [
        np.array(rng.normal(size=s) / s[0] ** 0.5, master or dtype) for s in pairwise(CHANNELS)
    ]
    weights = [weight.astype(dtype) for weight in masters] if master else masters
    moments = [np.zeros((MOMENTS[optimizer], *m.shape), m.dtype) for m in masters]
    x = rng.random((batch, side, side, CHANNELS[0])).astype(dtype)
    if flip:
        x = x[:, :, ::-1].copy()  # augmentation happens before the batch is handed over
    masks = [rng.random((*x.shape[:3], n)) >= dropout for n in CHANNELS[1:]] if dropout else []
    layers = forward(weights, x, masks)
    gradients = backward(weights, layers, masks)
    update(masters, gradients, moments, decay)
    return {
        "weights": nbytes(*weights),
        "gradients": nbytes(*gradients),
        "optimizer": nbytes(*moments) + (nbytes(*masters) if master else 0),
        "activations": nbytes(*layers),
        "masks": nbytes(*masks),
    }


settings = {
    "start": {},
    "sgd": {"optimizer": "sgd"},
    "momentum": {"optimizer": "momentum"},
    "batch x4": {"batch": 16},
    "side x2": {"side": 32},
    "dropout": {"dropout": 0.5},
    "decay": {"decay": 0.01},
    "flipped": {"flip": True},
    "float16": {"dtype": "f2"},
    "mixed": {"dtype": "f2", "master": "f4"},
}
held = {name: train(**change) for name, change in settings.items()}
total = {name: sum(row.values()) for name, row in held.items()}
start, parameters = held["start"], sum(a * b for a, b in pairwise(CHANNELS))
predicted = 4 * (4 * parameters + 4 * 16 * 16 * sum(CHANNELS))  # float32, from shapes alone
assert start["gradients"] == start["weights"] and start["optimizer"] == 2 * start["weights"]

print(f"{'bytes':10}" + "".join(f"{key:>{len(key) + 2}}" for key in start) + f"{'all':>9}")
for name, row in held.items():
    print(f"{name:10}" + "".join(f"{n:{len(key) + 2}}" for key, n in row.items()), end="")
    print(f"{total[name]:9}")

print()
print(f"bytes_from_shapes_less_bytes_held: {predicted - total['start']}")
for name in ("batch x4", "side x2", "float16", "mixed"):
    for purpose in ("activations", "gradients"):
        ratio = held[name][purpose] / start[purpose]
        print(f"{purpose}_at_{name.replace(' ', '_')}: {ratio:.6g}")
for name in ("start", "momentum", "sgd", "float16", "mixed"):
    each = (total[name] - held[name]["activations"]) / parameters
    print(f"bytes_per_parameter_{name.replace('start', 'adam')}: {each:.6g}")
print(f"optimizer_over_weights: {start['optimizer'] / start['weights']:.6g}")
print(f"dropout_mask_bytes: {held['dropout']['masks']}")
print(f"weight_decay_extra_bytes: {total['decay'] - total['start']}")
print(f"augmentation_extra_bytes: {total['flipped'] - total['start']}")
print(f"float16_over_float32: {total['float16'] / total['start']:.6g}")
