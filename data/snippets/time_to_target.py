"""The batch size with the highest throughput is not the one that reaches the target first.

A step on a device of 64 lanes costs a fixed overhead and one tick for every 64 examples.
Stochastic gradient descent counts the steps to a target; each batch size gets its best rate.
"""

import numpy as np

LANES, OVERHEAD, TARGET, SEEDS = 64, 4, 0.02, 4
CURVATURE = np.geomspace(1, 0.1, 12)  # of the loss, along each weight
RATES = np.geomspace(0.01, 1, 13)[:, None]  # run side by side: the first to arrive counts


def ticks_per_step(batch):
    """Return what a step costs: lanes that stay empty cost the same as full ones."""
    return OVERHEAD + -(-batch // LANES)


def steps_to_target(batch):
    """Count steps until the excess loss is at the target, at the quickest learning rate."""
    rng = np.random.default_rng(2)
    error = np.ones((SEEDS, len(RATES), CURVATURE.size))  # weights minus the true ones
    for step in range(1, 5000):
        x = rng.normal(size=(SEEDS, batch, CURVATURE.size)) * np.sqrt(CURVATURE)
        noise = rng.normal(size=(SEEDS, 1, batch))
        residual = error @ x.transpose(0, 2, 1) - noise
        error = np.clip(error - RATES * (residual @ x) / batch, -1e6, 1e6)  # some rates diverge
        excess = (CURVATURE * error**2).sum(axis=-1).mean(axis=0) / 2
        if excess.min() <= TARGET:
            return step
    raise AssertionError("the target was not reached")


batches = np.array([1, 4, 16, 64, 256, 1024])
step_ticks = np.array([ticks_per_step(batch) for batch in batches])
throughput = batches / step_ticks
steps = np.array([steps_to_target(batch) for batch in batches])
ticks, examples = steps * step_ticks, steps * batches
best, fastest = ticks.argmin(), throughput.argmax()
assert (np.diff(throughput) > 0).all() and (np.diff(steps) < 0).all()
assert best < fastest and (np.diff(examples)[2:] > 0).all()

print(
    f"{'batch':>6}{'examples/tick':>15}{'steps':>7}{'examples':>10}{'ticks':>7}   ticks to target"
)
for row in zip(batches, throughput, steps, examples, ticks):
    batch, speed, n, seen, total = row
    bar = "█" * round(24 * total / ticks.max())
    print(f"{batch:6}{speed:15.1f}{n:7}{seen:10}{total:7}   {bar}")

print()
print(f"batch_of_highest_throughput: {batches[fastest]}")
print(f"batch_that_arrives_first: {batches[best]}")
print(f"throughput_ratio: {throughput[fastest] / throughput[best]:.4g}")
print(f"time_ratio: {ticks[fastest] / ticks[best]:.4g}")
print(f"examples_ratio: {examples[fastest] / examples[best]:.4g}")
