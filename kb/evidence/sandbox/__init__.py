"""The isolation of a program: its limits, its files and its system calls.

``levels``      strong, good, limits-only: the level of this machine, and what each isolates;
                bubblewrap: a separate file system, network and process tree
``canary``      a program that tries everything forbidden, to find the level
``scratch``     the temporary folder of a run, created and removed by the client
``protocol``    the messages between client and supervisor
``supervisor``  the parent process of a program: starts, watches, ends it, reports
``program``     the process of a program: limits and isolates itself, then runs it
``landlock``, ``seccomp``, ``kernel``  the layers of that isolation
``folder``      the size of that folder during a run, and its removal
``places``      the paths that a program may read
"""
