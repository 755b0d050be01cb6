"""The costliest requests that pass the limits: a random search over extreme ones.

    python3 Benchmarks/costliest.py .build/release/titlecard --seconds 300 [--seed 1] [--work MEGAPIXELS] [--paint]
        [--formats gif apng webp png]

One server refuses everything and so says what a request is estimated at; another renders it without that limit. For
each request: megapixels estimated, seconds of CPU and their ratio. Then the ten costliest within --work are rendered
two at a time under the default deadline, and the peak of the server's memory is printed.
"""

import argparse
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import time

ESTIMATE = r"would compose ([\d,.]+) "
PUBLIC = pathlib.Path(__file__).resolve().parents[1] / "Public"
TEXTS = ["Who you gonna call? ", "漢字仮名交じり文の見本。", "🙂👻🎉🇫🇷", "W", "@&%§", "العربية "]
EASINGS = ["linear", "ease-in", "spring(0.3)", "steps(60)", "bounce", "back-out"]
# The values that each property is drawn from, the last one as typeset.
EXTREMES = {
    "scale": (0.1, 3, 10, 1),
    "scaleX": (0.02, 0.3, 4, 10, 1),
    "scaleY": (0.02, 0.3, 4, 10, 1),
    "rotation": (10, 45, 720, 0),
    "x": (-2, 5, 0),
    "y": (-2, 5, 0),
    "blur": (0.01, 0.05, 0.1, 0.3, 1, 2, 0),
    "spread": (0, 3, 1),
    "opacity": (0.2, 1),
}
EFFECTS = "birdman secret slide fall wave blur zoom flip rise draw typewriter scramble".split()
# How often each format is drawn, and what else it is asked for.
OUTPUTS = {
    "gif": (3, {"fps": 50}),
    "apng": (3, {"fps": 50}),
    "webp": (3, {"fps": 50}),
    "png": (1, {"time": 0.5}),
}


class Server:
    def __init__(self, binary, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [binary, "serve", "--no-supervisor", "--port", str(self.port)]
        command += ["--public", str(PUBLIC), "--cache-size", "0"]
        command += ["--log-level", "error", *map(str, options)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.05)

    def post(self, path, body):
        """Returns the status and the length of the body, or its text if it is an error."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            content = response.read()
            return response.status, len(content) if response.status == 200 else content.decode()
        except (http.client.HTTPException, OSError) as failure:
            # A deadline in the middle of a stream ends the connection.
            return 0, str(failure)
        finally:
            connection.close()

    @property
    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def peak(self):
        """MiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


def keyframes(generator):
    names = generator.sample(list(EXTREMES), generator.randint(1, 5))
    if "spread" in names and "x" in names:
        names.remove("x")
    frames = [
        {name: generator.choice(EXTREMES[name]) for name in names} for _ in range(generator.randint(1, 4))
    ]
    if generator.random() < 0.5:
        # The first one for long.
        frames.insert(1, {**frames[0], "offset": 0.9})
    for frame in frames:
        frame["easing"] = generator.choice(EASINGS)
    return [*frames, {name: EXTREMES[name][-1] for name in names}]


def output(generator, formats):
    name = generator.choices(formats, [OUTPUTS[name][0] for name in formats])[0]
    return {"format": name, **OUTPUTS[name][1]}


def extreme(generator, formats):
    text = generator.choice(TEXTS)
    count = generator.choice([1, 10, 100, 400, 1000, 2000])
    scale = generator.choice([1, 1, 2, 4])
    request = {
        "text": (text * count)[:count],
        "effect": generator.choice(["custom"] * 5 + ["draw", "zoom", "blur"]),
        "interval": generator.choice([0, 0.01, 0.05, 0.2]),
        "duration": generator.choice([0.5, 2, 8, 10]),
        "size": generator.choice([12, 32, 100, 400]),
        "loop": generator.choice(["infinite", 1]),
        "scale": scale,
        **output(generator, formats),
    }
    if request["effect"] == "custom":
        request["keyframes"] = keyframes(generator)
    if request["effect"] == "draw":
        request["strokeWidth"] = generator.choice([0.02, 0.1])
    if generator.random() < 0.4:
        request["by"] = generator.choice(["glyph", "word", "all"])
    if generator.random() < 0.3:
        request["exit"] = "auto"
    if generator.random() < 0.3:
        request["letterSpacing"] = generator.choice([-20, 50])
    if generator.random() < 0.8:
        for name in ("width", "height"):
            request[name] = int(4096 / scale / generator.choice([1, 2, 4, 16]))
    return request


def painted(generator, formats):
    """A request with gradients, outlines, shadows and a card, of any effect."""
    request = extreme(generator, formats)
    if generator.random() < 0.6:
        for name in ("keyframes", "strokeWidth", "interval", "duration", "by"):
            request.pop(name, None)
        request["effect"] = generator.choice(EFFECTS)
    if request["text"][0] in "漢" and generator.random() < 0.5:
        request["text"] = "".join(chr(0x4E00 + index) for index in range(len(request["text"])))
    if generator.random() < 0.7:
        shadows = generator.randint(1, 4)
        request["shadow"] = ", ".join(
            f"{generator.choice([0, 3, 200])}px 2px {generator.choice([0, 1, 4, 20, 64])}px #08f8" for _ in range(shadows))
    if generator.random() < 0.4:
        request["outlineWidth"] = generator.choice([1, 20])
    if generator.random() < 0.5 and request["effect"] not in ("highlight", "custom"):
        request["color"] = "linear-gradient(30deg, #f00, #00f8 40%, #0f0)"
    if generator.random() < 0.5:
        request["background"] = "linear-gradient(45deg, #102, #345)"
        request["cornerRadius"] = 50
    return request


def estimate(server, request):
    """Returns megapixels; None where a server that allows one renders it or finds another fault."""
    status, text = server.post(f"/render.{request['format']}", request)
    found = status == 422 and re.search(ESTIMATE, text)
    return float(found[1].replace(",", "")) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--seconds", type=float, default=300, help="of the search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=float, default=6000, help="megapixels that pass")
    parser.add_argument("--paint", action="store_true", help="with gradients, outlines, shadows and cards")
    parser.add_argument("--formats", nargs="+", choices=list(OUTPUTS), default=list(OUTPUTS))
    parser.add_argument("--keep", help="a file for the ten costliest as JSON")
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    draw = painted if arguments.paint else extreme
    strict = Server(arguments.binary, "--max-work", 1)
    free = Server(arguments.binary, "--max-work", 1_000_000_000, "--workers", 1, "--render-deadline", 60)
    found = []
    tried = 0
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        tried += 1
        request = draw(generator, arguments.formats)
        work = estimate(strict, request)
        # Small ones pass anyway.
        if work is None or not arguments.work / 4 < work <= arguments.work:
            continue
        before = free.cpu
        status, _ = free.post(f"/render.{request['format']}", request)
        seconds = free.cpu - before
        found.append((seconds, work, status, request))
        print(f"{seconds:6.1f} s {work:7.0f} MP {1000 * seconds / work:5.1f} s/GP {status} {show(request)}", flush=True)
    found.sort(key=lambda each: -each[0])
    print(f"\n{tried} drawn, {len(found)} rendered, {free.peak:.0f} MiB at most, one at a time\n")
    strict.stop()
    free.stop()
    costliest = found[:10]
    if arguments.keep:
        pathlib.Path(arguments.keep).write_text(json.dumps([request for *_, request in costliest]))
    both = Server(arguments.binary, "--max-work", int(arguments.work), "--workers", 2)

    def timed(each):
        start = time.monotonic()
        status, length = both.post(f"/render.{each[3]['format']}", each[3])
        return status, length, time.monotonic() - start

    print("| seconds of CPU alone | megapixels | status of two at a time | bytes | seconds | request |")
    print("|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (seconds, work, _, request), answer in zip(costliest, pool.map(timed, costliest)):
            status, length, elapsed = answer
            print(f"| {seconds:.1f} | {work:.0f} | {status} | {length} | {elapsed:.0f} | {show(request)} |", flush=True)
    print(f"\nTwo at a time: {both.peak:.0f} MiB at most")
    both.stop()


def show(request):
    text = request["text"]
    return json.dumps({**request, "text": f"{text[:4]}… ({len(text)})"}, ensure_ascii=False)


if __name__ == "__main__":
    main()
