"""A Debian system of its own in a container, with systemd as its first process. Needs root."""

import os
import pathlib
import platform
import signal
import subprocess

from service import until

# What systemd counts its processes in: version 2 alone, or version 1 with or without version 2 beside it.
CGROUPS = [pathlib.Path("/sys/fs/cgroup"), pathlib.Path("/sys/fs/cgroup/systemd"), pathlib.Path("/sys/fs/cgroup/unified")]
# What dpkg, systemd, and the kernel keep for themselves.
STATE = ("dev", "proc", "run", "sys", "var/cache", "var/lib/apt", "var/lib/dpkg", "var/log")


def run(*command, **options):
    """The standard output of a command that succeeds."""
    result = subprocess.run(command, capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}"
    return result.stdout


class Machine:
    """A small system with some packages besides; `mounted` is its /mnt."""

    def __init__(self, folder, packages, mounted):
        self.root, self.mounted = folder / "root", mounted
        include = ",".join(["systemd-sysv", "dbus", *packages])
        suite = platform.freedesktop_os_release()["VERSION_CODENAME"]
        run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={include}", suite, str(self.root))
        self.cgroups = [each / f"titlecard-test-{os.getpid()}" for each in CGROUPS if (each / "cgroup.procs").exists()]

    def __enter__(self):
        for cgroup in self.cgroups:
            cgroup.mkdir()
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--boot"]
            + [f"--bind-ro={self.mounted}:/mnt", f"--directory={self.root}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=self.enter_cgroups,
        )
        until(self.has_started, "the start of the system")
        return self

    def __exit__(self, *_):
        # systemd-nspawn stops the system, and at the second signal ends it.
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()
        for cgroup in self.cgroups:
            for folder, _, _ in os.walk(cgroup, topdown=False):
                until(lambda: not pathlib.Path(folder, "cgroup.procs").read_text(), "the end of its processes")
                os.rmdir(folder)

    def enter_cgroups(self):
        for cgroup in self.cgroups:
            (cgroup / "cgroup.procs").write_text(str(os.getpid()))

    def has_started(self):
        assert self.process.poll() is None, self.process.stderr.read()
        path = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = path.read_text().split()
        if not children:
            return False
        self.first = children[0]
        return subprocess.run(
            [*self.within("--all"), "systemctl", "is-active", "--quiet", "multi-user.target"], stderr=subprocess.DEVNULL
        ).returncode == 0

    def within(self, *namespaces):
        """What a command begins with that runs in the system's namespaces."""
        return ["nsenter", "--target", self.first, *namespaces, "--"]

    def run(self, *command):
        """Runs a command of the system's."""
        return run(*self.within("--all"), *command)

    def beside(self, *command):
        """Runs a command of this machine's on the system's network."""
        return run(*self.within("--net"), *command)

    def files(self):
        """The paths of all files but `STATE`, each with its kind and mode, its size, and where it leads."""
        files = {}
        for folder, names, others in os.walk(self.root):
            here = pathlib.Path(folder)
            names[:] = [name for name in names if str((here / name).relative_to(self.root)) not in STATE]
            for name in [*names, *others]:
                path = here / name
                status = path.lstat()
                size = None if path.is_dir() else status.st_size
                target = os.readlink(path) if path.is_symlink() else None
                files[str(path.relative_to(self.root))] = (oct(status.st_mode), size, target)
        return files
