"""Data, pipeline and tensor parallelism combine in one mesh of devices, with the same gradient.

Every device holds its own arrays only, and the values that pass from one to another are counted
by the axis of the mesh they pass along. Two of the axes split the model, one splits the data.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BLOCKS, WIDTH, HIDDEN, BATCH, MICRO = 4, 16, 64, 32, 4
assert BLOCKS % 2 == HIDDEN % 2 == MICRO % 2 == 0, "stages, shards and replicas come in twos"
assert BATCH % MICRO == 0, "micro-batches of equal size"
rng = np.random.default_rng(SEED + 16)
x, target = rng.normal(size=(2, BATCH, WIDTH))
into = rng.normal(size=(BLOCKS, WIDTH, HIDDEN)) / 4  # a block is relu(x @ into) @ out_of
out_of = rng.normal(size=(BLOCKS, HIDDEN, WIDTH)) / 8
sent = {}


def pass_on(axis, arrays, receivers=1):
    """Count the values that devices send along an axis."""
    sent[axis] += receivers * sum(array.size for array in arrays)
    return arrays


def all_sum(axis, arrays):
    """Give every device of the axis the sum of what each of them has."""
    pass_on(axis, arrays, receivers=len(arrays) - 1)
    return [sum(arrays)] * len(arrays)


def cut(s, t, deep, part):
    """Where the weights of stage s and shard t stand in the whole ones."""
    blocks, units = slice(s * deep, (s + 1) * deep), slice(t * part, (t + 1) * part)
    return (blocks, slice(None), units), (blocks, units)


def forward_backward(rows, weights, grads, deep, tensor):
    """Pass a micro-batch through all stages and back; add to the gradient of every device."""
    act, kept = [x[rows]] * tensor, []
    for block in range(BLOCKS):
        s, b = divmod(block, deep)
        if s and not b:
            act = pass_on("pipeline", act)
        hidden = [np.maximum(act[t] @ weights[s, t][0][b], 0) for t in range(tensor)]
        kept.append((act, hidden))
        act = all_sum("tensor", [h @ weights[s, t][1][b] for t, h in enumerate(hidden)])
    back = [(a - target[rows]) / BATCH for a in act]
    for block in reversed(range(BLOCKS)):
        s, b = divmod(block, deep)
        below = []
        for t, (a, h) in enumerate(zip(*kept.pop())):
            grads[s, t][1][b] += h.T @ back[t]
            inner = (back[t] @ weights[s, t][1][b].T) * (h > 0)
            grads[s, t][0][b] += a.T @ inner
            below.append(inner @ weights[s, t][0][b].T)
        back = all_sum("tensor", below)
        if s and not b:
            back = pass_on("pipeline", back)


def gradient(data, stages, tensor):
    """Return the gradient, gathered from the mesh, and the values of weights on one device."""
    sent.update(dict.fromkeys(("data", "pipeline", "tensor"), 0))
    deep, part = BLOCKS // stages, HIDDEN // tensor
    cuts = {(s, t): cut(s, t, deep, part) for s in range(stages) for t in range(tensor)}
    weights = {place: (into[a].copy(), out_of[b].copy()) for place, (a, b) in cuts.items()}
    replicas = []
    for rows in np.split(np.arange(BATCH), data):  # on real devices these run side by side
        grads = {place: [np.zeros_like(w) for w in held] for place, held in weights.items()}
        for micro in np.split(rows, MICRO // data):
            forward_backward(micro, weights, grads, deep, tensor)
        replicas.append(grads)
    whole = np.empty_like(into), np.empty_like(out_of)
    for place, where in cuts.items():
        for k in (0, 1):
            whole[k][where[k]] = all_sum("data", [grads[place][k] for grads in replicas])[0]
    return whole, sum(w.size for w in weights[0, 0])


alone, _ = gradient(1, 1, 1)
print("data x pipeline x tensor   weights on one   values sent along")
print("                                            data  pipeline  tensor")
held, equal, passed = {}, {}, {}
for mesh in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (2, 2, 2)):
    whole, held[mesh] = gradient(*mesh)
    equal[mesh] = sum(np.isclose(a, b, rtol=1e-9, atol=1e-12).sum() for a, b in zip(whole, alone))
    passed[mesh] = sum(sent.values())
    row = "   {:>2} x {} x {}".format(*mesh)
    print(f"{row:24}{held[mesh]:12,}{sent['data']:16,}{sent['pipeline']:10,}{sent['tensor']:8,}")
assert set(equal.values()) == {into.size + out_of.size}, "the same gradient on every mesh"

print()
print(f"devices: {np.prod(mesh)}")
print(f"gradients_equal: {equal[mesh]}")
print(f"gradients_in_all: {into.size + out_of.size}")
for name, split in (("data", (2, 1, 1)), ("pipeline", (1, 2, 1)), ("tensor", (1, 1, 2))):
    print(f"weights_on_one_{name}_only: {held[split]}")
    print(f"values_sent_{name}_only: {passed[split]}")
print(f"weights_on_one_hybrid: {held[2, 2, 2]}")
