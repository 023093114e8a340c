"""Prefetching hides preprocessing behind training but spares the CPU nothing; a cache does both.

Batches are prepared and trained on for five epochs; ticks are counted on a CPU and a GPU. Once
preparing is the quicker of the two and overlapped, making it quicker still saves no time. (What
is random, such as augmentation, must stay behind the cache, or every epoch sees the same.)
"""

import numpy as np

BATCHES, EPOCHS, TRAIN, LOAD = 200, 5, 12, 1  # ticks to train on a batch, to load a kept one


def makespan(prepare, buffer):
    """Return when training ends if preparing runs up to `buffer` batches ahead (0: no overlap)."""
    ready = trained = 0
    taken = []  # when training took each batch out of the buffer
    for i, ticks in enumerate(prepare):  # every batch depends on the ones before
        if buffer == 0:
            ready = trained + ticks
        else:
            freed = taken[i - buffer] if i >= buffer else 0
            ready = max(ready, freed) + ticks
        taken.append(max(ready, trained))
        trained = taken[-1] + TRAIN
    return trained


def costs(mean, cached=False):
    """Return the ticks that each batch of each epoch takes to prepare."""
    drawn = np.random.default_rng(7).integers(1, 2 * mean, size=(EPOCHS, BATCHES))
    if cached:
        drawn[1:] = LOAD
    return drawn.ravel()


rows = {}
print(f"{'mean ticks to prepare':24}{'time':>7}{'GPU idle':>10}{'CPU ticks':>11}")
for name, mean, buffer, cached in (
    ("10, no overlap", 10, 0, False),
    ("10, prefetch 1", 10, 1, False),
    ("10, prefetch 4", 10, 4, False),
    ("5, prefetch 4", 5, 4, False),
    ("10, prefetch 4, cache", 10, 4, True),
    ("20, no overlap", 20, 0, False),
    ("20, prefetch 4", 20, 4, False),
    ("20, prefetch 64", 20, 64, False),
    ("20, prefetch 4, cache", 20, 4, True),
):
    prepare = costs(mean, cached)
    time = makespan(prepare, buffer)
    busy = TRAIN * prepare.size
    rows[name] = time, prepare.sum()
    bar = "░" * round(14 * prepare.sum() / 20_000)
    print(f"{name:24}{time:7}{(time - busy) / time:10.1%}{prepare.sum():11} {bar}")
    assert time >= max(busy, prepare.sum())  # no overlap beats the slower of the two
    assert buffer or time == busy + prepare.sum()
assert rows["10, prefetch 4"][1] == rows["10, no overlap"][1]  # hidden, not spared

print()
print(f"time_without_overlap: {rows['10, no overlap'][0]}")
print(f"time_with_prefetch: {rows['10, prefetch 4'][0]}")
print(f"time_with_prefetch_at_half_the_cost: {rows['5, prefetch 4'][0]}")
print(f"training_ticks_alone: {TRAIN * BATCHES * EPOCHS}")
print(f"cpu_ticks_without_overlap: {rows['10, no overlap'][1]}")
print(f"cpu_ticks_with_prefetch: {rows['10, prefetch 4'][1]}")
print(f"cpu_ticks_with_cache: {rows['10, prefetch 4, cache'][1]}")
print(f"time_when_preparing_is_slower: {rows['20, prefetch 64'][0]}")
