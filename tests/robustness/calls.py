"""The numbers of the system calls that hostile programs make, by architecture."""

from __future__ import annotations

CALLS = {
    "x86_64": {
        "acct": 163, "add_key": 248, "bpf": 321, "capset": 126, "chroot": 161, "clone": 56,
        "clone3": 435, "execve": 59, "execveat": 322, "fanotify_init": 300, "fchmodat": 268,
        "fchmodat2": 452, "fork": 57, "fsopen": 430, "init_module": 175, "inotify_init1": 294,
        "io_uring_setup": 425, "iopl": 172, "ioprio_set": 251, "kcmp": 312, "kexec_load": 246,
        "keyctl": 250, "landlock_create_ruleset": 444, "memfd_create": 319, "memfd_secret": 447,
        "mlockall": 151, "modify_ldt": 154, "mount": 165, "name_to_handle_at": 303,
        "open_by_handle_at": 304, "open_tree": 428, "openat": 257, "perf_event_open": 298,
        "personality": 135, "pidfd_getfd": 438, "pidfd_open": 434, "pidfd_send_signal": 424,
        "pivot_root": 155, "process_madvise": 440, "process_vm_readv": 310,
        "process_vm_writev": 311, "quotactl": 179, "reboot": 169, "request_key": 249,
        "rt_sigqueueinfo": 129, "seccomp": 317, "setfsuid": 122, "setgid": 106, "setgroups": 116,
        "sethostname": 170, "setns": 308, "setpgid": 109, "setpriority": 141, "setresgid": 119,
        "setresuid": 117, "setreuid": 113, "setsid": 112, "settimeofday": 164, "setuid": 105,
        "swapon": 167, "syslog": 103, "tgkill": 234, "tkill": 200, "umount2": 166, "unshare": 272,
        "userfaultfd": 323, "vfork": 58, "vmsplice": 278,
    },
    "aarch64": {
        "acct": 89, "add_key": 217, "bpf": 280, "capset": 91, "chroot": 51, "clone": 220,
        "clone3": 435, "execve": 221, "execveat": 281, "fanotify_init": 262, "fchmodat": 53,
        "fchmodat2": 452, "fsopen": 430, "init_module": 105, "inotify_init1": 26,
        "io_uring_setup": 425, "ioprio_set": 30, "kcmp": 272, "kexec_load": 104, "keyctl": 219,
        "landlock_create_ruleset": 444, "memfd_create": 279, "memfd_secret": 447, "mlockall": 230,
        "mount": 40, "open_tree": 428, "openat": 56, "perf_event_open": 241, "personality": 92,
        "pidfd_getfd": 438, "pidfd_open": 434, "pidfd_send_signal": 424, "pivot_root": 41,
        "process_madvise": 440, "process_vm_readv": 270, "process_vm_writev": 271, "quotactl": 60,
        "reboot": 142, "request_key": 218, "rt_sigqueueinfo": 138, "seccomp": 277,
        "setfsuid": 151, "setgid": 144, "setgroups": 159, "sethostname": 161, "setns": 268,
        "setpgid": 154, "setpriority": 140, "setresgid": 149, "setresuid": 147, "setreuid": 145,
        "setsid": 157, "settimeofday": 170, "setuid": 146, "swapon": 224, "syslog": 116,
        "tgkill": 131, "tkill": 130, "umount2": 39, "unshare": 97, "userfaultfd": 282,
        "vmsplice": 75,
    },
}  # fmt: skip
