"""GIF, APNG and WebP beside what else makes them: CPU time, bytes and likeness.

    .venv/bin/python Benchmarks/peers.py .build/release/titlecard [rounds]

Two texts fade in letter by letter. The others get the frames as PNG files, which the service has made: their
time is that of encoding alone, Titlecard's is that of the whole request, counted from the server's threads.
Takumi, which renders HTML, draws the letters itself as well. All are measured in turn, again and again; every
request to the server differs from every other one.
Needs Pillow and numpy, ffmpeg, gifsicle, ImageMagick, img2webp and takumi-py, which `make bench-deps` installs;
gifski if it is there.
"""

import html
import http.client
import io
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import takumi_py
from PIL import Image

PORT = 8098
REQUESTS = 8  # between two looks at the server's clock
ROUNDS = 7
FPS = 25
STYLE = dict(
    padding=20,
    size=32,
    color="white",
    background="#111",
    effect="slide",
    distance=0,
    interval=0.05,
    duration=0.4,
    easing="linear",
    hold=1,
    loop="infinite",
)
TEXTS = {
    "one line": dict(STYLE, text="We love Swift. Text comes alive, glyph by", width=640, height=160),
    "four lines": dict(
        STYLE,
        text="This is a replication of Secret's text animation. It looks like one fancy label, "
        "but it is two labels on top of each other! What do you think?",
        width=640,
        height=320,
    ),
}
TITLECARD_REQUESTS = {
    "Titlecard GIF, 255 levels": ("gif", dict(levels=255)),
    "Titlecard GIF, 32 levels": ("gif", {}),
    "Titlecard GIF, 16 levels": ("gif", dict(levels=16)),
    "Titlecard APNG": ("apng", {}),
    "Titlecard WebP": ("webp", {}),
    "Titlecard WebP, 32 levels": ("webp", dict(levels=32)),
    "Titlecard PNG, one frame": ("png", {}),
}
FFMPEG = ["ffmpeg", "-v", "error", "-y", "-framerate", str(FPS), "-i", "%04d.png"]
PALETTE = "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
BASIS = "ffmpeg, gifsicle -O3"  # what ratios are of
# The most milliseconds and kilobytes that a WebP should take.
GOALS = {
    "one line": {"Titlecard WebP": (16, 54)},
    "four lines": {"Titlecard WebP": (45, 161), "Titlecard WebP, 32 levels": (42, 113)},
}
# The text as a page for takumi, which takes no `font`; its lines are as high and in the same place as ours.
TAKUMI_STYLE = """
@keyframes fade { from { opacity: 0 } to { opacity: 1 } }
div {
  width: 100%; height: 100%; padding: 20px; background: #111; color: white;
  font-family: "DejaVu Sans"; font-size: 32px; line-height: 1.2;
  display: flex; flex-direction: column; justify-content: center;
}
p { margin: 0 }
span { animation: fade 0.4s linear both }
"""


class Server:
    """A fresh `titlecard serve` with one connection to it."""

    def __init__(self, binary):
        command = [binary, "serve", "--no-supervisor", "--port", str(PORT), "--log-level", "error"]
        self.process = subprocess.Popen(command)
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT)
        self.count = 0
        while True:
            try:
                self.connection.connect()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)

    def answer(self, format, request):
        """The beginning of a rendering that was not requested before."""
        self.count += 1
        body = json.dumps(dict(request, title=f"number {self.count}", seed=self.count))
        self.connection.request("POST", f"/render.{format}", body, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        assert answer.status == 200, answer.read()
        return answer

    def render(self, format, request):
        return self.answer(format, request).read()

    def cpu(self):
        """Milliseconds that all threads have run."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6

    def peak(self):
        """The most memory that it has held, in MB."""
        with open(f"/proc/{self.process.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1000

    def stop(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()


def cpu_of(work, folder):
    """Milliseconds of CPU that a command, or a function in a process of its own, takes with its children."""
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            if callable(work):
                work()
                os._exit(0)
            os.execvp(work[0], work)
        finally:
            os._exit(1)
    _, status, usage = os.wait4(child, 0)
    assert status == 0, work
    return 1000 * (usage.ru_utime + usage.ru_stime)


def by_pillow(name, **options):
    """Saves all frames in one file, as Pillow's handbook does."""
    frames = [Image.open(file) for file in sorted(pathlib.Path().glob("*.png"))]
    frames[0].save(name, save_all=True, append_images=frames[1:], duration=1000 // FPS, loop=0, **options)


def takumi_frames(name):
    """Encodes the frames by takumi."""
    pictures = [Image.open(file).convert("RGBA") for file in sorted(pathlib.Path().glob("*.png"))]
    frames = [takumi_py.RawAnimationFrame(each.tobytes(), *each.size, 1000 // FPS) for each in pictures]
    pathlib.Path(name).write_bytes(takumi_py.Renderer().encode_frames(frames, lossless=True))


def takumi_page(name):
    """Renders and encodes the text by takumi, from a page in which each letter is a `span`."""
    scene = json.loads(pathlib.Path("scene.json").read_bytes())
    letters = "".join(
        f'<span style="animation-delay: {glyph["opacity"][0]["time"]}s">{html.escape(glyph["text"])}</span>'
        for glyph in scene["glyphs"]
    )
    renderer = takumi_py.Renderer()
    font = subprocess.run(["fc-match", "-f", "%{file}", "DejaVu Sans"], check=True, capture_output=True, text=True)
    renderer.register_font(pathlib.Path(font.stdout).read_bytes())
    page = renderer.compile_html(f"<div><p>{letters}</p></div>").node
    film = renderer.render_animation(
        [takumi_py.AnimationScene(page, round(1000 * scene["duration"]))],
        stylesheets=[TAKUMI_STYLE],
        width=scene["width"],
        height=scene["height"],
        fps=FPS,
        lossless=True,
    )
    pathlib.Path(name).write_bytes(film)


def others():
    """Each way to make a file of the frames: its name, the file, the work, and the way whose file it starts from."""
    palette = [*FFMPEG, "-filter_complex", PALETTE, "-loop", "0", "ffmpeg.gif"]
    yield "ffmpeg, two passes", "ffmpeg.gif", palette, None
    yield BASIS, "small.gif", ["gifsicle", "-O3", "ffmpeg.gif", "-o", "small.gif"], "ffmpeg, two passes"
    convert = next(filter(shutil.which, ("magick", "convert-im6", "convert")))
    frames = ["-delay", str(100 // FPS), "-loop", "0", "*.png", "-layers", "optimize"]
    yield "ImageMagick -layers optimize", "magick.gif", [convert, *frames, "magick.gif"], None
    yield "Pillow GIF", "pillow.gif", lambda: by_pillow("pillow.gif", optimize=True), None
    if shutil.which("gifski"):
        script = f"exec gifski --quiet --fps {FPS} -o gifski.gif [0-9]*.png"
        yield "gifski", "gifski.gif", ["sh", "-c", script], None
    yield "ffmpeg APNG", "ffmpeg.apng", [*FFMPEG, "-pix_fmt", "rgb24", "-plays", "0", "-f", "apng", "ffmpeg.apng"], None
    yield "Pillow APNG", "pillow.apng", lambda: by_pillow("pillow.apng", format="PNG"), None
    for options in "", " -min_size":
        script = f"exec img2webp{options} -lossless -d {1000 // FPS} [0-9]*.png -o img2webp.webp 2> /dev/null"
        yield f"img2webp -lossless{options}", "img2webp.webp", ["sh", "-c", script], None
    webp = ["-codec", "libwebp_anim", "-lossless", "1", "-loop", "0", "ffmpeg.webp"]
    yield "ffmpeg libwebp_anim", "ffmpeg.webp", [*FFMPEG, *webp], None
    yield "Pillow WebP", "pillow.webp", lambda: by_pillow("pillow.webp", lossless=True), None
    smallest = dict(lossless=True, minimize_size=True)
    yield "Pillow WebP, minimize_size", "pillow.webp", lambda: by_pillow("pillow.webp", **smallest), None
    yield "takumi, of the frames", "takumi.webp", lambda: takumi_frames("takumi.webp"), None
    yield "takumi, of a page", "takumi.webp", lambda: takumi_page("takumi.webp"), None


def likeness(file, wanted):
    """Decibels of all frames together, and of the least alike one."""
    picture, errors, ends = Image.open(io.BytesIO(file)), [], 0
    shown = numpy.asarray(picture.convert("RGB")).astype(float)
    for number, want in enumerate(wanted):
        while (
            number * 1000 // FPS >= ends + picture.info.get("duration", math.inf)
            and picture.tell() + 1 < picture.n_frames
        ):
            ends += picture.info["duration"]
            picture.seek(picture.tell() + 1)
            shown = numpy.asarray(picture.convert("RGB")).astype(float)
        errors.append(numpy.mean((shown - want) ** 2))

    def decibels(error):
        return f"{10 * math.log10(255**2 / error):.1f}"

    return f"{decibels(statistics.mean(errors))} · {decibels(max(errors))}" if any(errors) else "exact"


def measure(binary, request, rounds, folder):
    """For each way its milliseconds in every round, and its file; and the frames."""
    server = Server(binary)
    try:
        scene = server.render("json", request)
        (folder / "scene.json").write_bytes(scene)
        frames = [
            server.render("png", dict(request, time=number / FPS))
            for number in range(round(json.loads(scene)["duration"] * FPS))
        ]
        for number, frame in enumerate(frames):
            (folder / f"{number:04}.png").write_bytes(frame)
        taken, files = {}, {}
        for _ in range(rounds):
            for name, (format, options) in TITLECARD_REQUESTS.items():
                before = server.cpu()
                for _ in range(REQUESTS):
                    files[name] = server.render(format, request | options)
                taken.setdefault(name, []).append((server.cpu() - before) / REQUESTS)
            for name, file, work, before in others():
                spent = taken[before][-1] if before else 0
                taken.setdefault(name, []).append(spent + cpu_of(work, folder))
                files[name] = (folder / file).read_bytes()
        return taken, files, frames
    finally:
        server.stop()


def main():
    binary, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    for name, request in TEXTS.items():
        with tempfile.TemporaryDirectory() as folder:
            taken, files, frames = measure(binary, request, rounds, pathlib.Path(folder))
        wanted = [numpy.asarray(Image.open(io.BytesIO(frame)).convert("RGB")).astype(float) for frame in frames]
        print(f"{name}, {request['width']}×{request['height']}, {len(frames)} frames, medians of {rounds}:\n")
        print("| | CPU, ms | of ffmpeg + gifsicle | bytes | of ffmpeg + gifsicle | PSNR, all · worst frame | goal |")
        print("|---|---|---|---|---|---|---|")
        medians = {way: statistics.median(times) for way, times in taken.items()}
        for way, cpu in medians.items():
            size = len(files[way])
            cells = [f"{cpu:,.1f}", f"{cpu / medians[BASIS]:.3f}", f"{size:,}", f"{size / len(files[BASIS]):.2f}"]
            cells += ["" if "one frame" in way else likeness(files[way], wanted)]
            cells += ["{} ms, {} KB".format(*GOALS[name][way]) if way in GOALS[name] else ""]
            print(f"| {way} | " + " | ".join(cells) + " |")
        print(flush=True)


if __name__ == "__main__":
    main()
