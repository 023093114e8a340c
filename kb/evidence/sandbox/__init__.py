"""The isolation of a program: its limits, its files and its system calls.

``levels``      strong, good, limits-only: which this machine truly gives, and what each shuts
``canary``      a program that tries what none may do: how a level is found out
``scratch``     the folder that a program writes in, made and swept by the owner of the run
``bubblewrap``  a file system, network and processes of their own
``protocol``    what the owner and the supervisor tell each other
``supervisor``  the process above a program: starts, watches, ends it, reports
``program``     the process of a program: shuts itself in, runs it
``landlock``, ``seccomp``, ``limits``, ``kernel``  what it does that with
``folder``      how that folder is measured while a program runs, and removed
``places``      what a program may read
"""
