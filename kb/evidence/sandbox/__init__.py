"""How a program is shut in: what it may take, reach and ask the kernel for.

``levels``      strong, good, limits-only: which this machine truly gives, and what each shuts
``canary``      a program that tries what none may do: how a level is found out
``pool``        the owner's side of the pre-forked processes
``scratch``     the owner's side of the folders that programs write in
``bubblewrap``  a file system, network and processes of their own
``server``      the pre-forked process: a fork for each run
``supervisor``  the process above a program: starts, watches, ends it, reports
``report``      the line in which it does
``program``     the process of a program: shuts itself in, runs it
``landlock``, ``seccomp``, ``syscalls``, ``limits``, ``kernel``  what it does that with
``folder``      the folder a run may write in
``places``      what a program may read
"""
