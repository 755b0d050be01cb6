"""GIF, APNG and WebP of the same requests: bytes, CPU time, and the memory and first byte of long ones.

    .venv/bin/python Benchmarks/formats.py .build/release/titlecard
"""

import sys
import time

from peers import REQUESTS, TEXTS, Server

WAYS = {
    "WebP": ("webp", {}),
    "WebP, 32 levels": ("webp", dict(levels=32)),
    "GIF": ("gif", {}),
    "GIF, full frames": ("gif", dict(frames="full")),
    "APNG": ("apng", {}),
}
PARTY = (
    "<b><span foreground='#e33'>Red</span> <span foreground='#2a2'>Green</span> "
    "<span foreground='#33e'>Blue</span> 🎉 Party 👨‍👩‍👧‍👦</b>"
)
SCENES = {
    "`typewriter` with a cursor, transparent": dict(
        text="Typed letter by letter with a cursor, over two\nlines of text",
        effect="typewriter", cursor="bar", background="transparent", exit="auto",
    ),
    "`slide` in two colours, on white": dict(
        blocks=[dict(text="Who you gonna call?", color="#e33"), dict(text="Ghosts!", color="#33e")],
        effect="slide", size=48, background="#fff", exit="auto",
    ),
    "`scramble`, green on black": dict(
        text="Scrambled before it is read", effect="scramble", size=40, background="#111", color="#0f0", exit="auto"
    ),
    "`blur`, transparent": dict(
        text="Blurred into view, letter by letter", effect="blur", size=40, background="transparent", exit="auto"
    ),
    "`rise` with a soft shadow, on white": dict(
        text="Soft shadows here", shadow="2px 2px 6px #0008", effect="rise", size=48, background="#fff", exit="auto"
    ),
    "`fall`, five emoji on white": dict(
        text="👋🌍🎉🚀✨", effect="fall", size=64, background="#fff", exit="auto"
    ),
    "`wave`, gradient in the letters, transparent": dict(
        text="Gradient text is alive", color="linear-gradient(30deg, #f00, #ff0, #00f)",
        effect="wave", size=48, background="transparent",
    ),
    "`slide` on a card of three colours": dict(
        text="On a card of three colours", background="linear-gradient(30deg, #134, #a4c, #fa0)", color="white",
        effect="slide", size=40, padding=20, exit="auto",
    ),
    "`wave` of letters in colours and emoji, transparent": dict(
        text=PARTY, markup=True, effect="wave", size=64, background="transparent"
    ),
}
# Two minutes of 142 letters at 640×320, and turning at twice that.
TURNING = {key: value for key, value in TEXTS["four lines"].items() if key != "distance"}
LONG = {
    "letters fade in, 640×320": dict(TEXTS["four lines"], interval=0.5, duration=6, cycle=120),
    "letters turn in and out, 1280×640": TURNING
    | dict(effect="custom", keyframes=[dict(rotation=360), {}], interval=0.35, duration=8)
    | dict(exit="auto", hold=0, cycle=120, scale=2),
}


def short(server, format, request):
    """Bytes, and milliseconds of CPU."""
    server.render(format, request)
    before = server.cpu()
    for _ in range(REQUESTS):
        file = server.render(format, request)
    return f"{len(file):,} · {(server.cpu() - before) / REQUESTS:,.1f}"


def long(binary, format, request):
    """Bytes; MB that a server grows by from after a small rendering; seconds to the first and the last byte, and
    of CPU."""
    server = Server(binary)
    try:
        server.render(format, dict(text="Hi"))
        idle, before, start = server.peak(), server.cpu(), time.monotonic()
        answer = server.answer(format, request)
        size = len(answer.read(1))
        first = time.monotonic() - start
        while part := answer.read(1 << 16):
            size += len(part)
        last = time.monotonic() - start
        spent = (server.cpu() - before) / 1000
        return f"{size:,} | {server.peak() - idle:.1f} | {first:.2f} | {last:.2f} | {spent:.2f}"
    finally:
        server.stop()


def main():
    binary = sys.argv[1]
    print("Each cell: bytes · milliseconds of CPU.\n")
    print("| scene | " + " | ".join(WAYS) + " |\n|---|" + "---|" * len(WAYS))
    server = Server(binary)
    for name, scene in SCENES.items():
        request = dict(scene, loop="infinite")
        cells = [short(server, format, request | options) for format, options in WAYS.values()]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    server.stop()
    for name, request in LONG.items():
        print(f"\n| 120 s, {name} | bytes | MB more than idle | first byte, s | last byte, s | CPU, s |")
        print("|---|---|---|---|---|---|")
        for way, (format, options) in WAYS.items():
            print(f"| {way} | {long(binary, format, request | options)} |", flush=True)


if __name__ == "__main__":
    main()
