#!/usr/bin/env python3
"""Searches for the requests that cost a server most for each of their bytes, and for those with a wrong price.

    amplification.py BINARY [SECONDS] [SEED] [GOAL]

Random requests of all parameters are changed step by step, and what costs more is kept: for SECONDS each by bytes of
the answer, by CPU seconds, and by memory, per byte of the request, and by price: CPU seconds per second that the tool
`check` announces: a millisecond for each megapixel, of videos a hundredth of a second, besides 0.02 s for anything; a
refusal announces nothing. The CPU includes that of ffmpeg, and that of `check` where it is more. The worst of each goal
are printed, by that rate and by the cost itself; with GOAL of that alone, whose wrong prices are printed as they are
found. Ends with 1 where a price was too low by more than a factor of 3.
"""

import base64
import http.client
import json
import os
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tests/EndToEnd/support"))
from service import Service  # first: it makes Tests/Reference known
from catalogue import catalogue_of
from draws import png_file

GOALS = ("bytes", "CPU", "memory", "price")
LETTERS = ("a", "W", "é", "世", "😀", "👨\u200d", "\u0301", " ", "א", "م", "\n", "ﷺ", "i", "ffi ", "<b>x</b>", "7")
EASINGS = ("linear", "ease-in-out", "bounce", "steps(100)", "spring(0.9)", "cubic-bezier(0.5, 9, 0.5, -8)")
SHADOWS = ("1px 1px red", "3px 2px 4px #0f08", "0 0 40px blue", "-9px 0 1px #123")
PAINTS = (
    *("red", "#12345678", "linear-gradient(45deg, red, blue)", "linear-gradient(90deg, #f00 0%, #0f08 50%, #00f)"),
    *("repeating-radial-gradient(red, blue 2px)", "conic-gradient(red, lime, blue, red)"),
)
# Curves of cusps, of loops, and of hardly any length, arcs, and lines back and forth.
PIECES = ("c9 9 0 9 9 0", "c60 30-45 30 15 0", "c9 0 0 0 9 .01", "a9 4 30 1 1 9 0", "h99h-98", "q9 0 9 9t9 0")
PROPERTIES = dict(
    scale=(0, 0.1, 1.5, 10), scaleX=(0.02, 3), scaleY=(0.02, 3), x=(-10, 2, "300%"), y=(-10, 2), rotation=(45, 3600),
    skewX=(70,), blur=(0.01, 0.1, 2), opacity=(0, 0.5), pathOffset=(-1000, 5, 37), color=("red", "#0f08"),
    axes=({"wght": 900}, {"wght": 100, "opsz": 32}), spread=(0, 10),
)  # fmt: skip
PICTURES = tuple((side, noise) for side in (8, 90, 1024) for noise in (False, True) if side < 1024 or not noise)
VIDEOS = ("webm", "mp4", "mov", "avif")
WAIT = 150  # seconds for an answer
FLOOR = 0.02  # seconds of CPU that anything may take
FACTOR = 3  # times that the CPU may be what was announced


class Server:
    """A server of its own, whose process is looked at around each request."""

    def __init__(self, binary):
        # One process, so that the one that is looked at is the one that works.
        self.service = Service(
            "--no-supervisor", "--workers", "1", "--loops", "1", "--cache-size", "0", "--mcp", "--log-level", "error",
            binary=pathlib.Path(binary).absolute(),
        )  # fmt: skip
        self.process = self.service.process

    def cpu(self):
        """Seconds of the process, and of those that it has waited for."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        children = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        # The clock of a process (clock_getcpuclockid), which is finer than the ticks.
        return time.clock_gettime(~self.process.pid << 3 | 2) + children

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(rf"{name}:\s+(\d+)", status.read()).group(1)) * 1024

    def answer(self, path, body, fields):
        """Returns the status, the content, which may be cut, and the seconds of CPU."""
        cpu = self.cpu()
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=WAIT)
        content, status = b"", 0
        try:
            connection.request("POST", path, body, {"Content-Type": "application/json", **fields})
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
        except http.client.IncompleteRead as cut:
            content = cut.partial
        finally:
            connection.close()
        if self.process.poll() is not None:
            sys.exit(f"the server ended: {body.decode()}")
        return status, content, self.cpu() - cpu

    def announced(self, request):
        """Returns the seconds that `check` announces for a request, and those of CPU that it takes itself."""
        parameters = dict(name="check", arguments=request)
        call = dict(jsonrpc="2.0", id=1, method="tools/call", params=parameters)
        fields = {"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json"}
        _, content, cpu = self.answer("/mcp", json.dumps(call).encode(), fields)
        result = json.loads(content).get("result", {}).get("structuredContent", {})
        if "price" not in result:
            return 0, cpu
        return result["price"]["megapixels"] / (100 if result["format"] in VIDEOS else 1000), cpu

    def cost(self, request):
        """Returns the costs by goal, the status, and the bytes of the request."""
        body = json.dumps(request, ensure_ascii=False).encode()
        announced, cpu_of_check = self.announced(request)
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")
        memory = self.memory("VmRSS")
        status, content, cpu = self.answer("/render", body, {})
        memory = max(self.memory("VmHWM") - memory, 0)
        cpu = max(cpu, cpu_of_check)
        return dict(bytes=len(content), CPU=cpu, memory=memory, price=cpu / (announced + FLOOR)), status, len(body)


def text(generator):
    letters = generator.sample(LETTERS, generator.randint(1, 3))
    return "".join(letters) * generator.choice([1, 5, 40, 200, 650])


def keyframes(generator):
    names = generator.sample(list(PROPERTIES), generator.randint(1, 4))
    frames = []
    for _ in range(generator.randint(1, 15)):
        name = generator.choice(names)
        frame = {name: generator.choice(PROPERTIES[name])}
        if generator.random() < 0.5:
            frame["easing"] = generator.choice(EASINGS)
        frames.append(frame)
    return [*frames, {}]


def path(generator):
    pieces = generator.choices(PIECES, k=generator.randint(1, 2))
    count = generator.choice([1, 30, 160, 330])
    return ("M0 0" + "".join(pieces) * count)[:4096].rpartition(pieces[0])[0] + pieces[0]


def pictures(generator):
    """Returns a picture that the request carries, in a text that shows it in many sizes, often with words for it."""
    side, noise = generator.choice(PICTURES)
    row = generator.randbytes if noise else bytes
    file = png_file(side, side, (row(4 * side) for _ in range(side)))
    sizes = [generator.randint(4, 400) for _ in range(generator.choice([1, 8, 64]))]
    words = generator.choice(["", ' alt="' + "x" * 99 + '"'])
    shown = "".join(f'<span size="{size}px"><picture name="a"{words}/></span>' for size in sizes)
    return dict(pictures=dict(a=base64.b64encode(file).decode()), markup=True, text=shown)


def marks(generator):
    kind = generator.choice(["underline", "circle", "box", "highlight"])
    return dict(markup=True, text=f"<mark kind='{kind}'>marked words</mark> " * generator.choice([1, 8, 64]))


def paint(generator):
    layers = ", ".join(generator.choices(SHADOWS, k=generator.randint(1, 4)))
    return generator.choice(
        [
            dict(shadow=layers),
            dict(darkShadow=layers),
            dict(color=generator.choice(PAINTS)),
            dict(background=generator.choice(PAINTS)),
            dict(color=PAINTS[3], paintMotion=generator.choice(["pan", "spin", "breathe"])),
        ]
    )


def blocks(generator, request):
    """Returns texts that share all other parameters."""
    shown = request.get("text") or text(generator)
    count = generator.choice([2, 8, 32])
    return [dict(text=generator.choice([shown, text(generator)])) for _ in range(count)]


def change(generator, request, catalogue):
    """Returns a request with one to three of its parameters drawn anew."""
    request = dict(request)
    effects = catalogue.effects

    def drawn(parameters):
        one = generator.choice(list(parameters.values()))
        if one.discrete or one.is_drawn or one.high is not None:
            request[one.name] = generator.choice([one.usual, one.extreme, one.extreme])(generator)

    for _ in range(generator.randint(1, 3)):
        kinds = "effect own own text text paint any any canvas format format keyframes path pictures marks blocks drop"
        name = generator.choice(kinds.split())
        if name == "effect":
            for own in effects[request["effect"]]:
                request.pop(own, None)
            request["effect"] = generator.choice(list(effects))
        elif name == "own" and effects[request["effect"]]:
            drawn(effects[request["effect"]])
        elif name == "text":
            request.pop("blocks", None)
            request["text"] = text(generator)
        elif name == "paint":
            request |= paint(generator)
        elif name == "any":
            drawn(catalogue.parameters)
        elif name == "canvas":
            request |= generator.choice(
                [
                    dict(width=generator.choice([10, 100, 4096])),
                    dict(size=generator.choice([4, 8, 40, 400])),
                    dict(easing=generator.choice(EASINGS)),
                    dict(loop="infinite", exit="auto"),
                ]
            )
        elif name == "format":
            if generator.random() < 0.5:
                for own in catalogue.format_parameters:
                    request.pop(own, None)
                request["format"] = generator.choice(list(catalogue.formats))
            elif own := catalogue.formats[request["format"]]["parameters"]:
                names = {each["name"] for each in own}
                drawn({name: each for name, each in catalogue.format_parameters.items() if name in names})
        elif name == "keyframes":
            request |= dict(effect="custom", keyframes=keyframes(generator))
        elif name == "path":
            request |= dict(path=generator.choice([path(generator), "circle", "wave(-1000px, 4px)"]))
            request["text"] = generator.choice(["W", "iiii ", "round "]) * generator.choice([1, 24, 200])
            request.setdefault("size", generator.choice([4, 8, 40]))
        elif name == "pictures":
            request |= pictures(generator)
        elif name == "marks":
            request |= marks(generator)
        elif name == "blocks":
            request["blocks"] = blocks(generator, request)
            request.pop("text", None)
        elif name == "drop" and len(request) > 3:
            kept = ("text", "blocks", "effect", "format")
            if others := [each for each in request if each not in kept]:
                request.pop(generator.choice(others))
    if request["effect"] == "custom":
        request.setdefault("keyframes", keyframes(generator))
    else:
        request.pop("keyframes", None)
    if "text" not in request and "blocks" not in request:
        request["text"] = text(generator)
    return request


def climb(server, catalogue, goal, seconds, generator):
    """Returns the worst request found by its rate, the worst by its cost, with their costs, and the number tried."""
    end = time.monotonic() + seconds
    worst, most, tried = None, None, 0
    effects, formats = list(catalogue.effects), list(catalogue.formats)
    while time.monotonic() < end:
        # A start of its own every so often, lest it stays on one hill.
        request = dict(text=text(generator), effect=generator.choice(effects), format=generator.choice(formats))
        best, failures = -1.0, 0
        while failures < 30 and time.monotonic() < end:
            candidate = change(generator, request, catalogue)
            costs, status, length = server.cost(candidate)
            tried += 1
            failures += 1
            if status == 400:
                continue
            if goal == "price" and costs[goal] > FACTOR:
                # Other work on the machine may have made it slow.
                costs = min(costs, server.cost(candidate)[0], key=lambda each: each[goal])
            found = (costs, status, length, candidate)
            gain = costs[goal] / (1 if goal == "price" else length)
            if goal == "price" and gain > FACTOR:
                print_found(goal, tried, found)
            if most is None or costs[goal] > most[0]:
                most = (costs[goal], *found)
            if gain > best:
                request, best, failures = candidate, gain, 0
                if worst is None or gain > worst[0]:
                    worst = (gain, *found)
    return [each[1:] for each in (worst, most) if each], tried


def shown(request):
    """Returns a request with its long values as their beginning and their length."""

    def short(value):
        if isinstance(value, list) and len(value) > 4:
            return [*map(shorter, value[:2]), f"… ({len(value)})"]
        return shorter(value)

    def shorter(value):
        if isinstance(value, dict):
            return {name: short(each) for name, each in value.items()}
        if isinstance(value, str) and len(value) >= 60:
            return f"{value[:24]}… ({len(value)})"
        return value

    return short(request)


def print_found(goal, tried, found):
    costs, status, length, request = found
    print(
        f"by {goal}, {tried} requests: {length} bytes, answer {status} of {costs['bytes']} bytes, "
        f"{costs['CPU']:.2f} s of CPU, {costs['price']:.1f} of its price, {costs['memory'] / (1 << 20):.0f} MiB"
    )
    written = request if os.environ.get("WHOLE") else shown(request)
    print("   ", json.dumps(written, ensure_ascii=True), flush=True)


def main():
    binary = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    generator = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")
    server = Server(binary)
    is_wrong = False
    try:
        catalogue = catalogue_of(server.service)
        for goal in sys.argv[4:5] or GOALS:
            worst, tried = climb(server, catalogue, goal, seconds, generator)
            for found in worst:
                print_found(goal, tried, found)
            is_wrong = is_wrong or goal == "price" and any(found[0][goal] > FACTOR for found in worst)
    finally:
        server.service.stop()
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
