"""Memory climbs through the forward pass, and checkpoints cut off its peak.

Forward and back through 36 layers beside Adam's moments, and the bytes of all named
arrays at each moment (what lives within one expression is left out): all activations
kept, every sixth kept, and inference. A batch of eight rows for each unit makes the
activations outweigh the weights, as in large batches; with few rows less is saved.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BATCH, WIDTH, EVERY = 512, 64, 6
LAYERS = 36  # parameter: 6 to 72 layers
ROWS, COLUMNS = 6, 64


class Memory(dict):
    """Arrays by name, and the bytes of all of them after each change."""

    def __init__(self, **arrays):
        super().__init__(arrays)
        self.trace = []

    def __setitem__(self, name, array):
        super().__setitem__(name, array)
        self.trace.append(sum(array.nbytes for array in self.values()))

    def __delitem__(self, name):
        super().__delitem__(name)
        self.trace.append(sum(array.nbytes for array in self.values()))


def forward(memory, weights, first, last, keep):
    """Run layers first to last - 1, dropping each input that is not to be kept."""
    for i in range(first, last):
        memory[i + 1] = np.tanh(memory[i] @ weights[i])
        if not keep(i):
            del memory[i]


def train(weights, x, every):
    """Return the gradients, the bytes over time, the layers run again, and two kinds of bytes.

    Those of all activations held after the way forward, and of gradients of activations at most.
    """
    moments = np.zeros((2, *weights.shape), weights.dtype)
    memory = Memory(weights=weights, moments=moments)
    memory[0] = x
    forward(memory, weights, 0, LAYERS, keep=lambda i: i % every == 0)
    activations = sum(array.nbytes for name, array in memory.items() if isinstance(name, int))
    memory["delta"] = memory[LAYERS] / BATCH
    again = deltas = 0
    for first in reversed(range(0, LAYERS, every)):
        last = min(first + every, LAYERS)
        forward(memory, weights, first, last - 1, keep=lambda i: True)
        again += last - 1 - first
        for i in reversed(range(first, last)):
            delta = memory["delta"]
            delta *= 1 - memory[i + 1] ** 2  # in place; tanh needs no more than its output
            memory["grad", i] = memory[i].T @ delta
            memory["below"] = delta @ weights[i].T
            deltas = max(deltas, delta.nbytes + memory["below"].nbytes)
            memory["delta"] = memory.pop("below")
            del memory[i + 1]
    gradients = np.stack([memory["grad", i] for i in range(LAYERS)])
    return gradients, memory.trace, again, (activations, deltas)


def plot(trace, highest, base):
    """Draw the bytes over time; what is held throughout is shaded."""
    heights = [max(part) for part in np.array_split(trace, min(COLUMNS, len(trace)))]
    eighth = highest / ROWS / 8
    for floor in np.arange(ROWS)[::-1] * 8 * eighth:
        cells = np.clip(np.ceil((heights - floor) / eighth), 0, 8).astype(int)
        if cells.any():
            shaded = floor + 4 * eighth < base
            print("  " + "".join("░" if shaded else " ▁▂▃▄▅▆▇█"[n] for n in cells))


rng = np.random.default_rng(SEED + 8)
weights = (rng.normal(size=(LAYERS, WIDTH, WIDTH)) / np.sqrt(WIDTH)).astype("f4")
x = rng.normal(size=(BATCH, WIDTH)).astype("f4")

exact, kept_all, _, (activations, deltas) = train(weights, x, every=1)
gradients, kept_some, again, _ = train(weights, x, every=EVERY)
serving = Memory(weights=weights)
serving[0] = x
forward(serving, weights, 0, LAYERS, keep=lambda i: False)
assert np.allclose(exact, gradients, rtol=1e-5, atol=1e-9)

peaks = [max(trace) for trace in (kept_all, kept_some, serving.trace)]
for name, trace, base in (
    ("all activations kept", kept_all, 3 * weights.nbytes),
    (f"every {EVERY}th kept, {again} layers run again", kept_some, 3 * weights.nbytes),
    ("inference", serving.trace, weights.nbytes),
):
    print(f"{name}: at most {max(trace)} bytes")
    plot(trace, peaks[0], base)
print("░ held throughout: weights and, in training, Adam's moments")

print()
print(f"peak_bytes: {peaks[0]}")
print(f"peak_bytes_with_checkpoints: {peaks[1]}")
print(f"peak_bytes_of_inference: {peaks[2]}")
print(f"training_over_inference: {peaks[0] / peaks[2]:.4g}")
print(f"layers_run_again: {again}")
print(f"activation_gradient_bytes_at_most: {deltas}")
print(f"activation_bytes: {activations}")
