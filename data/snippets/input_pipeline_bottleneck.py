"""Preprocessing is held up by the CPU only until enough workers feed the slowest other part.

Examples pass from storage through CPU workers to a GPU, with bounded queues between them, one
tick at a time. Each time is drawn at random about its mean (geometric: whatever is in the
making is finished in a tick with the same chance). The busiest part is the bottleneck, and it
moves; where two parts are equally fast, each now and then waits for the other.
"""

from itertools import product

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
TICKS, ROOM = 8000, 24  # ROOM: examples that may wait or be in the making after a part
SEEDS = 200
PARTS = ("storage", "CPU", "GPU")
TRAIN = 3  # mean ticks of a worker and of the GPU for an example
PREPARE = 12  # parameter: 4 to 40 ticks
FAST, SLOW = 2, 5  # mean ticks of storage
WORKERS = (1, 2, 3, 4, 6, 8)
assert min(PREPARE, TRAIN, FAST, SLOW) >= 1, "a tick is the shortest time"


def run(units, mean):
    """Return the busy share of each part and the examples that came out in TICKS."""
    rng = np.random.default_rng(SEED + 6)
    last = len(PARTS) - 1
    busy, worked = np.zeros((2, len(PARTS), units.shape[1], SEEDS), int)
    waiting = np.zeros((len(PARTS) + 1, *busy.shape[1:]), int)  # before each part; finished
    waiting[0] = TICKS * units[0]  # more than storage can ever read
    for _ in range(TICKS):
        for p in reversed(range(len(PARTS))):  # from the end: room is made before it is filled
            start = np.minimum(units[p] - busy[p], waiting[p])
            if p < last:  # with nowhere to put the result a part must wait
                start = np.minimum(start, ROOM - waiting[p + 1] - busy[p])
            waiting[p] -= start
            busy[p] += start
        worked += busy
        done = rng.binomial(busy, 1 / mean)
        busy -= done
        waiting[1:] += done
    assert (waiting.sum(axis=0) + busy.sum(axis=0) == TICKS * units[0]).all()  # none is lost
    return worked / (TICKS * units), waiting[-1]


cases = list(product((FAST, SLOW), WORKERS))
units = np.array([(1, workers, 1) for _, workers in cases]).T[..., None]
mean = np.array([(storage, PREPARE, TRAIN) for storage, _ in cases]).T[..., None]
shares, out = run(units, mean)
rate = (units / mean).min(axis=0)  # of the slowest part, were no time to vary
reached = dict(zip(cases, out / TICKS / rate))
busy = {case: dict(zip(PARTS, shares[:, i])) for i, case in enumerate(cases)}

print(f"medians of {SEEDS} seeds; reached: share of the slowest part's rate")
print(
    f"{'storage':>7}{'workers':>8}  " + "".join(f"{part:13}" for part in PARTS) + "reached  limit"
)
for (storage, workers), parts in busy.items():
    middle = {part: np.median(share) for part, share in parts.items()}
    bars = "".join(f"{'█' * round(7 * share):7}{share:5.0%} " for share in middle.values())
    got = np.median(reached[storage, workers])
    print(f"{storage:7}{workers:8}  {bars}{got:7.0%}  {max(middle, key=middle.get)}")

few, many = min(WORKERS), max(WORKERS)
even = min(WORKERS, key=lambda w: abs(w / PREPARE - 1 / TRAIN))  # as fast as the GPU
enough = min((w for w in WORKERS if w / PREPARE >= 1 / SLOW), default=many)  # for slow storage
gain = np.median(out[cases.index((SLOW, many))]) / np.median(out[cases.index((SLOW, enough))])
figures = {
    f"gpu_busy_with_{few}_worker": busy[FAST, few]["GPU"],
    f"gpu_busy_with_{even}_workers": busy[FAST, even]["GPU"],
    f"gpu_busy_with_{many}_workers": busy[FAST, many]["GPU"],
    f"cpu_busy_with_{many}_workers": busy[FAST, many]["CPU"],
    f"storage_busy_with_{enough}_workers_slow_storage": busy[SLOW, enough]["storage"],
    f"cpu_busy_with_{many}_workers_slow_storage": busy[SLOW, many]["CPU"],
}
print(f"\nseeds: {SEEDS}")
for name, values in figures.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.3g}")
print(f"gain_of_{many}_over_{enough}_workers_slow_storage: {gain:.3g}")

print("\nchart: share of the time in which the GPU is busy")
print("  workers:", *WORKERS)
for storage, name in ((FAST, "fast storage"), (SLOW, "slow storage")):
    shares = (np.median(busy[storage, n]["GPU"]) for n in WORKERS)
    print(f"  {name}:", *(f"{share:.2f}" for share in shares))
print("  fa: سهمی از زمان که GPU مشغول است; کارگر")
print("  fa: حافظهٔ جانبی سریع; حافظهٔ جانبی کند")
