"""Make one file of a terabyte."""
# Ends: killed, failed

with open("large", "wb") as file:
    file.truncate(1 << 40)
harm("made a file of a terabyte")
