"""The batch size with the highest throughput need not be the one that reaches the target first.

A step on an assumed device of 64 lanes costs an overhead of 4 ticks, and a tick for every 64
examples. Stochastic gradient descent counts the steps to a target. In each of the draws each
batch size is tried at 20 learning rates, up to the one above which the loss diverges, and gets
the rate at which its 5 runs have all arrived the soonest; their mean is what counts.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
LANES, OVERHEAD, TARGET, RUNS, LIMIT = 64, 4, 0.02, 5, 4000
DRAWS = 63  # 200 would take longer than the 5 s a program may
CURVATURE = np.geomspace(1, 0.1, 12)  # of the loss, along each weight
RATES = np.geomspace(0.005, 2 / CURVATURE.max(), 20)[:, None]  # side by side, same examples
BATCHES = np.array([1, 4, 16, 64, 256, 1024])


def ticks_for(batch):
    """Return the ticks of a step but its overhead: empty lanes cost the same as full ones."""
    return -(-batch // LANES)


def steps_to_target(batch):
    """Return each draw's mean steps until the excess loss is at the target, and its best rate."""
    rng = np.random.default_rng(SEED + 2)
    error = np.ones((DRAWS, RUNS, len(RATES), CURVATURE.size))  # weights minus the true ones
    steps = np.zeros((DRAWS, RUNS, len(RATES)), int)
    mean, rate = np.zeros(DRAWS), np.full(DRAWS, -1)
    for step in range(1, LIMIT):
        x = rng.normal(size=(DRAWS, RUNS, batch, CURVATURE.size)) * np.sqrt(CURVATURE)
        noise = rng.normal(size=(DRAWS, RUNS, 1, batch))
        residual = error @ x.swapaxes(-1, -2) - noise
        error = np.clip(error - RATES * (residual @ x) / batch, -1e6, 1e6)  # some rates diverge
        excess = (CURVATURE * error**2).sum(axis=-1) / 2
        steps[(steps == 0) & (excess <= TARGET)] = step
        done = steps.all(axis=1)
        for draw in np.flatnonzero(done.any(axis=1) & (rate < 0)):
            rate[draw] = done[draw].argmax()
            mean[draw] = steps[draw, :, rate[draw]].mean()
        if (rate >= 0).all():
            return mean, rate
    raise SystemExit(f"with a batch of {batch} no rate reached the target in {LIMIT} steps")


work = ticks_for(BATCHES)
throughput = BATCHES / (OVERHEAD + work)
steps, rates = (np.array(a) for a in zip(*map(steps_to_target, BATCHES)))  # a row a batch size
ticks, examples = steps * (OVERHEAD + work)[:, None], steps * BATCHES[:, None]
middle = np.median(ticks, axis=1)
best, fastest = middle.argmin(), throughput.argmax()

print("medians of the draws")
print(f"{'batch':>6}{'rate':>6}{'examples/tick':>15}{'steps':>7}{'examples':>10}{'ticks':>7}")
chosen = RATES[np.median(rates, axis=1).astype(int), 0]
for row in zip(BATCHES, chosen, throughput, *(np.median(a, 1) for a in (steps, examples, ticks))):
    batch, rate, speed, n, seen, total = row
    bar = "█" * round(18 * total / middle.max())
    print(f"{batch:6}{rate:6.2f}{speed:15.1f}{n:7.1f}{seen:10.0f}{total:7.0f}   {bar}")

print()
print(f"draws: {DRAWS}")
print(f"best_rates_at_an_end_of_the_grid: {np.isin(rates, (0, len(RATES) - 1)).sum()}")
print(f"batch_of_highest_throughput: {BATCHES[fastest]}")
print(f"batch_that_arrives_first: {BATCHES[best]}")
print(f"draws_in_which_it_arrives_first: {np.sum(ticks[best] < ticks[fastest])}")
print(f"throughput_ratio: {throughput[fastest] / throughput[best]:.4g}")
figures = {f"{n}_ratio": a[fastest] / a[best] for n, a in (("time", ticks), ("examples", examples))}
few, many = steps[fastest], steps[best]
saved = many > few  # in these draws fewer steps pay once each of them costs enough
cost = few * work[fastest] - many * work[best]
figures["overhead_at_a_tie"] = cost[saved] / (many - few)[saved]
for name, values in figures.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.3g}")

print("\nchart: what it takes to reach the target, by the batch size")
print("  batch (log):", *BATCHES)
print("  examples (log):", *(f"{value:.0f}" for value in np.median(examples, axis=1)))
print("  ticks of time (log):", *(f"{value:.0f}" for value in middle))
print("  fa: هزینهٔ رسیدن به هدف، بسته به اندازهٔ دسته; اندازهٔ دسته")
print("  fa: نمونه‌ها; زمان به تیک")
