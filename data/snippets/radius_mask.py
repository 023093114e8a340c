"""A spherical mask needs one coordinate vector per axis, no loop and no full grid.

The question's code fails for a tuple roi, makes thousands of small calls and returns
float64. The source's answer does the same arithmetic at once, in five times the memory.
"""

import tracemalloc

import numpy as np

ROI, RADIUS = (12, 12, 12), 5
assert all(RADIUS < c < 24 - RADIUS for c in ROI), "the sphere lies inside 24x24x24"

# What came with the texts, copied as it stands there.
COPIED = {
    "prompt": "In [2]:\nimport numpy as np",
    "lost_indentation": "def within_radius(a, b, radius):\nreturn 1",
    "translated_import": "numpy را به عنوان np وارد کنید",
}


# The question's two functions, as asked.
def within_radius(a, b, radius):
    if np.linalg.norm(a - b) < radius:
        return 1
    return 0


def make_mask(volume, roi, radius):
    mask = np.zeros(volume.shape)
    for x in range(volume.shape[0]):
        for y in range(volume.shape[1]):
            for z in range(volume.shape[2]):
                mask[x, y, z] = within_radius((x, y, z), roi, radius)
    return mask


def improved_mask(volume, roi, radius):
    """The source's answer."""
    x, y, z = np.indices(volume.shape)
    indices = np.sqrt((x - roi[0])**2 + (y - roi[1])**2 + (z - roi[2])**2) < radius  # fmt: skip
    mask = np.zeros(volume.shape)
    mask[indices] = 1
    return mask


def sphere_mask(volume, roi, radius):
    """One vector per axis, squares without a root; only the answer is full-sized."""
    x, y, z = np.ogrid[tuple(map(slice, volume.shape))]
    return (z - roi[2]) ** 2 < float(radius) ** 2 - (x - roi[0]) ** 2 - (y - roi[1]) ** 2


def sphere_box(volume, roi, radius):
    """The part of the volume that can hold the sphere, as slices, and its mask."""
    radius = float(radius)  # small integers would wrap: 3 - 5 is 254 in uint8
    low = np.clip(np.floor(np.subtract(roi, radius)), 0, volume.shape).astype(int)
    high = np.clip(np.ceil(np.add(roi, radius)) + 1, 0, volume.shape).astype(int)
    box = tuple(map(slice, low, high))
    return box, sphere_mask(volume[box], roi - low, radius)


def sphere_rows(volume, roi, radius):
    """Each row along z meets the sphere in one run: x and y, first voxel, one past the last."""
    x, y = np.ogrid[: volume.shape[0], : volume.shape[1]]
    half = np.sqrt(np.maximum(float(radius) ** 2 - (x - roi[0]) ** 2 - (y - roi[1]) ** 2, 0))
    first = np.maximum(np.floor(roi[2] - half) + 1, 0)  # a voxel at the radius is outside
    stop = np.minimum(np.ceil(roi[2] + half), volume.shape[2])
    x, y = np.nonzero(first < stop)
    return x, y, first[x, y].astype(int), stop[x, y].astype(int)


class Counted(np.ndarray):
    """An array that counts the NumPy calls on it, and the numbers these compute."""

    calls = operations = 0

    def __getitem__(self, key):
        return np.asarray(super().__getitem__(key)).view(Counted)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        inputs = [np.asarray(i) for i in inputs]
        result = np.asarray(getattr(ufunc, method)(*inputs, **options))
        Counted.calls += 1
        Counted.operations += result.size if method == "__call__" else inputs[0].size - 1
        return result.view(Counted)


def peak_bytes(make, *arguments):
    """The most memory held at once during a call, as tracemalloc sees it."""
    tracemalloc.start()
    make(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def fails(run, *arguments, expected):
    """1 if a call raises the error that is expected, else 0."""
    try:
        run(*arguments)
    except expected as error:
        print(f"{type(error).__name__}: {error}"[:72])
        return 1
    return 0


tiny, small, middle, large = (np.zeros((n, n, n), dtype=bool) for n in (12, 24, 32, 64))
errors = {
    kind.__name__: fails(make_mask, small, kind(ROI), RADIUS, expected=TypeError)
    for kind in (tuple, list, np.array)
}
copied = {
    name: fails(compile, code, "", "exec", expected=SyntaxError) for name, code in COPIED.items()
}

byte_place = np.array((3, 3, 3), dtype=np.uint8)
balls = ((6, 6, 6), 5), ((1, 9, 11), 4.5), ((3.5, 8.25, 0.5), 3), ((40, 0, 0), 2), (byte_place, 5)
for place, r in balls:
    boxed, filled = np.zeros((2, *tiny.shape), dtype=bool)
    box, inside = sphere_box(tiny, place, r)
    boxed[box] = inside
    for x, y, first, stop in zip(*sphere_rows(tiny, place, r)):
        filled[x, y, first:stop] = True
    expected = make_mask(tiny, np.array(place), r)
    for mask in (improved_mask(tiny, place, r), sphere_mask(tiny, place, r), boxed, filled):
        assert np.array_equal(mask, expected), "every way gives the mask of the loops"

byte = np.uint8(20)
squared = sphere_mask(small, ROI, np.sqrt(float(byte**2)))  # 144 in place of 400
assert np.array_equal(sphere_mask(small, ROI, byte), make_mask(small, np.array(ROI), byte))

print("\nNumPy calls and operations for 24x24x24, peak memory for 32x32x32")
print(f"  {'':15}{'calls':>8}{'operations':>12}{'bytes':>9}")
makers = (make_mask, improved_mask, sphere_mask, sphere_box, sphere_rows)
peaks = {make: peak_bytes(make, middle, np.array(ROI), RADIUS) for make in makers}
calls, norm, cost = [], np.linalg.norm, {}
# The same norm, but of Counted arrays.
np.linalg.norm = lambda v: calls.append(1) or np.sqrt(np.add.reduce(v * v))
for make, peak in peaks.items():
    Counted.calls = Counted.operations = 0
    make(small, np.array(ROI).view(Counted), RADIUS)
    cost[make] = Counted.operations
    print(f"  {make.__name__:15}{Counted.calls:8}{Counted.operations:12}{peak:9}")
np.linalg.norm = norm
ratio = peaks[improved_mask] / peaks[make_mask]
assert peaks[sphere_box] < peaks[sphere_mask] < peaks[make_mask], "a box and bytes hold less"
assert cost[sphere_box] < cost[sphere_mask] < cost[improved_mask] == cost[make_mask]

whole, compact = improved_mask(large, ROI, RADIUS), sphere_mask(large, ROI, RADIUS)
print()
for kind, error in errors.items():
    print(f"original_errors_with_{kind}_roi: {error}")
for name, error in copied.items():
    print(f"copied_{name}_errors: {error}")
print(f"norm_calls: {len(calls)}")
print(f"original_operations: {cost[make_mask]}")
print(f"improved_operations: {cost[improved_mask]}")
print(f"sphere_mask_operations: {cost[sphere_mask]}")
print(f"original_peak_bytes: {peaks[make_mask]}")
print(f"improved_peak_bytes: {peaks[improved_mask]}")
print(f"sphere_mask_peak_bytes: {peaks[sphere_mask]}")
print(f"improved_over_original_peak: {ratio:.3g}")
print("a 24x24x24 volume and the radius 20, as a byte")
print(f"byte_radius_voxels: {sphere_mask(small, ROI, byte).sum()}")
print(f"byte_radius_squared_as_byte_voxels: {squared.sum()}")
print(f"byte_lower_bound: {np.subtract(byte_place, 5)[0]}")
print(f"a 64x64x64 volume and radius {RADIUS}")
print(f"improved_mask_voxels: {whole.size}")
print(f"improved_mask_ones: {np.count_nonzero(whole)}")
print(f"small_box_voxels: {sphere_box(large, ROI, RADIUS)[1].size}")
print(f"indices_bytes: {np.indices(large.shape).nbytes}")
print(f"ogrid_bytes: {sum(axis.nbytes for axis in np.ogrid[:64, :64, :64])}")
print(f"mask_bytes_float64: {whole.nbytes}")
print(f"mask_bytes_bool: {compact.nbytes}")
