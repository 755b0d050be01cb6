"""The frames of a video beside those of a browser and of Takumi: CPU time without the codec's.

    .venv/bin/python Benchmarks/video.py .build/release/titlecard [rounds]

All make the same animation, a text that fades in letter by letter, as frames with alpha for a pipe, whose reader
throws them away: Titlecard as it does for ffmpeg, Chromium by screenshots of the SVG at each instant (as Remotion and
others capture pages), and Takumi by a rendering of a page at each instant. They take turns. Needs what `make bench-deps`
installs.
"""

import html
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import takumi_py
from playwright.sync_api import sync_playwright

ROUNDS = 5
FPS = 25
SIZES = {"640×160": (640, 160, 32), "1920×1080": (1920, 1080, 96)}
TEXT = "We love Swift. Text comes alive, glyph by"
EFFECT = dict(effect="slide", distance=0, interval=0.05, duration=0.4, easing="linear", hold=1, color="#111")
STYLE = """
@keyframes fade { from { opacity: 0 } to { opacity: 1 } }
div { width: 100%%; height: 100%%; padding: 20px; color: #111; font-family: "DejaVu Sans"; font-size: %dpx;
  line-height: 1.2; display: flex; flex-direction: column; justify-content: center; }
p { margin: 0 }
span { animation: fade 0.4s linear both }
"""
# In the place of ffmpeg.
READER = """#!/bin/sh
case "$*" in *-encoders*|*-version*) exec /usr/bin/ffmpeg "$@";; esac
echo > /proc/self/fd/3
exec cat > /dev/null
"""


def ticks_of(pid):
    """Milliseconds that a process, and all that it has started, has run."""
    try:
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return 0
    return 10 * sum(map(int, words[11:15])) + sum(map(ticks_of, children))


def in_child(work):
    """Milliseconds of CPU of a function in a process of its own, with its children."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    _, status, usage = os.wait4(child, 0)
    assert status == 0
    return 1000 * (usage.ru_utime + usage.ru_stime)


def by_titlecard(binary, folder, request):
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    options = [word for name, value in request.items() for word in (f"--{name}", str(value))]
    command = [binary, "render", TEXT, *options, "--fps", str(FPS), "-o", f"{folder}/film.webm"]
    return in_child(lambda: subprocess.run(command, env=environment, check=True))


def by_browser(page, process, svg, count):
    page.set_content(f'<body style="margin: 0">{svg}')
    page.wait_for_function("document.getAnimations().length > 0")
    before = ticks_of(process)
    with open(os.devnull, "wb") as pipe:
        for number in range(count):
            page.evaluate("time => document.getAnimations().forEach(one => { one.pause(); one.currentTime = time })",
                          1000 * number / FPS)
            pipe.write(page.screenshot(omit_background=True))
    return ticks_of(process) - before


def by_takumi(scene, size, count):
    letters = "".join(
        f'<span style="animation-delay: {glyph["opacity"][0]["time"]}s">{html.escape(glyph["text"])}</span>'
        for glyph in scene["glyphs"])
    renderer = takumi_py.Renderer()
    font = subprocess.run(["fc-match", "-f", "%{file}", "DejaVu Sans"], check=True, capture_output=True, text=True)
    renderer.register_font(pathlib.Path(font.stdout).read_bytes())
    page = renderer.compile_html(f"<div><p>{letters}</p></div>").node
    scenes = [takumi_py.AnimationScene(page, round(1000 * scene["duration"]) + 1000)]
    with open(os.devnull, "wb") as pipe:
        for number in range(count):
            pipe.write(renderer.render_sequence_at_time(
                scenes, round(1000 * number / FPS), stylesheets=[STYLE % size], width=scene["width"], height=scene["height"],
                format="raw"))


def main():
    binary, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    binary = str(pathlib.Path(binary).absolute())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        program = pathlib.Path(folder, "ffmpeg")
        program.write_text(READER)
        program.chmod(0o755)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        # The driver, its children, and the browser among them.
        process = os.getpid()
        print("| | frames | Titlecard, ms | Chromium, ms | Takumi, ms | of Chromium's | of Takumi's |\n|---|---|---|---|---|---|---|")
        for name, (width, height, size) in SIZES.items():
            request = dict(EFFECT, width=width, height=height, size=size)
            render = lambda format: subprocess.run(
                [binary, "render", TEXT, "--format", format, *[f"--{key}={value}" for key, value in request.items()]],
                capture_output=True, check=True).stdout
            scene, svg = json.loads(render("json")), render("svg").decode()
            count = round(scene["duration"] * FPS)
            page = browser.new_page(viewport={"width": width, "height": height})
            taken = [[], [], []]
            for _ in range(rounds):
                taken[0].append(by_titlecard(binary, folder, request))
                taken[1].append(by_browser(page, process, svg, count))
                taken[2].append(in_child(lambda: by_takumi(scene, size, count)))
            page.close()
            ours, browsers, takumis = map(statistics.median, taken)
            print(f"| {name} | {count} | {ours:,.0f} | {browsers:,.0f} | {takumis:,.0f} "
                  f"| 1/{browsers / ours:.1f} | 1/{takumis / ours:.1f} |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
