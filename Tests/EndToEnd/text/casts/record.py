"""Records the casts beside it: shells on a terminal, to which keys are sent one by one.

    python3 Tests/EndToEnd/text/casts/record.py
"""

import codecs
import fcntl
import json
import os
import pathlib
import pty
import select
import struct
import subprocess
import tempfile
import termios
import time

FOLDER = pathlib.Path(__file__).parent
COLUMNS, ROWS = 80, 24
QUIET = 0.4  # seconds without output, after which a shell waits for keys
BACKSPACE = "\x7f"

SHELLS = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
PROMPTS = {
    "bash": r"\[\e[1;32m\]you@host\[\e[0m\]:\[\e[01;34m\]\W\[\e[0m\]$ ",
    "zsh": "%F{green}%1~%f %B%%%b ",
}
BAR = r"printf '\r\e[K%3d%% [%-10s]' $n $(printf '#%.0s' $(seq $((n / 10))))"
PROGRESS = f"for n in 20 60 100; do {BAR}; sleep 0.1; done; echo"
# The version, the shell, and the lines that are typed into it.
CASTS = {
    "files-2.cast": (2, "bash", ["lss" + BACKSPACE + " --color", "grep --color -n tree notes.txt"]),
    "progress-3.cast": (3, "bash", [PROGRESS, "printf '\\e[4mdone\\e[0m, \\e[38;5;208m漢字\\e[0m\\n'"]),
    "zsh-2.cast": (2, "zsh", ["print -n no line break", "echo a b" + BACKSPACE * 3 + "👻", "ls --color"]),
}


def record(shell, lines):
    """Returns what happens on the terminal: seconds, a code, and characters."""
    events, start = [], time.monotonic()
    decoder = codecs.getincrementaldecoder("utf-8")()
    with tempfile.TemporaryDirectory() as parent:
        home = pathlib.Path(parent) / "project"
        for folder in ("docs", "src"):
            (home / folder).mkdir(parents=True)
        (home / "notes.txt").write_text("one tree\ntwo\na treetop\n")
        (home / "run.sh").touch(0o755)
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {
            "HOME": parent, "LANG": "C.UTF-8", "PATH": os.environ["PATH"], "PS1": PROMPTS[shell],
            "TERM": "xterm-256color",
        }
        process = subprocess.Popen(
            SHELLS[shell], stdin=follower, stdout=follower, stderr=follower, cwd=home, env=environment,
            preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))
        os.close(follower)

        def take(quiet):
            while select.select([leader], [], [], quiet)[0]:
                try:
                    output = os.read(leader, 4096)
                except OSError:
                    return
                events.append((time.monotonic() - start, "o", decoder.decode(output)))

        take(3 * QUIET)
        for line in lines:
            for key in line:
                os.write(leader, key.encode())
                events.append((time.monotonic() - start, "i", key))
                take(0.02)
            os.write(leader, b"\r")
            take(QUIET)
        os.write(leader, b"\x04")
        take(QUIET)
        process.wait()
        os.close(leader)
    return events


def cast(version, events):
    """Returns the lines of a file."""
    size = {"width": COLUMNS, "height": ROWS}
    if version == 3:
        size = {"term": {"cols": COLUMNS, "rows": ROWS, "type": "xterm-256color"}}
    yield {"version": version, **size, "env": {"SHELL": "/bin/sh"}}
    last = 0
    for seconds, code, characters in events:
        yield [round(seconds - last if version == 3 else seconds, 3), code, characters]
        last = seconds
    if version == 3:
        yield [0, "x", "0"]


for name, (version, shell, lines) in CASTS.items():
    lines = [json.dumps(line, ensure_ascii=False) for line in cast(version, record(shell, lines))]
    (FOLDER / name).write_text("\n".join(lines) + "\n")
