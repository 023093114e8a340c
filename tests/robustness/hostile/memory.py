"""Take ten gigabytes."""
# Ends: failed

held = [bytearray(1 << 20) for _ in range(10_000)]
harm("took ten gigabytes")
