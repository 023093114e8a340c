"""Make folders deeper than a path can name, and shut them."""
# Ends: killed, ok

for _ in range(900):
    os.mkdir("d" * 60)
    os.chdir("d" * 60)
    open("f", "w").close()
os.mkdir("shut", 0)
os.mkdir("locked", 0o100)
