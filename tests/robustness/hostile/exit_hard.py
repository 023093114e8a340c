"""End without a word."""
# Ends: failed

os._exit(7)
