"""Preprocessing is held up by the CPU only until enough workers feed the slowest other part.

Examples pass from storage through CPU workers to a GPU, with bounded queues between them, one
tick at a time. The part that is always busy is the bottleneck, and it moves.
"""

import numpy as np

TICKS, ROOM = 3000, 24  # ROOM: examples that may wait or be in the making after a part
PARTS = ("storage", "CPU", "GPU")


def run(units, cost):
    """Return the busy share of each part and the examples that came out in TICKS."""
    waiting = [TICKS, 0, 0, 0]  # before storage, before the CPU, before the GPU, finished
    left = [[], [], []]  # ticks still to go, for each example in each part
    worked = np.zeros(len(PARTS), dtype=int)
    for _ in range(TICKS):
        for p in reversed(range(len(PARTS))):  # from the end: room is made before it is filled
            last = p == len(PARTS) - 1
            while len(left[p]) < units[p] and waiting[p]:
                if not last and waiting[p + 1] + len(left[p]) >= ROOM:
                    break  # nowhere to put the result: this part must wait
                waiting[p] -= 1
                left[p].append(cost[p])
        for p, ticks in enumerate(left):
            worked[p] += len(ticks)
            waiting[p + 1] += ticks.count(1)  # these are done at the end of this tick
            left[p] = [n - 1 for n in ticks if n > 1]
    return worked / (TICKS * np.array(units)), waiting[-1]


figures = {}
print(
    f"{'storage':>7}{'workers':>8}  " + "".join(f"{part:13}" for part in PARTS) + "out  held up by"
)
for storage in (2, 5):  # ticks to read an example; preparing takes 12, training on it 3
    for workers in (1, 2, 3, 4, 6, 8):
        shares, out = run((1, workers, 1), (storage, 12, 3))
        bars = "".join(f"{'█' * round(8 * share):8}{share:4.0%} " for share in shares)
        print(f"{storage:7}{workers:8}  {bars}{out:4}  {PARTS[shares.argmax()]}")
        figures[storage, workers] = (*shares, out)
        rate = min(1 / storage, workers / 12, 1 / 3)  # the slowest part sets the pace
        assert abs(out - TICKS * rate) < 30


def enough(storage):
    """Return the fewest workers with which the CPU is no longer the only limit."""
    outs = {w: out for (s, w), (*_, out) in figures.items() if s == storage}
    return min(w for w in outs if outs[w] >= max(outs.values()) - 30)


print()
print(f"gpu_busy_with_1_worker: {figures[2, 1][2]:.3g}")
print(f"cpu_busy_with_1_worker: {figures[2, 1][1]:.3g}")
print(f"workers_that_feed_the_gpu: {enough(2)}")
print(f"cpu_busy_with_8_workers: {figures[2, 8][1]:.3g}")
print(f"gpu_busy_with_8_workers: {figures[2, 8][2]:.3g}")
print(f"workers_that_keep_up_with_slow_storage: {enough(5)}")
print(f"cpu_busy_with_8_workers_slow_storage: {figures[5, 8][1]:.3g}")
print(f"storage_busy_with_8_workers_slow_storage: {figures[5, 8][0]:.3g}")
