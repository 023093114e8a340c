"""A spherical mask needs one coordinate vector per axis, no loop and no full grid.

The question's code fails for a tuple roi, calls norm once per voxel and returns
float64. The source's faster answer allocates more than the code it improves.
"""

import tracemalloc

import numpy as np


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
    return (z - roi[2]) ** 2 < radius**2 - (x - roi[0]) ** 2 - (y - roi[1]) ** 2


def sphere_box(volume, roi, radius):
    """The part of the volume that can hold the sphere, as slices, and its mask."""
    low = np.clip(np.floor(np.subtract(roi, radius)), 0, volume.shape).astype(int)
    high = np.clip(np.ceil(np.add(roi, radius)) + 1, 0, volume.shape).astype(int)
    box = tuple(map(slice, low, high))
    return box, sphere_mask(volume[box], roi - low, radius)


def peak_bytes(make, *arguments):
    """The most memory held at once during a call, as tracemalloc sees it."""
    tracemalloc.start()
    make(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


roi, radius = (12, 12, 12), 5
tiny, small, middle, large = (np.zeros((n, n, n), dtype=bool) for n in (12, 24, 32, 64))
errors = 0
try:
    make_mask(small, roi, radius)
except TypeError as error:
    errors += 1
    print("roi as a tuple:", error)

calls, norm = [], np.linalg.norm
np.linalg.norm = lambda difference: calls.append(1) or norm(difference)
make_mask(small, np.array(roi), radius)
np.linalg.norm = norm

for place, r in (((6, 6, 6), 5), ((1, 9, 11), 4.5), ((3.5, 8.25, 0.5), 3), ((40, 0, 0), 2)):
    box, inside = sphere_box(tiny, place, r)
    placed = np.zeros(tiny.shape, dtype=bool)
    placed[box] = inside
    expected = make_mask(tiny, np.array(place), r)
    for mask in (improved_mask(tiny, place, r), sphere_mask(tiny, place, r), placed):
        assert np.array_equal(mask, expected)

makers = (make_mask, improved_mask, sphere_mask, sphere_box)
peaks = {make: peak_bytes(make, middle, np.array(roi), radius) for make in makers}
assert peaks[sphere_box] < peaks[sphere_mask] < peaks[make_mask] < peaks[improved_mask]
print("\npeak memory for a 32x32x32 volume")
for make, peak in peaks.items():
    print(f"  {make.__name__:14}{peak:9} bytes")
print(f"original_peak_bytes: {peaks[make_mask]}")
print(f"improved_peak_bytes: {peaks[improved_mask]}")
print(f"improved_over_original_peak: {peaks[improved_mask] / peaks[make_mask]:.3g}")

print("\na 24x24x24 volume in the original code")
print(f"original_errors_with_tuple_roi: {errors}")
print(f"norm_calls: {len(calls)}")

whole, compact = improved_mask(large, roi, radius), sphere_mask(large, roi, radius)
print("\na 64x64x64 volume and radius 5")
print(f"improved_mask_voxels: {whole.size}")
print(f"small_box_voxels: {sphere_box(large, roi, radius)[1].size}")
print(f"indices_bytes: {np.indices(large.shape).nbytes}")
print(f"ogrid_bytes: {sum(axis.nbytes for axis in np.ogrid[:64, :64, :64])}")
print(f"mask_bytes_float64: {whole.nbytes}")
print(f"mask_bytes_bool: {compact.nbytes}")
