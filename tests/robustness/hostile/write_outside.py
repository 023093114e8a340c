"""Write into the home folder, beside the scratch folder, and where all may write."""

here = os.getcwd()
for place in (
    T["mark"],
    T["home"] + "/written",
    T["home"] + "/.ssh/authorized_keys",
    "/var/tmp/" + T["name"],
    "/dev/shm/" + T["name"],
    "/run/" + T["name"],
    os.path.dirname(here) + "/" + T["name"],
    here + "/../../" + T["name"],
):
    tries(f"wrote {place}", lambda: open(place, "w").write("x"))
    tries(f"made the folder {place}", lambda: os.mkdir(place + "-folder"))
