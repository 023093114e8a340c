"""The CPU of a node keeps one GPU busy but not eight; then some preprocessing moves to them.

Eight CPU cores prepare batches for a bounded queue, GPUs of the same node take them from it.
All is counted in ticks: what is best with one GPU is not best with eight.
"""

import numpy as np

QUEUE, TRAIN, TICKS = 16, 4, 2000
CORES = 8  # parameter: 1 to 64 cores
DECODE, AUGMENT, AUGMENT_ON_GPU, READ_DECODED = 8, 8, 1, 2
PLANS = {  # ticks a batch takes on a core, ticks it takes on a GPU
    "all_on_cpu": (DECODE + AUGMENT, TRAIN),
    "augment_on_gpu": (DECODE, AUGMENT_ON_GPU + TRAIN),  # busy with both
    "decoded_before": (READ_DECODED + AUGMENT, TRAIN),  # once, stored: larger to read
}


def node(gpus, core_ticks, gpu_ticks):
    """Run the node; return the batches trained on and the busy shares of cores and GPUs."""
    cores, devices = np.zeros(CORES, int), np.zeros(gpus, int)  # ticks left for their batch
    queue = done = 0
    busy = np.zeros(2)
    for _ in range(TICKS):
        room = QUEUE - queue - np.count_nonzero(cores)  # a batch begun has its place
        cores[np.flatnonzero(cores == 0)[: max(room, 0)]] = core_ticks
        idle = np.flatnonzero(devices == 0)[:queue]
        devices[idle] = gpu_ticks
        queue -= len(idle)
        busy += (cores > 0).mean(), (devices > 0).mean()
        queue += np.count_nonzero(cores == 1)
        done += np.count_nonzero(devices == 1)
        cores, devices = np.maximum(cores - 1, 0), np.maximum(devices - 1, 0)
    return done, *(busy / TICKS)


results = {}
print(f"{'GPUs':>4}  {'preprocessing':16}{'batches':>8}{'CPU busy':>10}{'GPUs busy':>11}")
for gpus in (1, 2, 4, 8):
    for name, plan in PLANS.items():
        done, cpu, gpu = results[gpus, name] = node(gpus, *plan)
        print(f"{gpus:4}  {name:16}{done:8}{cpu:10.0%}{gpu:11.0%}")
        most = min(CORES / plan[0], gpus / plan[1]) * TICKS
        assert done <= most, "nobody is faster than the busier of the two"

print()
for gpus in (1, 8):
    for name in PLANS:
        print(f"batches_{gpus}_gpus_{name}: {results[gpus, name][0]}")
print(f"gpu_busy_1_gpus_all_on_cpu: {results[1, 'all_on_cpu'][2]:.4g}")
print(f"gpu_busy_8_gpus_all_on_cpu: {results[8, 'all_on_cpu'][2]:.4g}")
print(f"cpu_busy_8_gpus_all_on_cpu: {results[8, 'all_on_cpu'][1]:.4g}")

print("\nchart: batches trained on in the same time, by the number of GPUs")
gpus = sorted({gpus for gpus, _ in results})
print("  GPUs:", *gpus)
for name in PLANS:
    print(f"  {name.replace('_', ' ')}:", *(results[n, name][0] for n in gpus))
print("  fa: دسته‌های به‌کاررفته در آموزش، در زمان برابر; تعداد GPU")
print("  fa: پیش‌پردازش روی CPU; بخشی روی GPU; رمزگشایی پیشاپیش")
