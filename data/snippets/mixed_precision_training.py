"""Mixed precision trains as float32 does: 16-bit passes, master weights, a scaled loss.

One network, one optimizer, several formats. In plain float16 the gradients underflow,
which no learning rate mends. (The loss is one term of a sum, with a weight of 3e-5.)
"""

from itertools import pairwise

import numpy as np

BATCH, SIZES, STEPS, RATE, WEIGHT = 64, (4, 16, 2), 400, 1e-2, 3e-5


def to_bfloat16(x):
    """The upper 16 bits of a float32, rounded to nearest, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bfloat16(x):
    return (x.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


# How each format stores an array and reads it back. Products are summed in a wider format,
# as matrix units sum in float32; float64 here gives the same digits on every machine.
FORMATS = {
    "float32": (lambda a: np.asarray(a, np.float32), np.float64),
    "float16": (lambda a: np.asarray(a, np.float16), np.float64),
    "bfloat16": (to_bfloat16, from_bfloat16),
}


@np.errstate(over="ignore", invalid="ignore")
def train(name, master=False, scale=1.0, rate=RATE):
    """Train with Adam; return the loss over the targets' power, and what was seen."""
    store, load = FORMATS[name]
    weights, skipped, seen = [w.astype(np.float32) for w in start], 0, np.zeros(0)
    moments = [np.zeros((2, *w.shape), np.float32) for w in weights]
    for step in range(STEPS):
        low = [store(w) for w in weights]
        layers = [store(x)]
        for w in low[:-1]:
            layers.append(store(np.tanh(load(layers[-1]) @ load(w))))
        miss = load(layers[-1]) @ load(low[-1]) - y  # the loss itself stays wide
        deltas, gradients = [store(miss * (scale * WEIGHT / miss.size))], []
        for w, layer in zip(low[::-1], layers[::-1]):
            gradients.insert(0, store(load(layer).T @ load(deltas[-1])))
            deltas.append(store(load(deltas[-1]) @ load(w).T * (1 - load(layer) ** 2)))
        if not all(np.isfinite(load(g)).all() for g in gradients):
            scale, skipped = scale / 2, skipped + 1  # overflow: skip the step, scale less
            continue
        if step >= STEPS // 20 and not seen.size:
            seen = np.concatenate([load(a).ravel() for a in (*gradients, *deltas[:-1])])
        for w, g, (mean, square) in zip(weights, gradients, moments):
            g = load(g) / scale
            mean += 0.1 * (g - mean)
            square += 0.01 * (g**2 - square)
            w -= rate * (1 - step / STEPS) * mean / (np.sqrt(square) + 1e-15)
            if not master:
                w[:] = load(store(w))  # nothing finer than the format is kept
    kept = {id(a): a.nbytes for a in (*(weights if master else low), *low, *gradients, *moments)}
    per_parameter = sum(kept.values()) / sum(w.size for w in weights)
    loss = (miss**2).mean() / (y**2).mean()
    return loss, per_parameter, sum(a.nbytes for a in layers), skipped, seen


def histogram(values, title, rows=4):
    """Draw the magnitudes, one column a power of two, above what becomes of them in float16."""
    counts = np.histogram(np.log2(np.abs(values)), np.arange(-48, 17))[0]
    eighths = -(-counts * rows * 8 // counts.max())
    print(f"\n{title}")
    for row in reversed(range(rows)):
        print("".join(" ▁▂▃▄▅▆▇█"[np.clip(n - 8 * row, 0, 8)] for n in eighths).rstrip())
    print(f"{'lost':─^23}┴{'subnormal':─^10}┴{'normal':─^29}┴inf")


rng = np.random.default_rng(9)
start = [rng.normal(size=s) / np.sqrt(s[0]) for s in pairwise(SIZES)]
x = rng.normal(size=(BATCH, SIZES[0]))
y = np.tanh(x @ rng.normal(size=(SIZES[0], 8)) / 2) @ rng.normal(size=(8, SIZES[-1])) / 3

runs = {
    "float32": train("float32", master=True),
    "float16": train("float16"),
    "float16, master weights": train("float16", master=True),
    "float16, loss x 2^20": train("float16", scale=2.0**20),
    "float16, master, loss x 2^20": train("float16", master=True, scale=2.0**20),
    "float16, master, loss x 2^40": train("float16", master=True, scale=2.0**40),
    "bfloat16": train("bfloat16"),
    "bfloat16, master weights": train("bfloat16", master=True),
}
print(f"{'':30}{'loss':>9}{'bytes/parameter':>17}{'skipped':>9}")
for name, (loss, held, _, skipped, _) in runs.items():
    print(f"{name:30}{loss:9.5f}{held:17g}{skipped:9}")
losses = {name: run[0] for name, run in runs.items()}
by_rate = [train("float16", rate=rate)[0] for rate in (1e-3, 3e-3, 1e-2, 3e-2, 1e-1)]
mixed = "float16, master, loss x 2^20"
assert abs(losses[mixed] / losses["float32"] - 1) < 0.02 and min(by_rate) > 3 * losses[mixed]

gradients = runs["float32"][-1]
lost, saved = ((gradients * s).astype(np.float16) == 0 for s in (1, 2**20))
histogram(gradients, f"{len(gradients)} gradients of step 20, one column a power of two")
histogram(gradients * 2**20, "the same with the loss times 2^20")

print()
print(f"float32_loss: {losses['float32']:.3g}")
print(f"float16_loss: {losses['float16']:.3g}")
print(f"float16_loss_at_best_of_five_rates: {min(by_rate):.3g}")
print(f"mixed_loss: {losses[mixed]:.3g}")
print(f"mixed_loss_over_float32_loss: {losses[mixed] / losses['float32']:.3g}")
print(f"bfloat16_loss_without_master: {losses['bfloat16']:.3g}")
print(f"bfloat16_loss_with_master: {losses['bfloat16, master weights']:.3g}")
print(f"gradients_lost: {lost.mean():.3g}")
print(f"gradients_lost_with_loss_scale: {saved.mean():.3g}")
print(f"steps_skipped_at_too_large_a_scale: {runs['float16, master, loss x 2^40'][3]}")
print(f"float32_bytes_per_parameter: {runs['float32'][1]:g}")
print(f"mixed_bytes_per_parameter: {runs[mixed][1]:g}")
print(f"activation_bytes_ratio: {runs[mixed][2] / runs['float32'][2]:g}")
