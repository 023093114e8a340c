"""Streaming makes a large dataset fit; overlapping fetch and computing only hides the waiting.

Shards are fetched into a bounded buffer and trained on once; ticks are counted, and the bytes
held. A slot is taken while its shard is fetched and freed when it has been trained on.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
SHARDS, ROWS, WIDTH, RATE = 64, 128, 16, 0.1
FETCH, SLOW_FETCH, EVERY, COMPUTE = 2, 10, 8, 4  # ticks; every eighth fetch is slow
truth = np.random.default_rng(SEED + 15).normal(size=WIDTH + 1)


def read(shard):
    """Return a shard as it lies on the disk: rows of features and, last, the target."""
    x = np.random.default_rng(SEED + shard).normal(size=(ROWS, WIDTH + 1))
    x[:, -1] = x[:, :-1] @ truth[:-1] + truth[-1]
    return x


def train(w, rows):
    """Make one step of SGD on a shard."""
    x, y = rows[:, :-1], rows[:, -1]
    return w - RATE * x.T @ (x @ w - y) / len(rows)


def epoch(slots, wait_for_all=False):
    """Return the weights after an epoch, its ticks, the bytes held and who worked when."""
    w, buffer, fetching, ready, trained = np.zeros(WIDTH), [], 0, 0, 0
    fetch_left = compute_left = held = 0
    lanes = ["", ""]
    while trained < SHARDS:
        if not fetch_left and fetching < SHARDS and len(buffer) < slots:
            buffer.append(read(fetching))  # its memory is taken from now on
            fetching += 1
            fetch_left = FETCH if fetching % EVERY else SLOW_FETCH
        if not compute_left and ready > trained and (ready == SHARDS or not wait_for_all):
            compute_left = COMPUTE
        held = max(held, sum(rows.nbytes for rows in buffer))
        lanes = [lanes[0] + "·█"[fetch_left > 0], lanes[1] + "·█"[compute_left > 0]]
        if fetch_left:
            fetch_left -= 1
            ready += not fetch_left
        if compute_left:
            compute_left -= 1
            if not compute_left:
                w = train(w, buffer.pop(0))
                trained += 1
    return w, len(lanes[0]), held, lanes


dataset = SHARDS * read(0).nbytes
memory = dataset // 8
plans = {
    "load all, then train": (SHARDS, True),
    "overlapped, no bound": (SHARDS, False),
    "stream, 1 slot": (1, False),
    "stream, 2 slots": (2, False),
    "stream, 4 slots": (4, False),
}
results = {name: epoch(*plan) for name, plan in plans.items()}
print(f"a dataset of {dataset:,} bytes, a memory of {memory:,}")
for name, (w, ticks, held, lanes) in results.items():
    assert np.array_equal(w, results["load all, then train"][0]), "the same training"
    print(
        f"\n{name}: {ticks} ticks, {held:,} bytes, {'fits' if held <= memory else 'does not fit'}"
    )
    print("\n".join(f"  {who:8}{lane[:62]}" for who, lane in zip(("fetch", "train"), lanes)))
one, two, four = (results[name] for name in list(plans)[2:])
assert one[1] >= two[1] >= four[1], "another slot costs no time"

print()
print(f"dataset_over_memory: {dataset / memory:g}")
print(f"held_over_memory_when_loaded: {results['load all, then train'][2] / memory:g}")
print(f"held_over_memory_overlapped: {results['overlapped, no bound'][2] / memory:g}")
print(f"shards_held_1_slot: {one[2] / read(0).nbytes:g}")
print(f"shards_held_2_slots: {two[2] / read(0).nbytes:g}")
print(f"ticks_1_slot: {one[1]}")
print(f"ticks_2_slots: {two[1]}")
print(f"ticks_4_slots: {four[1]}")
print(f"ticks_of_training: {one[3][1].count('█')}")
