"""Training memory depends on batch, input size, optimizer and number format too.

One architecture, five 1x1 convolutions, takes one real training step in each setting.
The bytes of the arrays that are alive together are added up by purpose; Python's tracer
of memory, which knows no purposes, counts them once more, and the peak on the way there.
"""

import tracemalloc
from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
CHANNELS = (3, 32, 32, 32, 32, 10)
SIDE = 16
BATCH = 4  # parameter: 1 to 64 examples
MOMENTS = {"sgd": 0, "momentum": 1, "adam": 2}


def nbytes(*arrays):
    return sum(array.nbytes for array in arrays)


def alive():
    """Return the bytes that numpy holds now, by Python's tracer of memory."""
    numpys = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    snapshot = tracemalloc.take_snapshot().filter_traces([numpys])
    return sum(trace.size for trace in snapshot.traces if trace.size > 64)  # less is no array


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


def train(batch=BATCH, side=SIDE, dtype="f4", master=None, optimizer="adam", dropout=0, decay=0):
    """Take one step and return the bytes held by purpose, all that are alive, and their peak."""
    before = alive()
    tracemalloc.reset_peak()
    idle = tracemalloc.get_traced_memory()[0]
    rng = np.random.default_rng(SEED + 7)
    masters = [
        np.array(rng.normal(size=s) / s[0] ** 0.5, master or dtype) for s in pairwise(CHANNELS)
    ]
    weights = [weight.astype(dtype) for weight in masters] if master else masters
    moments = [np.zeros((MOMENTS[optimizer], *m.shape), m.dtype) for m in masters]
    x = rng.random((batch, side, side, CHANNELS[0])).astype(dtype)
    masks = [rng.random((*x.shape[:3], n)) >= dropout for n in CHANNELS[1:]] if dropout else []
    layers = forward(weights, x, masks)
    gradients = backward(weights, layers, masks)
    update(masters, gradients, moments, decay)
    peak = tracemalloc.get_traced_memory()[1] - idle
    purposes = {
        "weights": nbytes(*weights),
        "gradients": nbytes(*gradients),
        "optimizer": nbytes(*moments) + (nbytes(*masters) if master else 0),
        "activations": nbytes(*layers),
        "masks": nbytes(*masks),
    }
    return purposes, alive() - before, peak


settings = {
    "start": {},
    "sgd": {"optimizer": "sgd"},
    "momentum": {"optimizer": "momentum"},
    "batch x4": {"batch": 4 * BATCH},
    "side x2": {"side": 2 * SIDE},
    "dropout": {"dropout": 0.5},
    "decay": {"decay": 0.01},
    "float16": {"dtype": "f2"},
    "mixed": {"dtype": "f2", "master": "f4"},
}
tracemalloc.start()
train()  # numpy loads parts of itself at first use; that is no step's memory
steps = {name: train(**change) for name, change in settings.items()}
held = {name: purposes for name, (purposes, _, _) in steps.items()}
traced = {name: counted for name, (_, counted, _) in steps.items()}
start, parameters = held["start"], sum(a * b for a, b in pairwise(CHANNELS))
predicted = 4 * (4 * parameters + BATCH * SIDE**2 * sum(CHANNELS))  # float32, from shapes alone
for name, row in held.items():
    strange = abs(traced[name] - sum(row.values()))
    assert strange < 1024, f"{name}: the tracer counts {strange} bytes that have no purpose"

print(f"{'bytes':10}" + "".join(f"{key:>{len(key) + 2}}" for key in start) + f"{'all':>9}")
for name, row in held.items():
    print(f"{name:10}" + "".join(f"{n:{len(key) + 2}}" for key, n in row.items()), end="")
    print(f"{traced[name]:9}")

print()
print(f"bytes_from_shapes: {predicted}")
print(f"bytes_traced: {traced['start']}")
print(f"peak_over_bytes_from_shapes: {steps['start'][2] / predicted:.2f}")
for name in ("batch x4", "side x2", "float16", "mixed"):
    for purpose in ("activations", "gradients"):
        ratio = held[name][purpose] / start[purpose]
        print(f"{purpose}_at_{name.replace(' ', '_')}: {ratio:.6g}")
for name in ("start", "momentum", "sgd", "float16", "mixed"):
    each = (sum(held[name].values()) - held[name]["activations"]) / parameters
    print(f"bytes_per_parameter_{name.replace('start', 'adam')}: {each:.6g}")
print(f"optimizer_over_weights: {start['optimizer'] / start['weights']:.6g}")
print(f"dropout_extra_bytes: {traced['dropout'] - traced['start']}")
print(f"weight_decay_extra_bytes: {traced['decay'] - traced['start']}")
print(f"float16_over_float32: {traced['float16'] / traced['start']:.6g}")

print("\nchart: bytes held by a training step, in multiples of the first")
print("  setting: Adam, SGD, momentum, batch x4, side x2, dropout,")
print("  setting: weight decay, float16, mixed precision")
print("  bytes:", *(f"{sum(row.values()) / predicted:.3f}" for row in held.values()))
print("  fa: حافظهٔ یک گام آموزش، چند برابر تنظیم نخست; تنظیم")
print("  fa: Adam; SGD; تکانه; دسته ۴ برابر; ضلع ۲ برابر; دراپ‌اوت")
print("  fa: زوال وزن; float16; دقت ترکیبی; بایت")
