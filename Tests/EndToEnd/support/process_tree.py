"""What the system says of a process and all that it has started."""

import contextlib
import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1 << 20


def family(parent):
    """Returns a process and all that descend from it."""
    found = [parent]
    for pid in found:
        # Processes and threads may end between one look and the next.
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError):
                    found += map(int, pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def resident(pid, name="VmRSS"):
    """Returns the bytes of a process that are in memory (VmRSS), or were at most (VmHWM)."""
    with open(f"/proc/{pid}/status") as status:
        [line] = [line for line in status if line.startswith(name + ":")]
    return int(line.split()[1]) * 1024


def memory(pids):
    """Returns the bytes in memory of processes together (PSS)."""
    total = 0
    for pid in pids:
        try:
            lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def cpu(pids, with_ended=False):
    """Returns the seconds of user and system time of processes together, or also of their children that have ended."""
    ticks = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11 : 15 if with_ended else 13]))
    return ticks / TICKS
