"""A spherical mask needs three coordinate vectors, no loop and no full-size grid.

The question's code fails when roi is a tuple, calls norm once per voxel and returns
float64; the usual vectorised answer is fast but holds more memory, not less.
"""

import tracemalloc

import numpy as np


# The question, as asked.
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


# The answer of the source.
def improved_mask(volume, roi, radius):
    x, y, z = np.indices(volume.shape)
    indices = np.sqrt((x - roi[0]) ** 2 + (y - roi[1]) ** 2 + (z - roi[2]) ** 2) < radius
    mask = np.zeros(volume.shape)
    mask[indices] = 1
    return mask


# What a mask needs.
def sphere_mask(volume, roi, radius):
    """Compare squared distances, summed from one vector per axis by broadcasting."""
    x, y, z = np.ogrid[tuple(map(slice, volume.shape))]
    return (x - roi[0]) ** 2 + (y - roi[1]) ** 2 + (z - roi[2]) ** 2 < radius**2


def sphere_box(volume, roi, radius):
    """The box around the sphere, as slices of the volume, and the mask inside it."""
    roi = np.asarray(roi)
    low = np.clip(np.floor(roi - radius), 0, volume.shape).astype(int)
    high = np.clip(np.ceil(roi + radius) + 1, 0, volume.shape).astype(int)
    box = tuple(map(slice, low, high))
    return box, sphere_mask(volume[box], roi - low, radius)


def peak_bytes(make, *arguments):
    """The most memory that NumPy and Python held at once during a call."""
    tracemalloc.start()
    make(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def count_calls(function, calls):
    def counting(*arguments):
        calls.append(1)
        return function(*arguments)

    return counting
