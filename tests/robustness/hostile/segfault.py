"""Read where nothing is."""
# Ends: killed

ctypes.string_at(0)
