"""Prefetching hides preprocessing behind training but spares the CPU nothing; a cache does both.

Batches are prepared and trained on for five epochs; ticks are counted on a CPU and a GPU. Once
preparing is the quicker of the two and overlapped, making it quicker still saves little time.
(What is random, such as augmentation, must stay behind the cache, or every epoch sees the same.)
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BATCHES, EPOCHS, LOAD = 200, 5, 1  # ticks to train on a batch, to load a kept one
TRAIN = 12  # parameter: 2 to 40 ticks
QUICK, AHEAD, RUNS = 5, 4, 200  # mean ticks to prepare a batch; batches prefetched
SLOW = 10  # parameter: 2 to 40 ticks


def makespan(prepare, buffer):
    """Return when training ends in each run if up to `buffer` batches are ahead (0: no overlap)."""
    ready = trained = np.zeros(len(prepare), int)
    taken = []  # when training took each batch out of the buffer
    for i, ticks in enumerate(prepare.T):  # every batch depends on the ones before
        if buffer == 0:
            ready = trained + ticks
        else:
            freed = taken[i - buffer] if i >= buffer else 0
            ready = np.maximum(ready, freed) + ticks
        taken.append(np.maximum(ready, trained))
        trained = taken[-1] + TRAIN
    return trained


def costs(mean, cached=False):
    """Return the ticks that each batch takes to prepare, one row for each run."""
    drawn = np.array(
        [
            np.random.default_rng(SEED + seed).integers(1, 2 * mean, size=(EPOCHS, BATCHES))
            for seed in range(RUNS)
        ]
    )
    if cached:
        drawn[:, 1:] = LOAD
    return drawn.reshape(RUNS, -1)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:g}")


rows = {}
print(f"medians of {RUNS} runs")
print(f"{'mean ticks to prepare':24}{'time':>8}{'GPU idle':>10}{'CPU ticks':>11}")
for name, mean, buffer, cached in (
    ("slow, no overlap", SLOW, 0, False),
    ("slow, one ahead", SLOW, 1, False),
    ("slow, prefetch", SLOW, AHEAD, False),
    ("quick, prefetch", QUICK, AHEAD, False),
    ("slow, prefetch, cache", SLOW, AHEAD, True),
    ("slower, no overlap", 2 * SLOW, 0, False),
    ("slower, prefetch", 2 * SLOW, AHEAD, False),
    ("slower, much prefetch", 2 * SLOW, 16 * AHEAD, False),
    ("slower, prefetch, cache", 2 * SLOW, AHEAD, True),
):
    prepare = costs(mean, cached)
    time, cpu = makespan(prepare, buffer), prepare.sum(axis=1)
    busy = TRAIN * BATCHES * EPOCHS
    rows[name] = time, cpu
    idle = np.median((time - busy) / time)
    bar = "░" * round(14 * np.median(cpu) / (2 * SLOW * BATCHES * EPOCHS))
    print(f"{name:24}{np.median(time):8.0f}{idle:10.1%}{np.median(cpu):11.0f} {bar}")
    assert (time >= np.maximum(busy, cpu)).all(), "no overlap beats the slower of the two"
    assert buffer or (time == busy + cpu).all(), "in turn, the two add up"

prefetched = rows["slow, prefetch"]
assert (prefetched[1] == rows["slow, no overlap"][1]).all(), "hidden, not spared"
print()
tell("time_without_overlap", rows["slow, no overlap"][0])
tell("time_with_one_ahead", rows["slow, one ahead"][0])
tell("time_with_prefetch", prefetched[0])
tell("time_saved_by_half_the_cost", prefetched[0] - rows["quick, prefetch"][0])
tell("cpu_share_at_half_the_cost", rows["quick, prefetch"][1] / prefetched[1])
tell("cpu_share_with_cache", rows["slow, prefetch, cache"][1] / prefetched[1])
tell("time_when_preparing_is_slower", rows["slower, much prefetch"][0])
print(f"training_ticks_alone: {busy}")
