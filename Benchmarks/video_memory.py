"""The memory that ffmpeg takes for videos, at its peak, for each size.

    python3 Benchmarks/video_memory.py .build/release/titlecard
"""

import os
import subprocess
import sys

SIZES = [(320, 180), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160)]
KINDS = [("webm", True), ("webm", False), ("mp4", False), ("mov", True), ("avif", True), ("avif", False)]


def peak(binary, format, has_alpha, width, height):
    """Bytes in memory of the larger of two processes, ours and that of ffmpeg."""
    options = dict(effect="slide", width=width, height=height, size=height // 8, duration=0.4, hold=0, fps=25)
    command = [binary, "render", "Hello memory", "--format", format, "-o", "/dev/null"]
    command += [word for name, value in options.items() for word in (f"--{name}", str(value))]
    process = subprocess.Popen(command + ([] if has_alpha else ["--background", "black"]), stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_maxrss * 1024


def main(binary):
    print("| MB |", " | ".join(f"{width}×{height}" for width, height in SIZES), "| bytes of a further pixel |")
    print("|---|" + "---|" * (len(SIZES) + 1))
    for format, has_alpha in KINDS:
        peaks = [peak(binary, format, has_alpha, *size) for size in SIZES]
        (first, last) = (SIZES[0][0] * SIZES[0][1], SIZES[-1][0] * SIZES[-1][1])
        slope = (peaks[-1] - peaks[0]) / (last - first)
        name = format + (" with alpha" if has_alpha else "")
        print(f"| {name} |", " | ".join(f"{bytes / 1e6:.0f}" for bytes in peaks), f"| {slope:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
