"""Mixed precision trains as float32 does: 16-bit passes, master weights, a scaled loss.

One network, one optimizer, several formats. The loss is one term of a sum: the smaller its
factor, the more gradients underflow in plain float16, which no learning rate mends.
"""

from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
RUNS = 21  # 200 would take longer than the 5 s a program may
BATCH, SIZES, STEPS = 16, (4, 12, 2), 150
FACTOR = 1e-5  # of the loss, chosen so small that plain float16 fails; at 1 it does not
RATE, SLOW = 1e-1, 1e-3
RATES = 1e-2, 3e-2, 1e-1, 3e-1, 1
SCALE, TOO_LARGE = 2.0**20, 2.0**40  # of the loss, undone before the update
assert min(RUNS, BATCH, STEPS, *SIZES, FACTOR, TOO_LARGE) > 0, "something to train"
assert len(SIZES) > 1 and SCALE >= 1, "a layer, and a scale that enlarges the loss"


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


def passes(weights, name, scale):
    """Forward and back: the stored layers, deltas and gradients, and the loss of each run."""
    store, load = FORMATS[name]
    layers = [store(x)]
    for w in weights[:-1]:
        layers.append(store(np.tanh(load(layers[-1]) @ load(w))))
    miss = load(layers[-1]) @ load(weights[-1]) - y  # the loss itself stays wide
    deltas, gradients = [store(miss * (scale / miss[0].size))], []
    for w, layer in zip(weights[::-1], layers[::-1]):
        back = load(deltas[-1])
        gradients.insert(0, store(load(layer).swapaxes(1, 2) @ back))
        deltas.append(store(back @ load(w).swapaxes(1, 2) * (1 - load(layer) ** 2)))
    return layers, deltas[:-1], gradients, (miss**2).mean((1, 2)) / (y**2).mean((1, 2))


@np.errstate(over="ignore", invalid="ignore")
def train(name, master=False, scale=1.0, rate=RATE, factor=FACTOR, steps=STEPS):
    """Train all runs at once with Adam; return weights, loss, bytes held, steps skipped."""
    store, load = FORMATS[name]
    weights = [w.astype(np.float32) for w in start]
    moments = [np.zeros((2, *w.shape), np.float32) for w in weights]
    scale, taken = np.full((RUNS, 1, 1), scale), np.zeros((RUNS, 1, 1))
    for step in range(steps):
        low = [store(w) for w in weights]
        layers, _, gradients, _ = passes(low, name, scale * factor)
        fine = np.all([np.isfinite(load(g)).all((1, 2)) for g in gradients], 0)[:, None, None]
        taken += fine
        t = np.maximum(taken, 1)
        for w, g, (mean, square) in zip(weights, gradients, moments):
            g = np.where(fine, load(g) / scale, 0)
            mean += fine * 0.1 * (g - mean)
            square += fine * 0.01 * (g**2 - square)
            size = np.sqrt(square / (1 - 0.99**t)) + 1e-15  # below the smallest gradients
            w -= fine * rate * (1 - step / STEPS) * (mean / (1 - 0.9**t)) / size
            if not master:
                w[:] = load(store(w))  # nothing finer than the format is kept
        scale = np.where(fine, scale, scale / 2)  # overflow: skip the step, scale less
    kept = {id(a): a.nbytes for a in (*(weights if master else low), *low, *gradients, *moments)}
    held = sum(kept.values()) / sum(w.size for w in weights), sum(a.nbytes for a in layers)
    low = [store(w) for w in weights]
    return low, passes(low, name, scale * factor)[-1], held, steps - taken.ravel()


def histogram(values, title, rows=4):
    """Draw the magnitudes, one column a power of two, above what becomes of them in float16."""
    counts = np.histogram(np.log2(np.abs(values[values != 0])), np.arange(-48, 17))[0]
    eighths = -(-counts * rows * 8 // max(counts.max(), 1))
    print(f"\n{title}")
    for row in reversed(range(rows)):
        print("".join(" ▁▂▃▄▅▆▇█"[np.clip(n - 8 * row, 0, 8)] for n in eighths).rstrip())
    print(f"{'lost':─^23}┴{'subnormal':─^10}┴{'normal':─^29}┴inf")


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


rngs = [np.random.default_rng(SEED + seed) for seed in range(RUNS)]


def draw(*shape):
    return np.array([rng.normal(size=shape) for rng in rngs])


start = [draw(*size) / np.sqrt(size[0]) for size in pairwise(SIZES)]
x = draw(BATCH, SIZES[0])
y = np.tanh(x @ draw(SIZES[0], 8) / 2) @ draw(8, SIZES[-1]) / 3

mixed = {"master": True, "scale": SCALE}
runs = {
    "float32": train("float32", master=True),
    "float16": train("float16"),
    "float16, the loss's factor 1": train("float16", factor=1.0),
    "float16, master weights": train("float16", master=True),
    "float16, scaled loss": train("float16", scale=SCALE),
    "float16, both": train("float16", **mixed),
    "float16, both, scale too large": train("float16", master=True, scale=TOO_LARGE),
    "bfloat16": train("bfloat16"),
    "bfloat16, master weights": train("bfloat16", master=True),
    "bfloat16, slow": train("bfloat16", rate=SLOW),
    "bfloat16, slow, master weights": train("bfloat16", master=True, rate=SLOW),
}
print(f"median of {RUNS} runs; the loss has a factor of {FACTOR:g}")
print(f"{'':32}{'loss':>9}{'bytes/parameter':>17}{'skipped':>9}")
for name, (_, loss, held, skipped) in runs.items():
    print(f"{name:32}{np.median(loss):9.5f}{held[0]:17g}{np.median(skipped):9g}")
losses = {name: run[1] for name, run in runs.items()}

print(f"\n{'learning rate':32}" + "".join(f"{rate:8g}" for rate in RATES))
best = {}
for name, options in (("float16", {}), ("float16, both", mixed)):
    found = [train("float16", rate=rate, **options)[1] for rate in RATES]
    best[name] = np.min(found, axis=0)
    print(f"{name:32}" + "".join(f"{np.median(loss):8.4f}" for loss in found))

early = train("float32", master=True, steps=max(STEPS // 20, 1))[0]
_, deltas, gradients, _ = passes(early, "float32", FACTOR)
gradients = np.hstack([np.reshape(a, (RUNS, -1)) for a in (*deltas, *gradients)])
with np.errstate(over="ignore"):
    lost, saved = ((gradients * s).astype(np.float16) == 0 for s in (1, SCALE))
histogram(gradients, f"{gradients.size} gradients of early steps, one column a power of two")
histogram(gradients * SCALE, "the same with the loss scaled")
assert np.all(saved <= lost), "a larger scale loses no more"

print()
tell("float32_loss", losses["float32"])
tell("float16_loss", losses["float16"])
tell("mixed_loss", losses["float16, both"])
tell("mixed_over_float32", losses["float16, both"] / losses["float32"])
tell("float16_over_float32_at_factor_1", losses["float16, the loss's factor 1"] / losses["float32"])
tell("float16_over_mixed_at_best_of_the_rates", best["float16"] / best["float16, both"])
for pace in ("", ", slow"):
    without, held = (losses[f"bfloat16{pace}{way}"] for way in ("", ", master weights"))
    tell(f"bfloat16_without_over_with_master{pace.replace(', ', '_')}", without / held)
tell("gradients_lost", lost.mean(axis=1))
tell("gradients_lost_with_loss_scale", saved.mean(axis=1))
skipped = runs["float16, both, scale too large"][3]
print(f"steps_skipped_at_too_large_a_scale: {np.median(skipped):g}")
print(f"float32_bytes_per_parameter: {runs['float32'][2][0]:g}")
print(f"mixed_bytes_per_parameter: {runs['float16, both'][2][0]:g}")
print(f"activation_bytes_ratio: {runs['float16, both'][2][1] / runs['float32'][2][1]:g}")

shown = [name for name in losses if name.startswith("float") and "factor" not in name]
print("\nchart: loss after training, by what is kept and computed in 16 bits")
print("  training: float32, float16, with master weights, with scaled loss,")
print("  training: with both, with too large a scale")
print("  loss (log):", *(f"{np.median(losses[name]):.2g}" for name in shown))
print("  fa: زیان پس از آموزش، بسته به آنچه ۱۶ بیتی است; آموزش")
print("  fa: float32; float16; با نسخهٔ اصلی وزن‌ها; با مقیاس‌دهی زیان")
print("  fa: با هر دو; با مقیاس بیش از حد بزرگ; زیان")
