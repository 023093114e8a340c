"""Latency is a distribution: at 90 % load the 99th percentile is dozens of service times.

Requests arrive at random at one server; waiting times follow from Lindley's recursion.
A second server answers several requests at once: more throughput, and more latency if it waits.
Service times, and what a batch costs, are assumed; the tables have the medians of all runs.
"""

from bisect import bisect_right

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BATCHED, RUNS = 800, 200
REQUESTS = 50_000  # parameter: 5_000 to 100_000 requests


def latencies(loads, seed):
    """Yield waiting plus service of each request, by load; the mean service time is 1."""
    rng = np.random.default_rng(SEED + seed)
    service, gaps = rng.exponential(size=(2, REQUESTS))
    for load in loads:
        walk = np.cumsum(np.append(0.0, service[:-1] - gaps[1:] / load))
        yield walk - np.minimum.accumulate(walk) + service  # W = max(0, W + S - A), unrolled


def batched(rate, size, wait_until_full, seed, requests=BATCHED):
    """Return latencies and the server's busy share when it takes up to `size` at once."""
    arrivals = np.random.default_rng(SEED + seed).exponential(1 / rate, size=requests).cumsum()
    times, done, now, first, busy = arrivals.tolist(), [], 0.0, 0, 0.0
    while first < requests:
        full = min(first + size, requests)
        ready = times[full - 1 if wait_until_full else first]
        now = max(now, ready)
        last = bisect_right(times, now, first, full)  # who has arrived by now
        cost = 0.8 + 0.2 * (last - first)  # a fixed part, and a part for each request
        now += cost
        done += [now] * (last - first)
        busy, first = busy + cost, last
    return np.array(done) - arrivals, busy / now


def summary(times):
    """Return the mean, p50 and p99 of a run."""
    return times.mean(), *np.percentile(np.sort(times), (50, 99))


def percentiles(summaries):
    """Return the 5th percentile, median and 95th of the runs' mean, p50 and p99."""
    return np.quantile(summaries, (0.05, 0.5, 0.95), axis=0).T


def print_figures(name, spread):
    for which, value in zip(("p5", "median", "p95"), spread):
        print(f"{name}_{which}: {value:.4g}")


print(f"{'load':>6}{'mean':>8}{'p50':>8}{'p99':>8}")
loads, tails = (0.3, 0.5, 0.7, 0.9), {}
runs = [[summary(times) for times in latencies(loads, seed)] for seed in range(RUNS)]
for load, summaries in zip(loads, zip(*runs)):
    tails[load] = percentiles(summaries)
    print(f"{load:6}" + "".join(f"{t:8.2f}" for t in tails[load][:, 1]))

print()
print(f"{'requests per unit':>18}{'batches of':>12}{'starts':>12}{'busy':>7}{'p50':>9}{'p99':>9}")
batch = {}
for rate in (0.2, 0.9, 2.5):
    for size, full in ((1, False), (8, False), (8, True)):
        if rate < 1 or size > 1:  # one at a time, the server can do at most 1 per unit
            runs, busy = zip(*(batched(rate, size, full, seed) for seed in range(RUNS)))
            batch[rate, size, full] = percentiles([summary(times) for times in runs])
            row = (
                f"{rate:18}{size:12}{'when full' if full else 'at once':>12}{np.median(busy):7.2f}"
            )
            print(row + "".join(f"{t:9.2f}" for t in batch[rate, size, full][1:, 1]))

print()
print(f"runs: {RUNS}")
for load in (0.5, 0.9):
    for name, spread, exact in zip(
        ("mean", "p50", "p99"), tails[load], (1, np.log(2), np.log(100))
    ):
        print_figures(f"{name}_at_load_{load:.1f}".replace(".", "_"), spread)
        # the time in this queue is exponential too, with the mean 1 / (1 - load)
        print(f"{name}_by_formula_at_load_{load:.1f}".replace(".", "_"), end=": ")
        print(f"{exact / (1 - load):.4g}")
print_figures("p50_at_rate_0_2_batches_at_once", batch[0.2, 8, False][1])
print_figures("p50_at_rate_0_2_batches_when_full", batch[0.2, 8, True][1])
print_figures("p99_at_rate_0_9_one_by_one", batch[0.9, 1, False][2])
print_figures("p99_at_rate_0_9_batches_at_once", batch[0.9, 8, False][2])

print("\nchart: time to an answer, in times that the service itself takes")
print("  load:", *tails)
for name, values in zip(("mean", "median", "99th percentile"), zip(*tails.values())):
    print(f"  {name}:", *(f"{spread[1]:.3g}" for spread in values))
print("  fa: تأخیر پاسخ، چند برابر زمان سرویس; بار")
print("  fa: میانگین; میانه; صدک ۹۹")
